/**
 * Clips: videos derived from another one, which reuse its stored objects or are generated as variations of it. Used by
 * the route `clips`, by automations and by the steps of the generate pipeline.
 */
import type { ArtefactOwner } from '../core/artefact.ts'
import { videoIdOfKey } from '../core/artefact.ts'
import { Refusal } from '../core/refusal.ts'
import type { Brief } from '../records/brief.ts'
import { newDecision, type VideoDecision } from '../records/decision.ts'
import { newEvent } from '../records/event.ts'
import type { Video } from '../records/video.ts'
import { priceOfGeneration } from '../workspaces/price.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { completeProcess } from './complete-job.ts'
import type { NewVideo } from './create-video.ts'
import { newVideo, queuedProcess, reserveGeneration } from './create-video.ts'
import { ideaOf, refuseWithoutIdea } from './idea.ts'
import { isGenerated } from './job-transitions.ts'

export interface ClipOptions {
  /** Whether to generate a new script and new visuals. */
  regenerate: boolean
  render: boolean
}

type Ids = { videoId: string; runId: string }

/** Creates a clip of `source`, even while that has open jobs, and queues its generation or the reuse of the content. */
export function createClip(
  workspace: Workspace,
  source: Video,
  options: ClipOptions,
  ids: Ids,
  now: string,
  /** Set if an automation makes it. */
  ofRun: Pick<Video, 'run'> = {},
): VideoDecision {
  const { fields, price } = options.regenerate
    ? variationOf(workspace, source, ids.videoId, now)
    : { fields: contentOf(source), price: undefined }
  const wishes = { transcribe: true, addBRolls: true, ...source.process?.wishes, render: options.render }
  const work = options.regenerate ? 'generate' : 'clip'
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
    ...newDecision(workspace.id, [{ record: 'video', before: undefined, after: video }], now),
    video,
    ...(price ? reserveGeneration(workspace, ids.runId, price) : {}),
    events: [newEvent('video.created', { video }, video.id, now)],
    starts: [{ pipeline: 'generate', videoId: video.id, runId: ids.runId }],
  }
}

/** The fields that every clip copies from its source. */
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

/** A variation has the same idea with another script. It reuses nothing and costs a full generation. */
function variationOf(workspace: Workspace, source: Video, videoId: string, now: string) {
  if (source.type === 'video') throw new Refusal('warning-invalid-input', 'An uploaded video has no script to rewrite.')
  refuseWithoutIdea(source)
  const brief = variationBrief(source.brief)
  return { fields: { brief, variation: videoId }, price: priceOfGeneration(workspace, brief, now) }
}

/** The client's own script is also rewritten: its idea is extracted. */
export const variationBrief = (brief: Brief): Brief => ({
  ...brief,
  prompt: ideaOf(brief),
  text: null,
  inputMode: 'idea',
})

/**
 * The current content of the source without its render. The objects still belong to the source, which outlives its clips:
 * its removal removes them too.
 */
function contentOf(source: Video) {
  if (!isGenerated(source))
    throw new Refusal('warning-source-not-ready', 'The video is not generated yet. Generate it before making a clip.')
  const { durationSeconds, timelines, plannedBRolls, plannedScenes, variation, credits } = source
  const fields: Partial<NewVideo> = {
    durationSeconds,
    media: { ...source.media, renderKey: null, bytes: null },
    timelines,
    ...(plannedBRolls === undefined ? {} : { plannedBRolls }),
    ...(plannedScenes === undefined ? {} : { plannedScenes }),
    ...(variation === undefined ? {} : { variation }),
    ...(credits === undefined ? {} : { credits }),
  }
  return fields
}

/** Completes the run of a clip that reuses its source's objects, which are in the record since its creation. */
export function completeClip(workspace: Workspace, video: Video, runId: string, now: string): VideoDecision {
  const { title, durationSeconds, media } = video
  if (durationSeconds === null || media.audioKey === null) throw new Error(`The clip ${video.id} has no content.`)
  return completeProcess(
    workspace,
    video,
    runId,
    { title, durationSeconds, audioKey: media.audioKey, timelines: {} },
    now,
  )
}

/** The owner of the objects that a video shows: itself or, before its first own generation, its source. */
export const contentOwner = (workspace: ArtefactOwner['workspace'], { id, media }: Video): ArtefactOwner => ({
  workspace,
  videoId: media.audioKey === null ? id : videoIdOfKey(media.audioKey),
})
