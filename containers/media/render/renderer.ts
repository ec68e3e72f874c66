/**
 * Renders a composition to an mp4 and a thumbnail. The same composition and files give the same bytes on the same ffmpeg, with
 * any number of threads and whatever the store holds. Scratch files stay in the caller's directory; no process outlives the promise.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Superseded } from '../../../lib/domain/core/failures.ts'
import type { Composition } from '../../../lib/render/composition.ts'
import { monotonicPercent } from '../../../lib/render/render-progress.ts'
import { planRender, type RenderPlan } from '../../../lib/render/segments/render-plan.ts'
import { soundKey } from '../../../lib/render/segments/segment-key.ts'
import type { FfmpegContext } from '../ffmpeg-context.ts'
import { withCaptionSprites } from './captions.ts'
import { withEmojiSprites } from './emoji.ts'
import { joinSegments } from './join-segments.ts'
import { asRenderFailure, mapCompositionErrors, RenderFailure } from './render-failure.ts'
import type { RenderRequest } from './render-request.ts'
import { type SegmentFile, segmentFilesOf } from './segment-files.ts'
import { frameCount, renderSegments } from './segment-pool.ts'
import type { SegmentStore } from './segment-store.ts'
import { withSlideSprites } from './slides.ts'
import { prepareSound } from './sound.ts'
import { makeThumbnail, planThumbnail, thumbnailFile } from './thumbnail.ts'

/** How much of a film was rendered for it, and how much was there. */
export interface SegmentReuse {
  segments: number
  reused: number
  secondsRendered: number
}

export interface RenderedVideo {
  videoPath: string
  thumbnailPath: string
  bytes: number
  /** Of the mp4, in hex. */
  sha256: string
  durationMs: number
  frames: number
  reuse: SegmentReuse
  /** Names in the store of all that this film was put together from. */
  parts: string[]
}

/**
 * Rejects with a RenderFailure, whose cause is what the store or `fetchFiles` threw if it was that; with `Superseded` where they
 * found the run to be over.
 */
export function renderVideo(request: RenderRequest): Promise<RenderedVideo> {
  return withDeadline(request, (place) => renderComposition(place, request))
}

/** Renders the segments that begin in these frames of the film into the store, and nothing else. */
export function renderBatch(
  request: RenderRequest & { store: SegmentStore },
  { from, to }: { from: number; to: number },
): Promise<void> {
  return withDeadline(request, async (place) => {
    const plan = await planComposition(request.composition, place)
    const segments = plan.segments.filter(({ fromFrame }) => fromFrame >= from && fromFrame < to)
    const { parts } = await segmentFilesOf({ ...plan, segments }, place)
    await renderSegments(parts, plan, place, { ...request, onFrames: framesReport(parts, request) })
  })
}

async function withDeadline<Result>(
  { directory, timeoutMs, stallMs, signal }: RenderRequest,
  work: (place: FfmpegContext) => Promise<Result>,
): Promise<Result> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const place = { directory, timeoutMs, signal: AbortSignal.any([signal, timeout]), ...(stallMs && { stallMs }) }
  try {
    return await work(place)
  } catch (failure) {
    if (timeout.aborted && !signal.aborted) {
      throw new RenderFailure('timeout', `The render was not done after ${timeoutMs} ms`, failure)
    }
    // Not of the render's making: the video is gone, or another run has taken its place.
    if (failure instanceof Superseded) throw failure
    if (signal.aborted) throw new RenderFailure('cancelled', 'The render was cancelled', failure)
    throw asRenderFailure(failure, 'Rendering')
  }
}

async function renderComposition(place: FfmpegContext, request: RenderRequest): Promise<RenderedVideo> {
  const { composition } = request
  const plan = await planComposition(composition, place)
  const { parts, tools } = await segmentFilesOf(plan, place)
  const sound = `${soundKey(composition, plan, tools)}.m4a`
  const onFrames = framesReport(parts, request)
  const thumbnail = await planThumbnail(composition, tools)
  const film = 'film.mp4'
  const videoPath = join(place.directory, film)
  const make = (store: SegmentStore | undefined): Promise<SegmentFile[]> => {
    const options = { ...request, ...(store && { store }) }
    const alongside = [
      (signal: AbortSignal) => prepareSound(sound, plan, { ...place, signal }, options),
      (signal: AbortSignal) => makeThumbnail(thumbnail, { ...place, signal }, options),
    ]
    return renderSegments(parts, plan, place, { ...options, alongside, onFrames })
  }
  const [rendered, sha256] = await joinOrRebuild(request.store, make, () =>
    joinSegments(plan, parts, sound, film, place),
  )
  return {
    videoPath,
    thumbnailPath: join(place.directory, thumbnailFile),
    bytes: (await stat(videoPath)).size,
    sha256,
    durationMs: Math.round((plan.frames * 1000) / plan.fps),
    frames: plan.frames,
    reuse: {
      segments: parts.length,
      reused: parts.length - rendered.length,
      secondsRendered: frameCount(rendered) / plan.fps,
    },
    parts: [sound, thumbnail.name, ...new Set(parts.map(({ file }) => file))],
  }
}

/**
 * Makes the parts and joins them. A part that was damaged in storage would spoil every film from now on: where parts were used
 * and the join failed, all are made anew.
 */
async function joinOrRebuild<Made, Film>(
  store: SegmentStore | undefined,
  make: (store: SegmentStore | undefined) => Promise<Made>,
  joinParts: () => Promise<Film>,
): Promise<[Made, Film]> {
  let wasUsed = false
  const fetch: SegmentStore['fetch'] = async (name, path, signal) => {
    const found = (await store?.fetch(name, path, signal)) ?? false
    wasUsed ||= found
    return found
  }
  const made = await make(store && { ...store, fetch })
  try {
    return [made, await joinParts()]
  } catch (failure) {
    if (!store || !wasUsed || asRenderFailure(failure, 'Joining').code !== 'failed') throw failure
    const madeAnew = await make({ ...store, fetch: async () => false })
    return [madeAnew, await joinParts()]
  }
}

/** The plan of a film with all that is drawn over its shots. */
export async function planComposition(
  composition: Composition,
  { signal }: Pick<FfmpegContext, 'signal'>,
): Promise<RenderPlan> {
  const drawn = await withCaptionSprites(await withEmojiSprites(await withSlideSprites(composition)), signal)
  return mapCompositionErrors(() => planRender(drawn))
}

function framesReport(parts: readonly SegmentFile[], { onProgress }: RenderRequest): (frames: number) => void {
  const report = monotonicPercent(frameCount(parts), onProgress)
  report(0)
  return report
}
