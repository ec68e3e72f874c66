/**
 * Renders a composition to an mp4 and a thumbnail, or only parts of them: a range of segments, the soundtrack or the
 * thumbnail. Called by the commands, in a
 * `withRenderRequest`; loads and stores no record. Deterministic: the same composition, files and ffmpeg give the same
 * bytes, with any number of threads and any content of the store. Scratch files stay in the caller's directory; no
 * process outlives the promise.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as yieldToEvents } from 'node:timers/promises'
import { settleAll } from '../../../lib/async.ts'
import { Superseded } from '../../../lib/domain/core/failures.ts'
import type { Composition } from '../../../lib/render/composition.ts'
import { drawSprites } from '../../../lib/render/drawing/draw-sprites.ts'
import { monotonicPercent } from '../../../lib/render/render-progress.ts'
import { planRender, type RenderPlan } from '../../../lib/render/segments/render-plan.ts'
import { soundKey } from '../../../lib/render/segments/segment-key.ts'
import type { FfmpegContext } from '../ffmpeg-context.ts'
import { asRenderFailure, badComposition, mapCompositionErrors, RenderFailure } from '../render-failure.ts'
import { installedAssets } from './drawing-assets.ts'
import { joinSegments } from './join-segments.ts'
import type { RenderRequest } from './render-request.ts'
import { renderSegments } from './render-segments.ts'
import { frameCount, type SegmentFile, segmentFilesOf } from './segment-files.ts'
import type { SegmentStore } from './segment-store.ts'
import { prepareSound } from './sound.ts'
import { makeThumbnail, planThumbnail, thumbnailFile } from './thumbnail.ts'
import { toolchainFingerprint } from './toolchain-fingerprint.ts'

/** How much of a render was reused from the segment store. */
interface SegmentReuse {
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
  /** Names in the segment store of everything that was joined. */
  parts: string[]
}

/**
 * Rejects with a RenderFailure, whose cause may be an error of the store or of `fetchFiles`; with `Superseded` when
 * those throw it.
 */
export function renderComposition(request: RenderRequest): Promise<RenderedVideo> {
  return withDeadline(request, (context) => renderAndJoin(context, request))
}

/** Renders the segments that start within these frames into the store, and nothing else. */
export function renderSegmentRange(
  request: RenderRequest & { store: SegmentStore },
  { from, to }: { from: number; to: number },
): Promise<void> {
  return withDeadline(request, async (context) => {
    const [plan, tools] = await planWithTools(request.composition, context)
    const segments = plan.segments.filter(({ fromFrame }) => fromFrame >= from && fromFrame < to)
    const segmentFiles = await segmentFilesOf({ ...plan, segments }, tools, context)
    await renderSegments(segmentFiles, plan, context, { ...request, onFrames: framesReport(segmentFiles, request) })
  })
}

/** Puts the soundtrack into the store, and nothing else. */
export function renderSoundOnly(request: RenderRequest & { store: SegmentStore }): Promise<void> {
  return withDeadline(request, async (context) => {
    const { composition } = request
    const plan = mapCompositionErrors(() => planRender(composition))
    const tools = await toolchainFingerprint(context)
    await prepareSound(soundFile(composition, plan, tools), plan, context, request)
  })
}

/** Puts the thumbnail into the store, and nothing else. */
export function renderThumbnailOnly(request: RenderRequest & { store: SegmentStore }): Promise<void> {
  return withDeadline(request, async (context) => {
    const tools = await toolchainFingerprint(context)
    await makeThumbnail(await planThumbnail(request.composition, tools), context, request)
  })
}

/** `tools` is the fingerprint of the toolchain. */
const soundFile = (composition: Composition, plan: RenderPlan, tools: string) =>
  `${soundKey(composition, plan, tools)}.m4a`

async function withDeadline<Result>(
  { directory, timeoutMs, stallMs, signal }: RenderRequest,
  work: (context: FfmpegContext) => Promise<Result>,
): Promise<Result> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const context = { directory, timeoutMs, signal: AbortSignal.any([signal, timeout]), ...(stallMs && { stallMs }) }
  try {
    return await work(context)
  } catch (failure) {
    if (timeout.aborted && !signal.aborted) {
      throw new RenderFailure('timeout', `The render did not finish within ${timeoutMs} ms`, failure)
    }
    // The video was deleted, or another run took over.
    if (failure instanceof Superseded) throw failure
    if (signal.aborted) throw new RenderFailure('cancelled', 'The render was cancelled', failure)
    throw asRenderFailure(failure, 'Rendering')
  }
}

async function renderAndJoin(context: FfmpegContext, request: RenderRequest): Promise<RenderedVideo> {
  const { composition } = request
  const [plan, tools] = await planWithTools(composition, context)
  const segmentFiles = await segmentFilesOf(plan, tools, context)
  const sound = soundFile(composition, plan, tools)
  const onFrames = framesReport(segmentFiles, request)
  const thumbnail = await planThumbnail(composition, tools)
  const output = 'video.mp4'
  const videoPath = join(context.directory, output)
  const renderParts = (store: SegmentStore | undefined): Promise<SegmentFile[]> => {
    const options = { ...request, ...(store && { store }) }
    const alongside = [
      (signal: AbortSignal) => prepareSound(sound, plan, { ...context, signal }, options),
      (signal: AbortSignal) => makeThumbnail(thumbnail, { ...context, signal }, options),
    ]
    return renderSegments(segmentFiles, plan, context, { ...options, alongside, onFrames })
  }
  const [rendered, sha256] = await joinOrRebuild(request.store, renderParts, () =>
    joinSegments(plan, segmentFiles, sound, output, context),
  )
  return {
    videoPath,
    thumbnailPath: join(context.directory, thumbnailFile),
    bytes: (await stat(videoPath)).size,
    sha256,
    durationMs: Math.round((plan.frames * 1000) / plan.fps),
    frames: plan.frames,
    reuse: {
      segments: segmentFiles.length,
      reused: segmentFiles.length - rendered.length,
      secondsRendered: frameCount(rendered) / plan.fps,
    },
    parts: [sound, thumbnail.name, ...new Set(segmentFiles.map(({ file }) => file))],
  }
}

/**
 * Renders the parts and joins them. A stored part that is damaged would break every later render: when the join fails
 * and stored parts were used, all parts are rendered again.
 */
async function joinOrRebuild<Rendered, Joined>(
  store: SegmentStore | undefined,
  renderParts: (store: SegmentStore | undefined) => Promise<Rendered>,
  joinParts: () => Promise<Joined>,
): Promise<[Rendered, Joined]> {
  let usedStore = false
  const fetch: SegmentStore['fetch'] = async (name, path, signal) => {
    const found = (await store?.fetch(name, path, signal)) ?? false
    usedStore ||= found
    return found
  }
  const rendered = await renderParts(store && { ...store, fetch })
  try {
    return [rendered, await joinParts()]
  } catch (failure) {
    if (!store || !usedStore || asRenderFailure(failure, 'Joining').code !== 'failed') throw failure
    const renderedAgain = await renderParts({ ...store, fetch: async () => false })
    return [renderedAgain, await joinParts()]
  }
}

/** The plan, and the fingerprint of the toolchain, which ffmpeg makes at the same time. */
const planWithTools = (composition: Composition, context: FfmpegContext): Promise<[RenderPlan, string]> =>
  settleAll([planComposition(composition, context), toolchainFingerprint(context)])

/** The plan of a composition with the sprites of slides, emoji, captions and hook. */
export async function planComposition(
  composition: Composition,
  { signal }: Pick<FfmpegContext, 'signal'>,
): Promise<RenderPlan> {
  const pause = async () => {
    await yieldToEvents()
    signal.throwIfAborted()
  }
  try {
    return planRender(await drawSprites(composition, installedAssets, pause))
  } catch (failure) {
    throw signal.aborted ? failure : badComposition(failure)
  }
}

function framesReport(segmentFiles: readonly SegmentFile[], { onProgress }: RenderRequest): (frames: number) => void {
  return monotonicPercent(frameCount(segmentFiles), onProgress)
}
