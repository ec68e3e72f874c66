/**
 * A pool of worker threads (`segment-worker.ts`) that render segments for `render-segments.ts`. Preparing, rendering and
 * storing overlap; the first failure aborts all of them.
 */
import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import { parallelLimit } from '../../../lib/async.ts'
import { RenderFailure } from '../render-failure.ts'
import type { PreparedSegment } from './frames.ts'
import { frameCount } from './segment-files.ts'
import type { SegmentWorkerInput, SegmentWorkerReply, SegmentWorkerRequest } from './segment-worker.ts'

/** Work that needs no rendering thread. Must observe the signal. */
export type SideTask = (signal: AbortSignal) => Promise<void>

const workerFile = new URL('segment-worker.ts', import.meta.url)

/** A segment that waits in the pool. `prepare` may be called repeatedly: its materials are memoised. */
export interface SegmentJob {
  frames: number
  prepare: (signal: AbortSignal) => Promise<PreparedSegment>
}

interface Pool {
  threads: number
  signal: AbortSignal
  alongside: readonly SideTask[]
  onFrames: (frames: number) => void
  /** Called with each finished segment while others are rendered. */
  onDone: (segment: PreparedSegment) => Promise<void>
  /** Called when no segment is left to render, also after a failure; maybe repeatedly. */
  onAllRendered: () => void
}

const longestFirst = (a: SegmentJob, b: SegmentJob) => b.frames - a.frames

/** The first failure aborts all other work. */
const abortingOnFailure = (stop: AbortController, task: () => Promise<unknown>) => () =>
  task().catch((failure) => {
    stop.abort(failure)
    throw failure
  })

/** Preparing and rendering overlap: a thread starts with the first segment that is prepared. */
export async function runSegmentPool(
  jobs: readonly SegmentJob[],
  input: SegmentWorkerInput,
  pool: Pool,
): Promise<void> {
  const { threads, signal, alongside, onFrames, onDone, onAllRendered } = pool
  const stop = new AbortController()
  const anyAbort = AbortSignal.any([signal, stop.signal])
  const finished = new Map<SegmentJob, number>()
  const report = (job: SegmentJob, frames: number) => {
    finished.set(job, frames)
    onFrames(finished.values().reduce((sum, count) => sum + count, 0))
  }
  const storing: Promise<void>[] = []
  const render = async (job: SegmentJob, worker: Worker) => {
    const prepared = await job.prepare(anyAbort)
    anyAbort.throwIfAborted()
    await renderOn(worker, prepared, anyAbort, (frames) => report(job, frames))
    const stored = onDone(prepared)
    // Awaited below; until then a rejection must not count as unhandled.
    stored.catch((failure) => stop.abort(failure))
    storing.push(stored)
    if (storing.length === jobs.length) onAllRendered()
  }
  // Longest first and side tasks last, so that all threads finish at about the same time.
  const waiting = jobs.toSorted(longestFirst)
  const sideTasks = [...alongside]
  const work = async () => {
    let worker: Worker | undefined
    try {
      for (let next = waiting.shift(); next && !anyAbort.aborted; next = waiting.shift()) {
        worker ??= new Worker(workerFile, { workerData: input })
        await render(next, worker)
      }
      for (let sideTask = sideTasks.shift(); sideTask && !anyAbort.aborted; sideTask = sideTasks.shift())
        await sideTask(anyAbort)
    } finally {
      await worker?.terminate()
    }
  }
  const prepare = jobs.toSorted(longestFirst).map((job) => abortingOnFailure(stop, () => job.prepare(anyAbort)))
  const rendering = () => parallelLimit(Array(threads).fill(abortingOnFailure(stop, work)), threads, anyAbort)
  const preparing = () => parallelLimit(prepare, threads, anyAbort)
  if (jobs.length === 0) onAllRendered()
  try {
    await parallelLimit([rendering, preparing], Infinity, signal).finally(() => {
      onAllRendered()
      return Promise.allSettled(storing)
    })
    await Promise.all(storing)
  } catch (failure) {
    // The first failure, not an abort that followed from it.
    throw stop.signal.aborted ? stop.signal.reason : failure
  }
}

async function renderOn(
  worker: Worker,
  prepared: PreparedSegment,
  signal: AbortSignal,
  onFrames: (frames: number) => void,
) {
  const post = (request: SegmentWorkerRequest) => worker.postMessage(request)
  const cancel = () => post('cancel')
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const replies = on(worker, 'message', { close: ['exit'] })
    post({ prepared })
    // A crash of the thread emits 'error', which the iteration throws.
    for await (const [reply] of replies as AsyncIterable<[SegmentWorkerReply]>) {
      if (reply === 'done') return onFrames(frameCount([prepared]))
      if ('code' in reply) throw new RenderFailure(reply.code, reply.message)
      onFrames(reply.frames)
    }
    throw new RenderFailure('failed', 'A rendering thread ended before its work was done')
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
