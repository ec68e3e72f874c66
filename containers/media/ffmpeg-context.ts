/** Where a render does its work, and how long it may take: what every step needs to run ffmpeg. */
import type { FfmpegRun } from '../../lib/ffmpeg/run.ts'

/** `directory` is the scratch directory; names of scratch files are relative to it. */
export type FfmpegContext = Required<Pick<FfmpegRun, 'directory' | 'signal' | 'timeoutMs'>> & Pick<FfmpegRun, 'stallMs'>

/**
 * Does all the tasks, at most `atOnce` at a time, in their order. The first failure is thrown when all that ran have ended. After
 * the signal none is begun, and its reason is thrown.
 */
export async function parallelLimit(
  tasks: (() => Promise<unknown>)[],
  atOnce: number,
  signal?: AbortSignal,
): Promise<void> {
  const waiting = [...tasks]
  const failures: unknown[] = []
  const work = async () => {
    for (let task = waiting.shift(); task && failures.length === 0 && !signal?.aborted; task = waiting.shift()) {
      await task().catch((failure) => failures.push(failure))
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, tasks.length) }, work))
  if (failures.length > 0) throw failures[0]
  signal?.throwIfAborted()
}

/** Promise.all for work that starts processes: the first failure is thrown when all of it has ended. */
export async function settleAll<const Promises extends readonly unknown[]>(promises: Promises) {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}
