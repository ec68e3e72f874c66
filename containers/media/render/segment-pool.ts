/** Renders the segments that the store does not hold, on as many threads as there are cores. */
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

/** See RenderRequest in render.ts. */
interface SegmentPoolOptions {
  files: LocalFiles
  fetchFiles?: RenderRequest['fetchFiles']
  store?: SegmentStore
  threads?: number
  /** What else has to be made for the film. */
  alongside?: SideTask[]
  /** Told how many frames are there, in all parts together. */
  onFrames: (frames: number) => void
}

/** Work that needs no rendering thread, and ends where it is told to stop. */
type SideTask = (stopped: AbortSignal) => Promise<void>

const fetchesAtOnce = 8
const workerFile = new URL('segment-worker.ts', import.meta.url)

/** Brings the files of all parts into the scratch directory, and answers the parts that had to be rendered for it. */
export async function renderSegments(
  parts: readonly SegmentFile[],
  plan: RenderPlan,
  place: FfmpegContext,
  { files, fetchFiles, store, threads = availableParallelism(), alongside = [], onFrames }: SegmentPoolOptions,
): Promise<SegmentFile[]> {
  const missing = await fetchStored(parts, store, place)
  const ready = frameCount(parts) - frameCount(missing)
  onFrames(ready)

  await fetchFiles?.(mediaKeysOf(missing.map(({ planned }) => planned)), place.signal)
  const materialOf = materialsFor(plan, files, place)
  const spriteOf = spriteMaterialsFor(files, place)
  const jobs = missing.map(({ planned, segment, file }): Job => {
    const { layer, fade, sprites } = planned
    const prepare = async (stopped: AbortSignal): Promise<SegmentJob> => {
      const material = await materialOf(layer)
      const fadeMaterial = fade && (await materialOf(fade.from))
      const spriteMaterials: SpriteMaterial[] = []
      // One after the other: a drawing that was begun cannot be stopped.
      for (const sprite of sprites) {
        stopped.throwIfAborted()
        spriteMaterials.push(await spriteOf(sprite))
      }
      return { segment, material, fadeMaterial, spriteMaterials, output: file }
    }
    return { frames: length({ segment }), prepare }
  })
  const layers = missing.flatMap(({ planned: { layer, fade } }) => (fade ? [layer, fade.from] : [layer]))
  const input: SegmentWorkerInput = {
    film: { width: plan.width, height: plan.height, fps: plan.fps },
    sourceMax: largest(layers.map(({ motion }) => sourceSize(motion, plan))),
    place: { directory: place.directory, timeoutMs: place.timeoutMs, ...(place.stallMs && { stallMs: place.stallMs }) },
  }
  await renderJobs(jobs, input, {
    threads,
    signal: place.signal,
    alongside,
    onFrames: (frames) => onFrames(ready + frames),
    onDone: async ({ output }) => store?.put(output, join(place.directory, output), place.signal),
  })
  return missing
}

/** Answers the parts that the store does not have, each once. */
async function fetchStored(
  parts: readonly SegmentFile[],
  store: SegmentStore | undefined,
  { directory, signal }: FfmpegContext,
): Promise<SegmentFile[]> {
  const distinct = [...new Map(parts.map((part) => [part.file, part])).values()]
  if (!store) return distinct
  const stored = new Set<string>()
  const fetches = distinct.map(({ file }) => async () => {
    if (await store.fetch(file, join(directory, file), signal)) stored.add(file)
  })
  await parallelLimit(fetches, fetchesAtOnce, signal)
  return distinct.filter(({ file }) => !stored.has(file))
}

/** A segment to be rendered. What it shows is made ready when it is first asked for, and may be asked for again. */
interface Job {
  frames: number
  prepare: (stopped: AbortSignal) => Promise<SegmentJob>
}

interface Pool {
  threads: number
  signal: AbortSignal
  alongside: readonly SideTask[]
  onFrames: (frames: number) => void
  /** What is to be done with each finished segment while others are rendered. */
  onDone: (task: SegmentJob) => Promise<void>
}

const longestFirst = (a: Job, b: Job) => b.frames - a.frames

/** Whatever fails first ends everything else. */
const abortingOnFailure = (stop: AbortController, task: () => Promise<unknown>) => () =>
  task().catch((failure) => {
    stop.abort(failure)
    throw failure
  })

/** Threads render what is ready while the rest is made ready: neither waits for all of the other. */
async function renderJobs(jobs: readonly Job[], input: SegmentWorkerInput, pool: Pool): Promise<void> {
  const { threads, signal, alongside, onFrames, onDone } = pool
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  const finished = new Map<Job, number>()
  const report = (job: Job, frames: number) => {
    finished.set(job, frames)
    onFrames(finished.values().reduce((sum, count) => sum + count, 0))
  }
  const keeping: Promise<void>[] = []
  const render = async (job: Job, worker: Worker) => {
    const task = await job.prepare(either)
    either.throwIfAborted()
    await renderOn(worker, task, either, (frames) => report(job, frames))
    const kept = onDone(task)
    // It is awaited below: until then its failure must not count as unhandled.
    kept.catch((failure) => stop.abort(failure))
    keeping.push(kept)
  }
  // The longest first, and the rest of the work at last, so that all finish together.
  const waiting = jobs.toSorted(longestFirst)
  const sides = [...alongside]
  const work = async () => {
    let worker: Worker | undefined
    try {
      for (let next = waiting.shift(); next && !either.aborted; next = waiting.shift()) {
        worker ??= new Worker(workerFile, { workerData: input })
        await render(next, worker)
      }
      for (let side = sides.shift(); side && !either.aborted; side = sides.shift()) await side(either)
    } finally {
      await worker?.terminate()
    }
  }
  const prepare = jobs.toSorted(longestFirst).map((job) => abortingOnFailure(stop, () => job.prepare(either)))
  const rendering = () => parallelLimit(Array(threads).fill(abortingOnFailure(stop, work)), threads, either)
  const preparing = () => parallelLimit(prepare, threads, either)
  try {
    await parallelLimit([rendering, preparing], Infinity, signal).finally(() => Promise.allSettled(keeping))
    await Promise.all(keeping)
  } catch (failure) {
    // What failed first, and not what was stopped because of it.
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
    // A crash of the thread is an 'error' event, which ends the iteration by throwing it.
    for await (const [reply] of replies as AsyncIterable<[SegmentWorkerReply]>) {
      if (reply === 'done') return onFrames(length(task))
      if ('code' in reply) throw new RenderFailure(reply.code, reply.message)
      onFrames(reply.frames)
    }
    throw new RenderFailure('failed', 'A rendering thread ended before its work was done')
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

const length = ({ segment }: Pick<SegmentFile, 'segment'>) => segment.toFrame - segment.fromFrame

/** How many frames these parts have together. */
export const frameCount = (parts: readonly Pick<SegmentFile, 'segment'>[]) =>
  parts.reduce((sum, part) => sum + length(part), 0)

function largest(sizes: readonly Size[]): Size {
  return { width: Math.max(...sizes.map(({ width }) => width)), height: Math.max(...sizes.map(({ height }) => height)) }
}
