// Semaphores that are fair between owners, however many calls an owner sends. In AWS every request and every task has a machine of its
// own; here all of them share one.

import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as turnOfLoop } from 'node:timers/promises'
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
  /** Of its commands that wait for its share. */
  paced: ReturnType<typeof limit>
  seenAt: number
  /** Calls begun, commands sent and commands answered since the last settlement. */
  steps: number
  /** Time of the thread that it took beyond its share. */
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
const debtMsMax = 100
const recheckMs = 200
/** Of the spans within which the time of the thread is divided by the number of steps. */
const settleMs = 20

/** The time of the one thread that runs all calls, shared by their owners. */
export interface SharedThread {
  /** Runs a call in the turn of its owner. Rejects with `TooManyCalls` where 500 calls of the owner wait. */
  readonly run: FairLimit
  /** Runs a call at once, with commands that never wait, and charges it to its owner: work that has begun under a lease has to end within it. */
  readonly charge: FairLimit
  /** Resolves when the owner has not taken more than its share. */
  readonly awaitShare: (owner: string) => Promise<void>
  /** Sends a command of the current call to the emulators, and charges it to its owner; one of `run` waits for the share of its owner. */
  readonly send: <Result>(command: () => Promise<Result>) => Promise<Result>
}

/** CPU time of this thread: it is not busy while others have its processor. */
const threadBusyMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/**
 * At most `max` calls of each owner run at once; its further calls wait in their order. A call that takes longer than `turnMs` only
 * waits for other work: its turn passes to the next one. While several owners are active, each has an equal share of the thread, and
 * who took more waits, with its next call or command, until its share has covered it. Other owners do not wait for it, and what it does
 * not use stays free, so that they find the thread idle. `busyMs`: of the thread so far.
 */
export function shareThread(max: number, turnMs: number, busyMs = threadBusyMs): SharedThread {
  const owners = new Map<string, SharingOwner>()
  const current = new AsyncLocalStorage<{ owner: SharingOwner; waits: boolean }>()
  const running: SharingOwner[] = []
  let settled = { at: performance.now(), busyMs: busyMs() }

  /**
   * The time since the last settlement is charged by the number of steps, which cost about the same; without any, in equal parts to the
   * calls that run. So the work of pipelines, of the outbox and of sweeps is charged to those who send most, whose it mostly is.
   */
  const settle = (): void => {
    const now = { at: performance.now(), busyMs: busyMs() }
    const elapsed = now.at - settled.at
    const busy = Math.min(elapsed, now.busyMs - settled.busyMs)
    settled = now
    const steps = [...owners.values()].reduce((sum, owner) => sum + owner.steps, 0)
    if (steps === 0) for (const owner of running) owner.debtMs += busy / running.length
    for (const owner of owners.values()) {
      if (steps > 0) owner.debtMs += (busy * owner.steps) / steps
      owner.steps = 0
      owner.debtMs = Math.max(0, owner.debtMs - elapsed / owners.size)
    }
    // One with a debt keeps it.
    for (const [name, { open, debtMs, seenAt }] of owners)
      if (open === 0 && debtMs === 0 && now.at - seenAt > activeMs) owners.delete(name)
  }

  const ownerOf = (name: string): SharingOwner => {
    const newOwner = () => ({
      open: 0,
      limited: limit(max),
      paced: limit(1),
      seenAt: performance.now(),
      steps: 0,
      debtMs: 0,
    })
    const owner = owners.get(name) ?? newOwner()
    owners.set(name, owner)
    return owner
  }

  const mustWait = (owner: SharingOwner): boolean => owners.size > 1 && owner.debtMs > debtMsMax

  const awaitShareOf = async (owner: SharingOwner): Promise<void> => {
    settle()
    while (mustWait(owner)) {
      const pauseMs = Math.min((owner.debtMs - debtMsMax) * owners.size, recheckMs)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      settle()
    }
  }

  /** Charges the owner until the call ends or its turn passes. */
  const chargeTurn = async (owner: SharingOwner, ended: Promise<void>): Promise<void> => {
    running.push(owner)
    owner.steps++
    const { promise: passed, resolve: pass } = Promise.withResolvers<void>()
    const timer = setTimeout(pass, turnMs)
    await Promise.race([ended, passed])
    clearTimeout(timer)
    settle()
    running.splice(running.indexOf(owner), 1)
  }

  /** Counts a call of the owner while it is open. `begin` resolves once it may run, and charges it until it has ended. `waits`: its commands for the share of the owner. */
  const track = async <Result>(
    owner: SharingOwner,
    begin: (ended: Promise<void>) => Promise<void>,
    call: () => Promise<Result>,
    waits: boolean,
  ): Promise<Result> => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    owner.open++
    try {
      await begin(ended)
      return await current.run({ owner, waits }, call)
    } finally {
      end()
      owner.open--
      owner.seenAt = performance.now()
    }
  }

  const takeTurn = (owner: SharingOwner, ended: Promise<void>): Promise<void> => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    owner.limited(async () => {
      await awaitShareOf(owner)
      begin()
      await chargeTurn(owner, ended)
    })
    return begun
  }

  return {
    run: async (name, call) => {
      const owner = ownerOf(name)
      if (owner.open >= waitingMax + max) throw new TooManyCalls(`${waitingMax} calls of this owner wait already.`)
      return track(owner, (ended) => takeTurn(owner, ended), call, true)
    },
    charge: (name, call) => {
      const owner = ownerOf(name)
      const begin = async (ended: Promise<void>): Promise<void> => {
        settle()
        chargeTurn(owner, ended)
      }
      return track(owner, begin, call, false)
    },
    awaitShare: (name) => awaitShareOf(ownerOf(name)),
    send: async (command) => {
      const { owner, waits } = current.getStore() ?? {}
      if (!owner) return command()
      if (performance.now() - settled.at > settleMs) settle()
      // Its cost is known after it: one command in each turn of the loop.
      if (waits && mustWait(owner)) await owner.paced(() => awaitShareOf(owner).then(() => turnOfLoop()))
      owner.steps++
      try {
        return await command()
      } finally {
        owner.steps++
      }
    },
  }
}
