// The adjustable clock of the sandbox: tokens, containers and quotas expire by it.

export interface SandboxClock {
  /** Milliseconds since 1970. */
  now(): number
  advance(ms: number): void
  /** Scales the processing time of a platform. Limits and token lifetimes are not scaled. */
  scaled(ms: number): number
}

/** With a time scale of 10, platforms process ten times faster. */
export function adjustableClock(real: () => number = Date.now, pace = 1): SandboxClock {
  let ahead = 0
  return {
    now: () => real() + ahead,
    advance: (ms) => {
      ahead += ms
    },
    scaled: (ms) => ms / pace,
  }
}
