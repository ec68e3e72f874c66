/** Renders the segments that the store does not hold, on as many threads as there are cores. */
import { on } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Size } from '../../lib/render/motion.ts'
import type { RenderPlan } from '../../lib/render/plan.ts'
import { captionFonts } from './captions.ts'
import { RenderFailure } from './failure.ts'
import { type Files, type Material, mediaKeysOf, prepareMaterials } from './materials.ts'
import type { Part } from './parts.ts'
import type { SegmentStore } from './segment-store.ts'
import type { SegmentTask, SegmentWorkerInput, SegmentWorkerReply, SegmentWorkerRequest } from './segment-worker.ts'
import { prepareSprites } from './sprites.ts'
import { inParallel, type Workplace } from './workplace.ts'

/** See RenderRequest in render.ts. */
interface Options {
  files: Files
  fetchFiles?: (keys: readonly string[]) => Promise<void>
  store?: SegmentStore
  threads?: number
  /** What else has to be made ready for the film, while pictures are. */
  alongside?: (() => Promise<void>)[]
  /** Told how many frames are there, in all parts together. */
  onFrames: (frames: number) => void
}

const fetchesAtOnce = 8

/** Brings the files of all parts into the scratch directory, and answers the parts that had to be rendered for it. */
export async function renderParts(
  parts: readonly Part[],
  plan: RenderPlan,
  place: Workplace,
  { files, fetchFiles, store, threads = availableParallelism(), alongside = [], onFrames }: Options,
): Promise<Part[]> {
  const missing = await fetchStored(parts, store, place)
  const ready = framesOf(parts) - framesOf(missing)
  onFrames(ready)

  const shown = { ...plan, segments: missing.map(({ planned }) => planned) }
  await fetchFiles?.(mediaKeysOf(shown.segments))
  const materials = prepareMaterials(shown, files, place)
  const sprites = prepareSprites(shown, files, place)
  await inParallel([...alongside, ...materials.tasks, ...sprites.tasks], threads)
  if (missing.length === 0) return missing

  const tasks = missing.map(
    ({ planned, segment, script, file }): SegmentTask => ({
      segment,
      material: materials.byLayer.get(planned.layer)!,
      fadeMaterial: planned.fade && materials.byLayer.get(planned.fade.from),
      spriteMaterials: planned.sprites.map((sprite) => sprites.bySprite.get(sprite)!),
      captions: script === undefined ? undefined : { script, fonts: captionFonts },
      output: file,
    }),
  )
  const input: SegmentWorkerInput = {
    film: { width: plan.width, height: plan.height, fps: plan.fps },
    sourceMax: largest([...materials.byLayer.values()]),
    place: { directory: place.directory, timeoutMs: place.timeoutMs, ...(place.stallMs && { stallMs: place.stallMs }) },
  }
  await renderTasks(tasks, input, {
    threads,
    signal: place.signal,
    onFrames: (frames) => onFrames(ready + frames),
    onDone: async ({ output }) => store?.keep(output, join(place.directory, output)),
  })
  return missing
}

/** Answers the parts that the store does not have, each once. */
async function fetchStored(
  parts: readonly Part[],
  store: SegmentStore | undefined,
  { directory, signal }: Workplace,
): Promise<Part[]> {
  const distinct = [...new Map(parts.map((part) => [part.file, part])).values()]
  if (!store) return distinct
  const stored = new Set<string>()
  const fetches = distinct.map(({ file }) => async () => {
    signal.throwIfAborted()
    if (await store.fetch(file, join(directory, file))) stored.add(file)
  })
  await inParallel(fetches, fetchesAtOnce)
  return distinct.filter(({ file }) => !stored.has(file))
}

interface Pool {
  threads: number
  signal: AbortSignal
  onFrames: (frames: number) => void
  /** What is to be done with each finished segment while others are rendered. */
  onDone: (task: SegmentTask) => Promise<void>
}

async function renderTasks(tasks: readonly SegmentTask[], input: SegmentWorkerInput, pool: Pool): Promise<void> {
  const { threads, signal, onFrames, onDone } = pool
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  const finished = new Map<SegmentTask, number>()
  const report = (task: SegmentTask, frames: number) => {
    finished.set(task, frames)
    onFrames(finished.values().reduce((sum, count) => sum + count, 0))
  }
  // The longest first, so that the threads finish together.
  const waiting = tasks.toSorted((a, b) => length(b) - length(a))
  const work = async () => {
    const worker = new Worker(new URL('segment-worker.ts', import.meta.url), { workerData: input })
    const keeping: Promise<void>[] = []
    try {
      for (let task = waiting.shift(); task && !either.aborted; task = waiting.shift()) {
        const current = task
        await renderOn(worker, current, either, (frames) => report(current, frames))
        const kept = onDone(current)
        // It is awaited below: until then its failure must not count as unhandled.
        kept.catch(() => stop.abort())
        keeping.push(kept)
      }
    } catch (failure) {
      stop.abort()
      throw failure
    } finally {
      await worker.terminate()
      await Promise.allSettled(keeping)
    }
    await Promise.all(keeping)
  }
  await inParallel(Array(Math.min(threads, tasks.length)).fill(work), threads)
  if (signal.aborted) throw new RenderFailure('cancelled', 'The render was cancelled')
}

async function renderOn(worker: Worker, task: SegmentTask, signal: AbortSignal, onFrames: (frames: number) => void) {
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

const length = ({ segment }: Pick<Part, 'segment'>) => segment.toFrame - segment.fromFrame

/** How many frames these parts have together. */
export const framesOf = (parts: readonly Pick<Part, 'segment'>[]) => parts.reduce((sum, part) => sum + length(part), 0)

function largest(materials: readonly Material[]): Size {
  return {
    width: Math.max(...materials.map(({ size }) => size.width)),
    height: Math.max(...materials.map(({ size }) => size.height)),
  }
}
