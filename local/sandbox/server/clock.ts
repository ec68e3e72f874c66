// The sandbox's own time, which can be moved: tokens, containers and quotas end by it.

export interface SandboxClock {
  /** Milliseconds since 1970. */
  now(): number
  advance(ms: number): void
  /** How long platforms take here for what takes them so long elsewhere. Limits and ends of tokens are as they are. */
  scaled(ms: number): number
}

/** With a pace of 10 what platforms work on is ready ten times as soon. */
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
