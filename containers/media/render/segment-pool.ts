/** Fetches stored segments and renders the missing ones on a pool of worker threads. */
import { on } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { parallelLimit } from '../../../lib/async.ts'
import type { SpriteMaterial } from '../../../lib/motion/sprite-mipmap.ts'
import { type Size, sourceSize } from '../../../lib/render/framing.ts'
import type { RenderPlan } from '../../../lib/render/segments/render-plan.ts'
import type { FfmpegContext } from '../ffmpeg-context.ts'
import type { SegmentJob } from './frames.ts'
import { type LocalFiles, materialsFor, mediaKeysOf } from './materials.ts'
import { RenderFailure } from './render-failure.ts'
import type { RenderRequest } from './render-request.ts'
import type { SegmentFile } from './segment-files.ts'
import type { SegmentStore } from './segment-store.ts'
import type { SegmentWorkerInput, SegmentWorkerReply, SegmentWorkerRequest } from './segment-worker.ts'
import { spriteMaterialsFor } from './sprites.ts'

/** See `RenderRequest`. */
interface SegmentPoolOptions {
  files: LocalFiles
  fetchFiles?: RenderRequest['fetchFiles']
  store?: SegmentStore
  threads?: number
  /** Work that is done beside the segments, such as the soundtrack. */
  alongside?: SideTask[]
  /** Called with the number of finished frames over all segments. */
  onFrames: (frames: number) => void
}

/** Work that needs no rendering thread. Must observe the signal. */
type SideTask = (signal: AbortSignal) => Promise<void>

const fetchConcurrency = 8
const workerFile = new URL('segment-worker.ts', import.meta.url)

/** Puts the files of all segments into the scratch directory, and returns the segments that were rendered for it. */
export async function renderSegments(
  segmentFiles: readonly SegmentFile[],
  plan: RenderPlan,
  context: FfmpegContext,
  { files, fetchFiles, store, threads = availableParallelism(), alongside = [], onFrames }: SegmentPoolOptions,
): Promise<SegmentFile[]> {
  const missing = await fetchStored(segmentFiles, store, context)
  const ready = frameCount(segmentFiles) - frameCount(missing)
  onFrames(ready)

  await fetchFiles?.(mediaKeysOf(missing.map(({ planned }) => planned)), context.signal)
  const materialOf = materialsFor(plan, files, context)
  const spriteOf = spriteMaterialsFor(files, context)
  const jobs = missing.map(({ planned, segment, file }): Job => {
    const { layer, fade, sprites } = planned
    const prepare = async (signal: AbortSignal): Promise<SegmentJob> => {
      const material = await materialOf(layer)
      const fadeMaterial = fade && (await materialOf(fade.from))
      const spriteMaterials: SpriteMaterial[] = []
      // In sequence, because rasterising cannot be aborted.
      for (const sprite of sprites) {
        signal.throwIfAborted()
        spriteMaterials.push(await spriteOf(sprite))
      }
      return { segment, material, fadeMaterial, spriteMaterials, output: file }
    }
    return { frames: lengthOf({ segment }), prepare }
  })
  const layers = missing.flatMap(({ planned: { layer, fade } }) => (fade ? [layer, fade.from] : [layer]))
  const input: SegmentWorkerInput = {
    format: { width: plan.width, height: plan.height, fps: plan.fps },
    sourceMax: largest(layers.map(({ motion }) => sourceSize(motion, plan))),
    context: {
      directory: context.directory,
      timeoutMs: context.timeoutMs,
      ...(context.stallMs && { stallMs: context.stallMs }),
    },
  }
  await renderJobs(jobs, input, {
    threads,
    signal: context.signal,
    alongside,
    onFrames: (frames) => onFrames(ready + frames),
    onDone: async ({ output }) => store?.put(output, join(context.directory, output), context.signal),
  })
  return missing
}

/** Downloads stored segments and returns the missing ones, each once. */
async function fetchStored(
  segmentFiles: readonly SegmentFile[],
  store: SegmentStore | undefined,
  { directory, signal }: FfmpegContext,
): Promise<SegmentFile[]> {
  const distinct = [...new Map(segmentFiles.map((part) => [part.file, part])).values()]
  if (!store) return distinct
  const stored = new Set<string>()
  const fetches = distinct.map(({ file }) => async () => {
    if (await store.fetch(file, join(directory, file), signal)) stored.add(file)
  })
  await parallelLimit(fetches, fetchConcurrency, signal)
  return distinct.filter(({ file }) => !stored.has(file))
}

/** A segment to render. `prepare` may be called repeatedly: its materials are memoised. */
interface Job {
  frames: number
  prepare: (signal: AbortSignal) => Promise<SegmentJob>
}

interface Pool {
  threads: number
  signal: AbortSignal
  alongside: readonly SideTask[]
  onFrames: (frames: number) => void
  /** Called with each finished segment while others are rendered. */
  onDone: (task: SegmentJob) => Promise<void>
}

const longestFirst = (a: Job, b: Job) => b.frames - a.frames

/** The first failure aborts all other work. */
const abortingOnFailure = (stop: AbortController, task: () => Promise<unknown>) => () =>
  task().catch((failure) => {
    stop.abort(failure)
    throw failure
  })

/** Preparing and rendering overlap: a thread starts with the first segment that is prepared. */
async function renderJobs(jobs: readonly Job[], input: SegmentWorkerInput, pool: Pool): Promise<void> {
  const { threads, signal, alongside, onFrames, onDone } = pool
  const stop = new AbortController()
  const anyAbort = AbortSignal.any([signal, stop.signal])
  const finished = new Map<Job, number>()
  const report = (job: Job, frames: number) => {
    finished.set(job, frames)
    onFrames(finished.values().reduce((sum, count) => sum + count, 0))
  }
  const storing: Promise<void>[] = []
  const render = async (job: Job, worker: Worker) => {
    const task = await job.prepare(anyAbort)
    anyAbort.throwIfAborted()
    await renderOn(worker, task, anyAbort, (frames) => report(job, frames))
    const stored = onDone(task)
    // Awaited below; until then a rejection must not count as unhandled.
    stored.catch((failure) => stop.abort(failure))
    storing.push(stored)
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
  try {
    await parallelLimit([rendering, preparing], Infinity, signal).finally(() => Promise.allSettled(storing))
    await Promise.all(storing)
  } catch (failure) {
    // The first failure, not an abort that followed from it.
    throw stop.signal.aborted ? stop.signal.reason : failure
  }
}

async function renderOn(worker: Worker, task: SegmentJob, signal: AbortSignal, onFrames: (frames: number) => void) {
  const post = (request: SegmentWorkerRequest) => worker.postMessage(request)
  const cancel = () => post('cancel')
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const replies = on(worker, 'message', { close: ['exit'] })
    post({ task })
    // A crash of the thread emits 'error', which the iteration throws.
    for await (const [reply] of replies as AsyncIterable<[SegmentWorkerReply]>) {
      if (reply === 'done') return onFrames(lengthOf(task))
      if ('code' in reply) throw new RenderFailure(reply.code, reply.message)
      onFrames(reply.frames)
    }
    throw new RenderFailure('failed', 'A rendering thread ended before its work was done')
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

const lengthOf = ({ segment }: Pick<SegmentFile, 'segment'>) => segment.toFrame - segment.fromFrame

/** Total number of frames. */
export const frameCount = (segmentFiles: readonly Pick<SegmentFile, 'segment'>[]) =>
  segmentFiles.reduce((sum, part) => sum + lengthOf(part), 0)

function largest(sizes: readonly Size[]): Size {
  return { width: Math.max(...sizes.map(({ width }) => width)), height: Math.max(...sizes.map(({ height }) => height)) }
}
