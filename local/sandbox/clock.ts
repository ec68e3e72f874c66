// The sandbox's own time, which can be moved: tokens, containers and quotas end by it.

export interface SandboxClock {
  /** Milliseconds since 1970. */
  now(): number
  advance(ms: number): void
}

export function movableClock(real: () => number = Date.now): SandboxClock {
  let ahead = 0
  return {
    now: () => real() + ahead,
    advance: (ms) => {
      ahead += ms
    },
  }
}
