/**
 * Stores the progress of a job: the first value and the last one at once, others at most every two seconds or ten
 * percent, whichever comes first. Only the newest value waits to be written.
 */
import { Superseded } from '../../lib/domain/core/failures.ts'
import { log } from '../../lib/log.ts'

const intervalMs = 2_000
const stepPercent = 10

interface Progress {
  percent: number
  statusText: string | undefined
}

interface ProgressWriter {
  /** Queues a value and returns immediately. */
  report: (percent: number, statusText?: string) => void
  /** Writes the last queued value. Resolves when that is done. */
  flush: () => Promise<void>
  /** Drops a value that waits. */
  stop: () => void
}

type WriteProgress = (percent: number, statusText?: string) => Promise<void>

/** A lost run is passed to `onLost` once and ends all writing. Any other failed write is logged and ignored. */
export function progressWriter(write: WriteProgress, onLost: (reason: Superseded) => void): ProgressWriter {
  let queued: Progress | undefined
  let writing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let last: { percent: number; at: number } | undefined
  let lost = false
  const store = async ({ percent, statusText }: Progress) => {
    last = { percent, at: performance.now() }
    await write(percent, statusText).catch((reason) => {
      lost = reason instanceof Superseded
      if (lost) onLost(reason)
      else log.warn('progress.lost', { error: reason })
    })
    writing = undefined
    writeWhenDue()
  }
  const writeNow = () => {
    clearTimeout(timer)
    timer = undefined
    if (writing || lost || !queued) return
    const progress = queued
    queued = undefined
    writing = store(progress)
  }
  const writeWhenDue = () => {
    if (writing || lost || !queued) return
    const waitMs = last && queued.percent < last.percent + stepPercent ? last.at + intervalMs - performance.now() : 0
    if (waitMs <= 0) writeNow()
    else timer ??= setTimeout(writeNow, waitMs)
  }
  return {
    report: (percent, statusText) => {
      // The record starts with it.
      if (percent === 0) return
      queued = { percent, statusText }
      writeWhenDue()
    },
    flush: async () => {
      while (writing || (queued && !lost)) {
        writeNow()
        await writing
      }
    },
    stop: () => {
      queued = undefined
      clearTimeout(timer)
    },
  }
}

interface ProgressOptions {
  signal: AbortSignal
  /** Stores a value. Throws `Superseded` when the run is lost. */
  write: WriteProgress
  /** Maps a failure of the work to the error that ends the task. */
  toTaskError?: (failure: unknown) => unknown
}

interface ProgressContext {
  report: (percent: number, statusText?: string) => void
  /** Also aborts when the run is lost. */
  signal: AbortSignal
}

/**
 * Does work that reports progress. When the run is lost, the work is aborted and `Superseded` is thrown, at the latest
 * when the work has ended.
 */
export async function withProgress<Result>(
  { signal, write, toTaskError = (failure) => failure }: ProgressOptions,
  work: (context: ProgressContext) => Promise<Result>,
): Promise<Result> {
  const lost = new AbortController()
  const progress = progressWriter(write, (reason) => lost.abort(reason))
  const context = { report: progress.report, signal: AbortSignal.any([signal, lost.signal]) }
  const result = await work(context).catch((failure) => {
    progress.stop()
    throw lost.signal.aborted ? lost.signal.reason : toTaskError(failure)
  })
  await progress.flush()
  lost.signal.throwIfAborted()
  return result
}
