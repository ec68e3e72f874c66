// Semaphores that are fair between owners, however many calls an owner sends. In AWS every request and every task has a machine of its
// own; here all of them share one.

import { limit } from '../lib/async.ts'

interface Owner {
  running: number
  /** The number of its last turn; 0 without one. */
  lastTurn: number
  /** Start the waiting calls, in their order. */
  calls: (() => void)[]
}

/** Runs the call when its owner may run one. */
export type FairLimit = <Result>(owner: string, run: () => Promise<Result>) => Promise<Result>

/** At most `max` calls run at once. Owners with equally few running calls take turns; the calls of one owner keep their order. */
export function fairLimit(max: number): FairLimit {
  const owners = new Map<string, Owner>()
  let [free, turns] = [max, 0]

  const serveNext = (): void => {
    const waiting = [...owners.values()].filter(({ calls }) => calls.length > 0)
    const [next] = waiting.sort((a, b) => a.running - b.running || a.lastTurn - b.lastTurn)
    if (!next || free === 0) return
    free--
    next.running++
    next.lastTurn = ++turns
    next.calls.shift()?.()
  }

  return async (owner, run) => {
    const state = owners.get(owner) ?? { running: 0, lastTurn: 0, calls: [] }
    owners.set(owner, state)
    const turn = new Promise<void>((resolve) => state.calls.push(resolve))
    serveNext()
    await turn
    try {
      return await run()
    } finally {
      free++
      state.running--
      if (state.running === 0 && state.calls.length === 0) owners.delete(owner)
      serveNext()
    }
  }
}

interface SharingOwner {
  open: number
  limited: ReturnType<typeof limit>
  seenAt: number
  /** Time of the machine that its calls took beyond its share. */
  debtMs: number
}

/** Calls of an owner that may wait: each holds memory. */
const waitingMax = 500

/** An owner has as many waiting calls as it may have. */
export class TooManyCalls extends Error {
  override readonly name = 'TooManyCalls'
}

/** An owner shares the machine until so long after its last call. */
const activeMs = 5_000
/** What an owner may take beyond its share. */
const debtMsMax = 250
const recheckMs = 200

/**
 * At most `max` calls of each owner run at once; its further calls wait in their order. A call that takes longer than `turnMs` only
 * waits for other work: its turn passes to the next one. While several owners are active, each has an equal share of the machine's
 * time, which is charged in equal parts to the calls that run: the next call of an owner that took more waits until the others had
 * as much. Other owners do not wait for it. Rejects with `TooManyCalls` where 500 calls of an owner wait.
 */
export function limitPerOwner(max: number, turnMs: number): FairLimit {
  const owners = new Map<string, SharingOwner>()
  const running: SharingOwner[] = []
  let chargedAt = performance.now()

  const charge = (): void => {
    const now = performance.now()
    const elapsed = now - chargedAt
    chargedAt = now
    for (const owner of running) owner.debtMs += elapsed / running.length
    for (const owner of owners.values()) owner.debtMs = Math.max(0, owner.debtMs - elapsed / owners.size)
    for (const [name, { open, seenAt }] of owners) if (open === 0 && now - seenAt > activeMs) owners.delete(name)
  }

  const awaitShare = async (owner: SharingOwner): Promise<void> => {
    charge()
    while (owners.size > 1 && owner.debtMs > debtMsMax) {
      const pauseMs = Math.min((owner.debtMs - debtMsMax) * owners.size, recheckMs)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      charge()
    }
  }

  const leave = (owner: SharingOwner): void => {
    charge()
    const index = running.indexOf(owner)
    if (index >= 0) running.splice(index, 1)
  }

  return async (name, run) => {
    const owner = owners.get(name) ?? { open: 0, limited: limit(max), seenAt: 0, debtMs: 0 }
    if (owner.open >= waitingMax + max) throw new TooManyCalls(`${waitingMax} calls of this owner wait already.`)
    owners.set(name, owner)
    owner.open++
    const { promise: turn, resolve: begin } = Promise.withResolvers<void>()
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    owner.limited(async () => {
      await awaitShare(owner)
      running.push(owner)
      begin()
      const timer = setTimeout(end, turnMs)
      await ended
      clearTimeout(timer)
      leave(owner)
    })
    try {
      await turn
      return await run()
    } finally {
      end()
      owner.open--
      owner.seenAt = performance.now()
    }
  }
}
