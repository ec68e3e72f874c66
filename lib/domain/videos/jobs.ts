/** What the jobs of a video do to its record: queued, begun, ended well or badly. Every change is fenced by the run. */

import type { Charge } from '../core/credits.ts'
import type { JobError } from '../core/failures.ts'
import { Superseded } from '../core/failures.ts'
import { deterministicId } from '../core/id.ts'
import type { Pipeline } from '../core/pipeline.ts'
import { sweepDelaySeconds } from '../core/pipeline.ts'
import { Refusal } from '../core/refusal.ts'
import { canTransition, isOpen } from '../core/states.ts'
import { earliest, secondsAfter } from '../core/time.ts'
import type { VideoDecision } from '../records/decision.ts'
import { newEvent } from '../records/event.ts'
import type { JobKind, ProcessJob, PublishJob, RenderJob, RenderProvenance } from '../records/jobs.ts'
import type { QualityCheck } from '../records/quality.ts'
import { qualityOf } from '../records/quality.ts'
import type { MediaKeys, RenderFacts, TimelineName, Video } from '../records/video.ts'
import { renderSecondsMax } from '../workspaces/plan.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { updateVideo, withoutRender } from './update-video.ts'

const renderGraceMinutes = 5

/** Whether there is anything that can be rendered, or shown by a clip. */
export const isGenerated = ({ media, timelines }: Video): boolean =>
  media.audioKey !== null && (timelines.scenes ?? timelines.bRolls ?? media.sourceKey ?? undefined) !== undefined

/** Queues a render of what the video shows now. */
export function requestRender(workspace: Workspace, video: Video, runId: string, now: string): VideoDecision {
  if (isOpen(video.render)) throw new Refusal('job-in-progress', 'This video is being rendered already.')
  if (!isGenerated(video))
    throw new Refusal('warning-source-not-ready', 'Nothing was generated yet that could be rendered.')
  if (isOpen(video.process))
    throw new Refusal('job-in-progress', 'This video is being generated anew; render it when that is done.')
  return queueRender(workspace, video, video, runId, now)
}

function queueRender(workspace: Workspace, before: Video, video: Video, runId: string, now: string): VideoDecision {
  const previousManifestKey = before.render?.manifestKey ?? before.render?.previousManifestKey
  const render: RenderJob = {
    runId,
    status: 'QUEUED',
    progress: 0,
    queuedAt: now,
    startedAt: null,
    deadlineAt: secondsAfter(now, renderSecondsMax(workspace.planId) + renderGraceMinutes * 60),
    attempt: 0,
    error: null,
    inputVersion: null,
    manifestKey: null,
    stale: false,
    ...(previousManifestKey && { previousManifestKey }),
  }
  return {
    ...updateVideo(before, { ...video, render, updatedAt: now }, now),
    starts: [{ pipeline: 'render', videoId: video.id, runId }],
  }
}

/** The job of a run, or `Superseded` where the record names another run or the run has ended. */
export function requireOpenJob<Kind extends OpenJob['kind']>(
  video: Video,
  kind: Kind,
  runId: string,
): NonNullable<Video[Kind]> {
  const job = video[kind]
  if (!job || job.runId !== runId || !isOpen(job))
    throw new Superseded(`Run ${runId} is no longer the open ${kind} of ${video.id}.`)
  return job
}

/** The job of a run that was claimed: only that can end well. */
export function requireRunningJob<Kind extends JobKind>(
  video: Video,
  kind: Kind,
  runId: string,
): NonNullable<Video[Kind]> {
  const job = requireOpenJob(video, kind, runId)
  if (!canTransition(job.status, 'COMPLETED')) throw new Error(`Run ${runId} was completed before it was begun.`)
  return job
}

/** Claims a generation: QUEUED to PROCESSING. A repeat of the same wake-up finds it claimed and changes nothing. */
export function beginProcess(video: Video, runId: string, now: string): VideoDecision | undefined {
  const job = requireOpenJob(video, 'process', runId)
  if (!canTransition(job.status, 'PROCESSING')) return undefined
  const process: ProcessJob = { ...job, status: 'PROCESSING', startedAt: now, progress: 1, statusText: 'Starting' }
  return updateVideo(video, { ...video, process, updatedAt: now }, now)
}

/** Claims a render with the manifest that was written from exactly this version of the record. */
export function beginRender(video: Video, runId: string, manifestKey: string, now: string): VideoDecision | undefined {
  const job = requireOpenJob(video, 'render', runId)
  if (!canTransition(job.status, 'PROCESSING')) return undefined
  const render: RenderJob = {
    ...job,
    status: 'PROCESSING',
    startedAt: now,
    manifestKey,
    inputVersion: video.contentVersion,
  }
  return updateVideo(video, { ...video, render, updatedAt: now }, now)
}

/** What a generation leaves behind. */
export interface GenerationResult {
  title: string
  durationSeconds: number
  audioKey: string
  /** Null where nothing is said; absent where no captions were asked for: those there are stay. */
  captionsKey?: string | null
  timelines: Partial<Record<TimelineName, string>>
  /** Where the video was read from a file: the file that is shown, and a picture of it. */
  source?: Pick<MediaKeys, 'sourceKey' | 'thumbnailKey'>
  /** The b-rolls that were planned anew, if any were: the client may have edited the video since. */
  plannedBRolls?: string
  /** The scenes that were written anew, if they were, and the script that they tell. */
  plannedScenes?: { scenes: string; script: string }
  /** What was measured of it. */
  checks?: QualityCheck[]
}

/** Ends a generation well; the render is chained only where it was asked for. */
export function completeProcess(
  workspace: Workspace,
  video: Video,
  runId: string,
  result: GenerationResult,
  now: string,
): VideoDecision {
  const job = requireRunningJob(video, 'process', runId)
  const quality = result.checks && { quality: qualityOf(result.checks) }
  const process: ProcessJob = { ...job, status: 'COMPLETED', progress: 100, statusText: null, ...quality }
  const generated: Video = {
    ...video,
    title: video.titleIsWorking ? result.title : video.title,
    durationSeconds: result.durationSeconds,
    media: {
      ...video.media,
      audioKey: result.audioKey,
      ...(result.captionsKey === undefined ? {} : { captionsKey: result.captionsKey }),
      ...result.source,
    },
    timelines: { ...video.timelines, ...result.timelines },
    ...(result.plannedBRolls === undefined ? {} : { plannedBRolls: result.plannedBRolls }),
    ...(result.plannedScenes === undefined ? {} : { plannedScenes: result.plannedScenes }),
    contentVersion: video.contentVersion + 1,
    process,
    updatedAt: now,
  }
  // A film stitched from other scenes is none of this video any more.
  const after = result.timelines.scenes ? withoutRender(video, generated) : generated
  const decision = job.wishes.render
    ? queueRender(workspace, video, after, deterministicId('run', runId, 'render'), now)
    : updateVideo(video, after, now)
  return {
    ...decision,
    charges: chargesOf('capture', job),
    events: [newEvent('video.generation_completed', { video: decision.video }, runId, now)],
  }
}

/** A rendered file that lies in storage. */
export interface RenderResult {
  renderKey: string
  thumbnailKey: string
  bytes: number
  film?: RenderFacts
  made?: RenderProvenance
}

/** Ends a render well. A film of an older version of the video is kept and flagged as stale, but not shown where an edit cleared it. */
export function completeRender(
  video: Video,
  runId: string,
  attempt: number,
  { made: result, ...film }: RenderResult,
  now: string,
): VideoDecision {
  const job = requireRunningJob(video, 'render', runId)
  if (job.attempt !== attempt) throw new Superseded(`Attempt ${attempt} of run ${runId} was taken over.`)
  const render: RenderJob = {
    ...job,
    status: 'COMPLETED',
    progress: 100,
    stale: job.inputVersion !== video.contentVersion,
    ...(result && { made: result }),
  }
  const cleared = (job.inputVersion ?? 0) < video.clearedVersion
  const media = cleared ? video.media : { ...video.media, ...film }
  const after = { ...video, media, render, updatedAt: now }
  return {
    ...updateVideo(video, after, now),
    events: [newEvent('video.render_completed', { video: after }, runId, now)],
  }
}

/** Ends a run badly: the reason is told, what was reserved is given back. */
export function failJob(video: Video, kind: JobKind, runId: string, error: JobError, now: string): VideoDecision {
  const job = requireOpenJob(video, kind, runId)
  const ended = { status: 'FAILED' as const, error }
  if (kind === 'render') {
    const render: RenderJob = { ...(job as RenderJob), ...ended }
    const after = { ...video, render, updatedAt: now }
    const event = newEvent('video.render_failed', { video: after, error }, runId, now)
    return { ...updateVideo(video, after, now), events: [event] }
  }
  const process: ProcessJob = { ...(job as ProcessJob), ...ended, statusText: null }
  const after = { ...video, process, updatedAt: now }
  return {
    ...updateVideo(video, after, now),
    charges: chargesOf('release', process),
    events: [newEvent('video.generation_failed', { video: after, error }, runId, now)],
  }
}

export type OpenJob =
  | { kind: 'process'; job: ProcessJob }
  | { kind: 'render'; job: RenderJob }
  | { kind: 'publish'; job: PublishJob }

/** The open jobs of a video: it may be edited and rendered while its film is published. */
export function openJobsOf({ process, render, publish }: Video): OpenJob[] {
  return [
    ...(process && isOpen(process) ? [{ kind: 'process' as const, job: process }] : []),
    ...(render && isOpen(render) ? [{ kind: 'render' as const, job: render }] : []),
    ...(publish && isOpen(publish) ? [{ kind: 'publish' as const, job: publish }] : []),
  ]
}

/** Which pipeline works on a job. */
export const pipelineOf = { process: 'generate', render: 'render', publish: 'publish' } as const satisfies Record<
  OpenJob['kind'],
  Pipeline
>

/** One job at a time: both kinds count from the moment they are queued. */
export function refuseOpenJob({ process, render }: Video): void {
  if (isOpen(process)) throw new Refusal('job-in-progress', 'This video is being generated; wait until that is done.')
  if (isOpen(render)) throw new Refusal('job-in-progress', 'This video is being rendered; wait until that is done.')
}

/** When the sweeper should look again: in a while, but never later than the deadline. */
export const nextSweepAt = (deadlineAt: string, now: string) =>
  earliest(deadlineAt, secondsAfter(now, sweepDelaySeconds))

/** What the end of a run does with what was reserved for it. */
export function chargesOf(kind: 'capture' | 'release', { runId, charge }: ProcessJob): Charge[] {
  if (!charge) return []
  const { terms: _terms, ...paid } = charge
  return [{ kind, runId, ...paid }]
}
