/** Writes progress as fast as the table takes it and no faster: only the newest figure waits. */
import { Superseded } from '../../lib/domain/core/failures.ts'
import { log } from '../../lib/log.ts'

export interface ProgressWriter {
  /** Tells a figure; returns at once. */
  report: (percent: number) => void
  /** Resolves when everything told is written. */
  flush: () => Promise<void>
}

/** A lost run goes to `onLost` once and nothing is written after it; any other failed write is only news that got lost. */
export function progressWriter(
  write: (percent: number) => Promise<void>,
  onLost: (reason: Superseded) => void,
): ProgressWriter {
  let waiting: number | undefined
  let writing: Promise<void> | undefined
  let lost = false
  const drain = async () => {
    while (waiting !== undefined && !lost) {
      const percent = waiting
      waiting = undefined
      await write(percent).catch((reason) => {
        lost = reason instanceof Superseded
        if (lost) onLost(reason)
        else log.warn('progress.lost', { error: reason })
      })
    }
    writing = undefined
  }
  return {
    report: (percent) => {
      waiting = percent
      writing ??= drain()
    },
    flush: async () => {
      await writing
    },
  }
}
