// A semaphore that is fair between owners: the owner with the fewest running calls comes next, however many calls an owner sends.

interface Owner {
  running: number
  /** The number of its last turn; 0 without one. */
  lastTurn: number
  /** Start the waiting calls, in their order. */
  calls: (() => void)[]
}

/** Runs the call when it is the owner's turn. */
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
