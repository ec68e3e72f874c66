/** Renders all segments on as many threads as there are cores. */
import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import { RenderFailure } from './failure.ts'
import type { SegmentJob } from './frames.ts'
import type { SegmentWorkerInput, SegmentWorkerReply, SegmentWorkerRequest } from './segment-worker.ts'
import { inParallel } from './workplace.ts'

/** `onFrames` is told the number of frames that are finished in all segments together. */
export async function renderSegments(
  jobs: readonly SegmentJob[],
  input: SegmentWorkerInput,
  { threads, signal, onFrames }: { threads: number; signal: AbortSignal; onFrames: (frames: number) => void },
): Promise<void> {
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  const finished = new Map<SegmentJob, number>()
  const report = (job: SegmentJob, frames: number) => {
    finished.set(job, frames)
    onFrames(finished.values().reduce((sum, count) => sum + count, 0))
  }
  // The longest first, so that the threads finish together.
  const waiting = jobs.toSorted((a, b) => length(b) - length(a))
  const work = async () => {
    const worker = new Worker(new URL('segment-worker.ts', import.meta.url), { workerData: input })
    try {
      for (let job = waiting.shift(); job && !either.aborted; job = waiting.shift()) {
        const current = job
        await renderOn(worker, job, either, (frames) => report(current, frames))
      }
    } catch (failure) {
      stop.abort()
      throw failure
    } finally {
      await worker.terminate()
    }
  }
  await inParallel(Array(Math.min(threads, jobs.length)).fill(work), threads)
  if (signal.aborted) throw new RenderFailure('cancelled', 'The render was cancelled')
}

async function renderOn(worker: Worker, job: SegmentJob, signal: AbortSignal, onFrames: (frames: number) => void) {
  const post = (request: SegmentWorkerRequest) => worker.postMessage(request)
  const cancel = () => post('cancel')
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const replies = on(worker, 'message', { close: ['exit'] })
    post({ job })
    // A crash of the thread is an 'error' event, which ends the iteration by throwing it.
    for await (const [reply] of replies as AsyncIterable<[SegmentWorkerReply]>) {
      if (reply === 'done') return onFrames(length(job))
      if ('code' in reply) throw new RenderFailure(reply.code, reply.message)
      onFrames(reply.frames)
    }
    throw new RenderFailure('failed', 'A rendering thread ended before its work was done')
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

function length({ segment }: SegmentJob): number {
  return segment.toFrame - segment.fromFrame
}
