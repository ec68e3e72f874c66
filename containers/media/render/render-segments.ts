/**
 * Puts the segments of a plan into the scratch directory: from the segment store, or rendered by `segment-pool.ts`.
 * Called by `render-composition.ts`.
 */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parallelLimit } from '../../../lib/async.ts'
import { layerSourceSize, type Size } from '../../../lib/render/framing.ts'
import { mediaKeysOf, type RenderPlan } from '../../../lib/render/segments/render-plan.ts'
import type { FfmpegContext } from '../ffmpeg-context.ts'
import type { PreparedSegment } from './frames.ts'
import { type LocalFiles, materialsFor } from './materials.ts'
import type { RenderRequest } from './render-request.ts'
import { frameCount, type SegmentFile } from './segment-files.ts'
import { runSegmentPool, type SegmentJob, type SideTask } from './segment-pool.ts'
import type { SegmentStore } from './segment-store.ts'
import type { SegmentWorkerInput } from './segment-worker.ts'
import { type SpriteMaterial, spriteMaterialsFor } from './sprites.ts'

/** See `RenderRequest`. */
interface RenderSegmentsOptions {
  files: LocalFiles
  fetchFiles?: RenderRequest['fetchFiles']
  store?: SegmentStore
  threads?: number
  /** Work that is done beside the segments, such as the soundtrack. */
  alongside?: SideTask[]
  /** Called with the number of finished frames over all segments. */
  onFrames: (frames: number) => void
}

const fetchConcurrency = 8

/** Puts the files of all segments into the scratch directory, and returns the segments that were rendered for it. */
export async function renderSegments(
  segmentFiles: readonly SegmentFile[],
  plan: RenderPlan,
  context: FfmpegContext,
  { files, fetchFiles, store, threads = availableParallelism(), alongside = [], onFrames }: RenderSegmentsOptions,
): Promise<SegmentFile[]> {
  const missing = await fetchStored(segmentFiles, store, context)
  const ready = frameCount(segmentFiles) - frameCount(missing)
  onFrames(ready)

  await fetchFiles?.(mediaKeysOf(missing.map(({ planned }) => planned)), context.signal)
  const materialOf = materialsFor(plan, files, context)
  const spriteOf = spriteMaterialsFor(files, context)
  const jobs = missing.map(({ planned, segment, file }): SegmentJob => {
    const { layer, fade, sprites } = planned
    const prepare = async (signal: AbortSignal): Promise<PreparedSegment> => {
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
    return { frames: frameCount([{ segment }]), prepare }
  })
  const layers = missing.flatMap(({ planned: { layer, fade } }) => (fade ? [layer, fade.from] : [layer]))
  const input: SegmentWorkerInput = {
    format: { width: plan.width, height: plan.height, fps: plan.fps },
    sourceMax: largest(layers.map((layer) => layerSourceSize(layer, plan))),
    context: {
      directory: context.directory,
      timeoutMs: context.timeoutMs,
      ...(context.stallMs && { stallMs: context.stallMs }),
    },
  }
  await runSegmentPool(jobs, input, {
    threads,
    signal: context.signal,
    alongside,
    onFrames: (frames) => onFrames(ready + frames),
    onDone: async ({ output }) => store?.put(output, join(context.directory, output), context.signal),
    onAllRendered: () => store?.flush?.(),
  })
  return missing
}

/** Downloads stored segments and returns the missing ones, each once. */
async function fetchStored(
  segmentFiles: readonly SegmentFile[],
  store: SegmentStore | undefined,
  { directory, signal }: FfmpegContext,
): Promise<SegmentFile[]> {
  const distinct = [...new Map(segmentFiles.map((segment) => [segment.file, segment])).values()]
  if (!store) return distinct
  const stored = new Set<string>()
  const fetches = distinct.map(({ file }) => async () => {
    if (await store.fetch(file, join(directory, file), signal)) stored.add(file)
  })
  await parallelLimit(fetches, fetchConcurrency, signal)
  return distinct.filter(({ file }) => !stored.has(file))
}

function largest(sizes: readonly Size[]): Size {
  return { width: Math.max(...sizes.map(({ width }) => width)), height: Math.max(...sizes.map(({ height }) => height)) }
}
