/** Writes progress as fast as the table takes it and no faster: only the newest figure waits. */

export interface ProgressWriter {
  /** Tells a figure; returns at once. */
  tell: (percent: number) => void
  /** Resolves when everything told is written. */
  settled: () => Promise<void>
}

/** A failed write goes to `onFailure` once, and nothing is written after it: a lost run must not go on. */
export function progressWriter(
  write: (percent: number) => Promise<void>,
  onFailure: (reason: unknown) => void,
): ProgressWriter {
  let waiting: number | undefined
  let writing: Promise<void> | undefined
  let failed = false
  const drain = async () => {
    while (waiting !== undefined && !failed) {
      const percent = waiting
      waiting = undefined
      await write(percent).catch((reason) => {
        failed = true
        onFailure(reason)
      })
    }
    writing = undefined
  }
  return {
    tell: (percent) => {
      waiting = percent
      writing ??= drain()
    },
    settled: async () => {
      await writing
    },
  }
}
