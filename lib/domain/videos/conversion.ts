/**
 * Converts a finished ai video into type `video`: its render becomes the source, its scenes become b-rolls.
 * Irreversible. Called by the route `convert`, and by the steps of the generate pipeline that carry it out.
 */
import type { ArtefactOwner } from '../core/artefact.ts'
import { artefactKey } from '../core/artefact.ts'
import { Refusal } from '../core/refusal.ts'
import { isOpen } from '../core/states.ts'
import type { VideoDecision } from '../records/decision.ts'
import { newEvent } from '../records/event.ts'
import type { Video } from '../records/video.ts'
import { queuedProcess } from './create-video.ts'
import { requireOpenJob } from './job-transitions.ts'
import { hasScenes } from './kind.ts'
import { updateVideo, updateVideoContent } from './update-video.ts'

/** Queues the conversion, which is free. */
export function requestConversion(video: Video, runId: string, now: string): VideoDecision {
  if (video.type !== 'ai') throw new Refusal('already-converted', 'This video is already converted.')
  if (!hasScenes(video)) throw notFinished()
  if (isOpen(video.process) || isOpen(video.render))
    throw new Refusal('job-in-progress', 'A job of this video is in progress. Convert it when that is done.')
  refuseUnfinished(video)
  const wishes = { transcribe: true, addBRolls: true, render: false }
  const process = queuedProcess({ runId, work: 'convert', wishes, purchase: undefined }, now)
  return {
    ...updateVideo(video, { ...video, process, updatedAt: now }, now),
    starts: [{ pipeline: 'generate', videoId: video.id, runId }],
  }
}

/** The render of a video and its manifest. Fails if an edit cleared it after the conversion was queued. */
export function renderToConvert({ media, render }: Video): { renderKey: string; manifestKey: string } {
  if (!media.renderKey || !render?.manifestKey) throw notFinished()
  return { renderKey: media.renderKey, manifestKey: render.manifestKey }
}

/** The storage key of the render without captions: they stay editable, unlike captions in the picture. */
export const captionlessRenderKey = (owner: ArtefactOwner, manifestKey: string, rendererVersion: number): string =>
  artefactKey(owner, 'renders', ['clean', manifestKey, rendererVersion], 'mp4')

/** Completes the conversion: `bRollsKey` are the segments that cover the source; the captions stay. */
export function completeConversion(
  video: Video,
  runId: string,
  { sourceKey, bRollsKey }: { sourceKey: string; bRollsKey: string },
  now: string,
): VideoDecision {
  const job = requireOpenJob(video, 'process', runId)
  const { scenes: _scenes, ...timelines } = video.timelines
  const decision = updateVideoContent(
    video,
    {
      ...video,
      type: 'video',
      media: { ...video.media, sourceKey },
      timelines: { ...timelines, bRolls: bRollsKey },
      process: { ...job, status: 'COMPLETED', progress: 100, statusText: null },
    },
    now,
  )
  return { ...decision, events: [newEvent('video.generation_completed', { video: decision.video }, runId, now)] }
}

/** Refuses after a failed render: the previous render may not show the current scenes. */
function refuseUnfinished({ process, render, media }: Video): void {
  const done = process?.status === 'COMPLETED' && render?.status === 'COMPLETED'
  if (!done || !media.renderKey) throw notFinished()
}

const notFinished = () =>
  new Refusal('warning-source-not-ready', 'Only a video that was generated and rendered can be converted.')
