/** Stores the progress of a job no faster than the table accepts it: only the newest value waits to be written. */
import { Superseded } from '../../lib/domain/core/failures.ts'
import { log } from '../../lib/log.ts'

interface ProgressWriter {
  /** Queues a value and returns immediately. */
  report: (percent: number) => void
  /** Resolves when the last queued value is written. */
  flush: () => Promise<void>
}

/** A lost run is passed to `onLost` once and ends all writing. Any other failed write is logged and ignored. */
export function progressWriter(
  write: (percent: number) => Promise<void>,
  onLost: (reason: Superseded) => void,
): ProgressWriter {
  let queued: number | undefined
  let writing: Promise<void> | undefined
  let lost = false
  const drain = async () => {
    while (queued !== undefined && !lost) {
      const percent = queued
      queued = undefined
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
      queued = percent
      writing ??= drain()
    },
    flush: async () => {
      await writing
    },
  }
}

interface ProgressOptions {
  signal: AbortSignal
  /** Stores a value. Throws `Superseded` when the run is lost. */
  write: (percent: number) => Promise<void>
  /** Maps a failure of the work to the error that ends the task. */
  toTaskError?: (failure: unknown) => unknown
}

interface ProgressContext {
  report: (percent: number) => void
  /** Also aborts when the run is lost. */
  signal: AbortSignal
}

/** Does work that reports progress. When the run is lost, the work is aborted and `Superseded` is thrown. */
export async function withProgress<Result>(
  { signal, write, toTaskError = (failure) => failure }: ProgressOptions,
  work: (context: ProgressContext) => Promise<Result>,
): Promise<Result> {
  const lost = new AbortController()
  const progress = progressWriter(write, (reason) => lost.abort(reason))
  const context = { report: progress.report, signal: AbortSignal.any([signal, lost.signal]) }
  const result = await work(context).catch((failure) => {
    throw lost.signal.aborted ? lost.signal.reason : toTaskError(failure)
  })
  await progress.flush()
  return result
}
