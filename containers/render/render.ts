/**
 * Renders a composition to an mp4 and a thumbnail. The same composition and files give the same bytes on the same ffmpeg.
 * Scratch files stay in the caller's directory; no process outlives the promise.
 */
import { stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { runFfmpeg } from '../../lib/ffmpeg/run.ts'
import { drawThumbnail } from '../../lib/render/arguments.ts'
import type { Composition } from '../../lib/render/composition.ts'
import type { Size } from '../../lib/render/motion.ts'
import { type Layer, planRender, type RenderPlan } from '../../lib/render/plan.ts'
import { risingPercent } from '../../lib/render/progress.ts'
import { captionFiles, prepareCaptions } from './captions.ts'
import { asRenderFailure, RenderFailure } from './failure.ts'
import { joinFilm } from './film.ts'
import type { SegmentJob } from './frames.ts'
import { type Files, type Material, prepareMaterials } from './materials.ts'
import { renderSegments } from './segments.ts'
import { prepareSound, soundFile } from './sound.ts'
import { inParallel, type Workplace } from './workplace.ts'

export interface RenderRequest {
  composition: Composition
  files: Files
  /** An empty directory that exists. */
  directory: string
  /** Whole percent from 0 to 99, never falling. */
  onProgress: (percent: number) => void
  signal: AbortSignal
  timeoutMs: number
}

export interface RenderedVideo {
  videoPath: string
  thumbnailPath: string
  bytes: number
  durationMs: number
  frames: number
}

/** Rejects with a RenderFailure. */
export async function renderVideo(request: RenderRequest): Promise<RenderedVideo> {
  const { directory, timeoutMs } = request
  const timeout = AbortSignal.timeout(timeoutMs)
  const place = { directory, timeoutMs, signal: AbortSignal.any([request.signal, timeout]) }
  try {
    return await renderAt(place, request)
  } catch (failure) {
    if (timeout.aborted && !request.signal.aborted) {
      throw new RenderFailure('timeout', `The render was not done after ${timeoutMs} ms`, failure)
    }
    throw asRenderFailure(failure, 'Rendering')
  }
}

async function renderAt(place: Workplace, { composition, files, onProgress }: RenderRequest): Promise<RenderedVideo> {
  const plan = planFilm(composition)
  const report = risingPercent(plan.frames, onProgress)
  report(0)
  const threads = Math.min(availableParallelism(), plan.segments.length)
  const captioned = composition.pages.length > 0

  const materials = prepareMaterials(plan, files, place)
  const captions = captioned ? [() => prepareCaptions(composition, place)] : []
  const sound = () => prepareSound(composition.narrationKey, plan, files, place)
  await inParallel([sound, ...captions, ...materials.tasks], threads)

  const jobs = segmentJobs(plan, materials.byLayer)
  const input = {
    film: { width: plan.width, height: plan.height, fps: plan.fps },
    sourceMax: largest([...materials.byLayer.values()]),
    captions: captioned ? captionFiles : undefined,
    directory: place.directory,
    timeoutMs: place.timeoutMs,
  }
  await renderSegments(jobs, input, { threads, signal: place.signal, onFrames: report })

  const [video, thumbnail] = ['film.mp4', 'thumbnail.jpg']
  const draw = drawThumbnail(jobs[0]!.output, plan.thumbnailFrame, thumbnail)
  await inParallel(
    [() => joinFilm(plan, jobs, soundFile, video, place), () => runFfmpeg({ ...place, arguments: draw })],
    2,
  )
  const videoPath = join(place.directory, video)
  return {
    videoPath,
    thumbnailPath: join(place.directory, thumbnail),
    bytes: (await stat(videoPath)).size,
    durationMs: Math.round((plan.frames * 1000) / plan.fps),
    frames: plan.frames,
  }
}

function planFilm(composition: Composition): RenderPlan {
  try {
    return planRender(composition)
  } catch (failure) {
    throw asRenderFailure(failure, 'The composition cannot be rendered', 'bad-composition')
  }
}

function segmentJobs({ segments }: RenderPlan, materials: ReadonlyMap<Layer, Material>): SegmentJob[] {
  return segments.map((segment, index) => ({
    segment,
    material: materials.get(segment.layer)!,
    fadeMaterial: segment.fade && materials.get(segment.fade.from),
    output: `segment-${String(index).padStart(3, '0')}.mp4`,
  }))
}

function largest(materials: readonly Material[]): Size {
  return {
    width: Math.max(...materials.map(({ size }) => size.width)),
    height: Math.max(...materials.map(({ size }) => size.height)),
  }
}
