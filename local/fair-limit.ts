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

/**
 * At most `max` calls of each owner run at once; its further calls wait in their order. Owners do not wait for each other. A call that
 * takes longer than `turnMs` only waits for other work: its turn passes to the next one.
 */
export function limitPerOwner(max: number, turnMs: number): FairLimit {
  const owners = new Map<string, { open: number; limited: ReturnType<typeof limit> }>()
  return async (owner, run) => {
    const state = owners.get(owner) ?? { open: 0, limited: limit(max) }
    owners.set(owner, state)
    state.open++
    const { promise: turn, resolve: begin } = Promise.withResolvers<void>()
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    state.limited(async () => {
      begin()
      const timer = setTimeout(end, turnMs)
      await ended
      clearTimeout(timer)
    })
    try {
      await turn
      return await run()
    } finally {
      end()
      state.open--
      if (state.open === 0) owners.delete(owner)
    }
  }
}
