/** Clips: videos that are made from another one. They show its objects, or are told anew as variations of it. */
import type { ArtefactOwner } from '../core/artefact.ts'
import { videoIdOfKey } from '../core/artefact.ts'
import { Refusal } from '../core/refusal.ts'
import type { Brief } from '../records/brief.ts'
import type { VideoDecision } from '../records/decision.ts'
import { newEvent } from '../records/event.ts'
import type { Video } from '../records/video.ts'
import { priceOfGeneration } from '../workspaces/price.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { NewVideo } from './create-video.ts'
import { newVideo, queuedProcess, reserveGeneration } from './create-video.ts'
import { ideaOf, refuseWithoutIdea } from './idea.ts'
import { completeProcess, isGenerated } from './jobs.ts'

export interface ClipOptions {
  /** Whether script and visuals are made anew. */
  regenerate: boolean
  render: boolean
}

type Ids = { videoId: string; runId: string }

/** A new video made from `source`, whatever its jobs are about; its generation, or the take-over of what is there, is queued. */
export function createClip(
  workspace: Workspace,
  source: Video,
  wish: ClipOptions,
  ids: Ids,
  now: string,
  /** Where an automation makes it. */
  ofRun: Pick<Video, 'run'> = {},
): VideoDecision {
  const { fields, price } = wish.regenerate
    ? variationOf(workspace, source, ids.videoId, now)
    : { fields: contentOf(source), price: undefined }
  const wishes = { transcribe: true, addBRolls: true, ...source.process?.wishes, render: wish.render }
  const work = wish.regenerate ? 'generate' : 'clip'
  const video = newVideo(
    workspace,
    { ...sharedBy(source), ...fields, ...ofRun, id: ids.videoId, parentVideoId: source.id },
    queuedProcess(
      { runId: ids.runId, work, wishes, purchase: price && { price, brief: fields.brief ?? source.brief } },
      now,
    ),
    now,
  )
  return {
    workspaceId: workspace.id,
    at: now,
    video,
    changes: [{ record: 'video', before: undefined, after: video }],
    charges: [],
    ...(price ? reserveGeneration(workspace, ids.runId, price) : {}),
    events: [newEvent('video.created', { video }, video.id, now)],
    starts: [{ pipeline: 'generate', videoId: video.id, runId: ids.runId }],
  }
}

/** What every clip has in common with its source. */
const sharedBy = (source: Video): Omit<NewVideo, 'id'> => ({
  title: source.title,
  titleIsWorking: source.titleIsWorking,
  type: source.type,
  subType: source.subType,
  brief: source.brief,
  mood: source.mood,
  presentationMood: source.presentationMood,
  config: source.config,
})

/** The same idea told in other words: nothing is taken over, and it costs what a generation costs. */
function variationOf(workspace: Workspace, source: Video, videoId: string, now: string) {
  if (source.type === 'video')
    throw new Refusal('warning-invalid-input', 'An uploaded video has no script that could be rewritten.')
  refuseWithoutIdea(source)
  const brief = variationBrief(source.brief)
  return { fields: { brief, variation: videoId }, price: priceOfGeneration(workspace, brief, now) }
}

/** A script of one's own is told anew, too: what it is about is the idea. */
export const variationBrief = (brief: Brief): Brief => ({
  ...brief,
  prompt: ideaOf(brief),
  text: null,
  inputMode: 'idea',
})

/**
 * All that the source shows in this moment, except its film. The objects stay the source's: it outlives its clips, since
 * whoever removes it removes them too.
 */
function contentOf(source: Video) {
  if (!isGenerated(source))
    throw new Refusal('warning-source-not-ready', 'Nothing was generated yet that a clip could show.')
  const { durationSeconds, timelines, plannedBRolls, plannedScenes, variation } = source
  const fields: Partial<NewVideo> = {
    durationSeconds,
    media: { ...source.media, renderKey: null, bytes: null },
    timelines,
    ...(plannedBRolls === undefined ? {} : { plannedBRolls }),
    ...(plannedScenes === undefined ? {} : { plannedScenes }),
    ...(variation === undefined ? {} : { variation }),
  }
  return fields
}

/** Ends the run of a clip that shows its source's objects: they are on the record since it was made. */
export function completeClip(workspace: Workspace, video: Video, runId: string, now: string): VideoDecision {
  const { title, durationSeconds, media } = video
  if (durationSeconds === null || media.audioKey === null) throw new Error(`The clip ${video.id} shows nothing.`)
  return completeProcess(
    workspace,
    video,
    runId,
    { title, durationSeconds, audioKey: media.audioKey, timelines: {} },
    now,
  )
}

/** Whose objects a video shows: its own or, until a generation makes its own, those of the video that it was made from. */
export const contentOwner = (workspace: ArtefactOwner['workspace'], { id, media }: Video): ArtefactOwner => ({
  workspace,
  videoId: media.audioKey === null ? id : videoIdOfKey(media.audioKey),
})
