/**
 * Completes a generation or a render: stores the result in the video, captures credits, queues the next render, adds
 * events. Called by the last steps of the generate pipeline and by the container command `render-video`.
 */
import { deterministicIdAt } from '../core/id.ts'
import type { VideoDecision } from '../records/decision.ts'
import { newEvent } from '../records/event.ts'
import type { ProcessJob, RenderJob, RenderProvenance } from '../records/jobs.ts'
import { type QualityCheck, qualityOf } from '../records/quality.ts'
import type { MediaKeys, RenderFacts, TimelineName, Video } from '../records/video.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { chargesOf, queueRender, requireAttempt, requireRunningJob } from './job-transitions.ts'
import { shownVersionOf } from './stale-render.ts'
import { updateVideo, withoutRender } from './update-video.ts'

/** The result of a generation. */
export interface GenerationResult {
  title: string
  /** The script that is spoken; absent for an uploaded file. */
  script?: { key: string; writtenBy?: string | undefined }
  durationSeconds: number
  audioKey: string
  /** Null without words; absent if no captions were requested, which keeps the current ones. */
  captionsKey?: string | null
  timelines: Partial<Record<TimelineName, string>>
  /** Of an uploaded file: the file that is shown, and its thumbnail. */
  source?: Pick<MediaKeys, 'sourceKey' | 'thumbnailKey'>
  /** The b-rolls if they were planned again: the client may have edited the video since. */
  plannedBRolls?: string
  /** The scenes if they were written again, and their script. */
  plannedScenes?: { scenes: string; script: string }
  checks?: QualityCheck[]
  /** Lines that name sources and authors, where a licence requires it; absent keeps the current ones. */
  credits?: readonly string[]
}

/** Completes a generation, and queues a render if it was requested. */
export function completeProcess(
  workspace: Workspace,
  video: Video,
  runId: string,
  result: GenerationResult,
  now: string,
): VideoDecision {
  const job = requireRunningJob(video, 'process', runId)
  const { key: scriptKey, writtenBy } = result.script ?? {}
  const quality = result.checks && {
    quality: { ...qualityOf(result.checks), ...(writtenBy === undefined ? {} : { script: writtenBy }) },
  }
  const process: ProcessJob = { ...job, status: 'COMPLETED', progress: 100, statusText: null, ...quality }
  const { credits: before, ...rest } = video
  const credits = result.credits ?? before ?? []
  const generated: Video = {
    ...rest,
    ...(credits.length > 0 ? { credits: [...credits] } : {}),
    title: video.titleIsWorking ? result.title : video.title,
    durationSeconds: result.durationSeconds,
    media: {
      ...video.media,
      audioKey: result.audioKey,
      ...(result.captionsKey === undefined ? {} : { captionsKey: result.captionsKey }),
      ...result.source,
    },
    timelines: { ...video.timelines, ...result.timelines },
    ...(scriptKey === undefined ? {} : { scriptKey }),
    ...(result.plannedBRolls === undefined ? {} : { plannedBRolls: result.plannedBRolls }),
    ...(result.plannedScenes === undefined ? {} : { plannedScenes: result.plannedScenes }),
    contentVersion: video.contentVersion + 1,
    shownVersion: video.contentVersion + 1,
    process,
    updatedAt: now,
  }
  // A render of the previous scenes no longer shows this video.
  const after = result.timelines.scenes ? withoutRender(video, generated) : generated
  // Where it has to wait, its place is that of the request, before those of later ones.
  const renderRunId = deterministicIdAt('run', job.queuedAt, runId, 'render')
  const decision = job.wishes.render
    ? queueRender(workspace, video, after, renderRunId, now)
    : updateVideo(video, after, now)
  return {
    ...decision,
    charges: chargesOf('capture', job),
    events: [newEvent('video.generation_completed', { video: decision.video }, runId, now)],
  }
}

/** A stored render. */
export interface RenderResult {
  renderKey: string
  thumbnailKey: string
  bytes: number
  film?: RenderFacts
  made?: RenderProvenance
}

/** Completes a render. One of an older version of the video is flagged as stale, and not shown if an edit cleared it. */
export function completeRender(
  video: Video,
  runId: string,
  attempt: number,
  { made: result, ...film }: RenderResult,
  now: string,
): VideoDecision {
  const job = requireAttempt(requireRunningJob(video, 'render', runId), attempt)
  const render: RenderJob = {
    ...job,
    status: 'COMPLETED',
    progress: 100,
    stale: (job.inputVersion ?? 0) < shownVersionOf(video),
    ...(result && { made: result }),
  }
  const cleared = (job.inputVersion ?? 0) < video.clearedVersion
  const shown = { ...film, ...(job.inputVersion !== null && { renderedVersion: job.inputVersion }) }
  const media = cleared ? video.media : { ...video.media, ...shown }
  const after = { ...video, media, render, updatedAt: now }
  return {
    ...updateVideo(video, after, now),
    events: [newEvent('video.render_completed', { video: after }, runId, now)],
  }
}
