/**
 * State transitions of a video's jobs: queue a render, claim, fail, and the checks for open jobs. Every change is
 * fenced by the run id. Called by the pipelines, the container, the sweeper and the render route.
 */

import type { Charge } from '../core/credits.ts'
import type { JobError } from '../core/failures.ts'
import { Superseded } from '../core/failures.ts'
import type { Pipeline } from '../core/pipeline.ts'
import { sweepDelaySeconds } from '../core/pipeline.ts'
import { Refusal } from '../core/refusal.ts'
import { canTransition, isOpen } from '../core/states.ts'
import { earliest, secondsAfter, secondsBetween } from '../core/time.ts'
import type { VideoDecision } from '../records/decision.ts'
import { newEvent } from '../records/event.ts'
import type {
  JobKind,
  MediaJobKind,
  PaidStep,
  ProcessJob,
  ProcessKind,
  PublishJob,
  RenderJob,
} from '../records/jobs.ts'
import type { Video } from '../records/video.ts'
import { renderSecondsMax } from '../workspaces/plan.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { updateVideo } from './update-video.ts'

const renderGraceMinutes = 5

/** Whether the video has content to render, or to reuse in a clip. */
export const isGenerated = ({ media, timelines }: Video): boolean =>
  media.audioKey !== null && (timelines.scenes ?? timelines.bRolls ?? media.sourceKey ?? undefined) !== undefined

/** Queues a render of the current content. */
export function requestRender(workspace: Workspace, video: Video, runId: string, now: string): VideoDecision {
  if (isOpen(video.render)) throw new Refusal('job-in-progress', 'This video is being rendered already.')
  if (!isGenerated(video))
    throw new Refusal('warning-source-not-ready', 'The video is not generated yet. Generate it before rendering.')
  if (isOpen(video.process))
    throw new Refusal('job-in-progress', 'This video is being generated. Render it when that is done.')
  return queueRender(workspace, video, video, runId, now)
}

export function queueRender(
  workspace: Workspace,
  before: Video,
  video: Video,
  runId: string,
  now: string,
): VideoDecision {
  const last = before.render
  const previousManifestKey = last?.status === 'COMPLETED' ? last.manifestKey : last?.previousManifestKey
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

/** The open job of a run. Throws `Superseded` if the record names another run or the run has ended. */
export function requireOpenJob<Kind extends JobKind>(
  video: Video,
  kind: Kind,
  runId: string,
): NonNullable<Video[Kind]> {
  const job = video[kind]
  if (!job || job.runId !== runId || !isOpen(job))
    throw new Superseded(`Run ${runId} is no longer the open ${kind} of ${video.id}.`)
  return job
}

/** The claimed job of a run: only that can be completed. */
export function requireRunningJob<Kind extends MediaJobKind>(
  video: Video,
  kind: Kind,
  runId: string,
): NonNullable<Video[Kind]> {
  const job = requireOpenJob(video, kind, runId)
  if (!canTransition(job.status, 'COMPLETED')) throw new Error(`Run ${runId} was completed before it was claimed.`)
  return job
}

/** The job of the worker that claimed this attempt. Throws `Superseded` if a newer worker of its run has claimed another. */
export function requireAttempt<Job extends { runId: string; attempt: number }>(job: Job, attempt: number): Job {
  if (job.attempt !== attempt) throw new Superseded(`Attempt ${attempt} of run ${job.runId} was taken over.`)
  return job
}

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })
const ordinalSuffixes: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' }

const ordinal = (place: number) => `${place}${ordinalSuffixes[ordinals.select(place)] ?? 'th'}`

/** The runs that know their place in the queue: it is written again whenever a run ends. */
export const placesMax = 20

/** The status text of a run that waits for others of its workspace; 1 is the next one. */
export const waitingText = (place: number): string =>
  `Waiting for a free slot (${place > placesMax ? `${ordinal(placesMax + 1)} or later` : ordinal(place)})`

/** The time that a run gets, from its start: it may have waited for other runs. */
const deadlineFrom = ({ queuedAt, deadlineAt }: ProcessJob | RenderJob, now: string) =>
  secondsAfter(now, secondsBetween(queuedAt, deadlineAt))

/** Claims a generation: QUEUED to PROCESSING. Undefined if it is claimed already, so that a repeat changes nothing. */
export function beginProcess(video: Video, runId: string, now: string): VideoDecision | undefined {
  const job = requireOpenJob(video, 'process', runId)
  if (!canTransition(job.status, 'PROCESSING')) return undefined
  const process: ProcessJob = {
    ...job,
    status: 'PROCESSING',
    startedAt: now,
    deadlineAt: deadlineFrom(job, now),
    progress: 1,
    statusText: 'Starting',
  }
  return updateVideo(video, { ...video, process, updatedAt: now }, now)
}

/** Claims a render, with the manifest that was written from exactly this version of the record. */
export function beginRender(video: Video, runId: string, manifestKey: string, now: string): VideoDecision | undefined {
  const { statusText: _, ...job } = requireOpenJob(video, 'render', runId)
  if (!canTransition(job.status, 'PROCESSING')) return undefined
  const render: RenderJob = {
    ...job,
    status: 'PROCESSING',
    startedAt: now,
    deadlineAt: deadlineFrom(job, now),
    manifestKey,
    inputVersion: video.contentVersion,
  }
  return updateVideo(video, { ...video, render, updatedAt: now }, now)
}

/** Fails a run: records the error, releases reserved credits, adds the event. */
export function failJob(video: Video, kind: MediaJobKind, runId: string, error: JobError, now: string): VideoDecision {
  const job = requireOpenJob(video, kind, runId)
  const ended = { status: 'FAILED' as const, error }
  if (kind === 'render') {
    const { statusText: _, ...before } = job as RenderJob
    const render: RenderJob = { ...before, ...ended }
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

/** The open jobs of a video: it may be edited and rendered while it is being published. */
export function openJobsOf({ process, render, publish }: Video): OpenJob[] {
  return [
    ...(process && isOpen(process) ? [{ kind: 'process' as const, job: process }] : []),
    ...(render && isOpen(render) ? [{ kind: 'render' as const, job: render }] : []),
    ...(publish && isOpen(publish) ? [{ kind: 'publish' as const, job: publish }] : []),
  ]
}

/** The pipeline of each job. */
export const pipelineOf = { process: 'generate', render: 'render', publish: 'publish' } as const satisfies Record<
  JobKind,
  Pipeline
>

/** Refuses while a generation or a render is queued or running. */
export function refuseOpenJob({ process, render }: Video): void {
  if (isOpen(process)) throw new Refusal('job-in-progress', 'This video is being generated. Wait until that is done.')
  if (isOpen(render)) throw new Refusal('job-in-progress', 'This video is being rendered. Wait until that is done.')
}

/** When the sweeper checks an open job again: after a delay, at the latest at the deadline. */
export const nextSweepAt = (deadlineAt: string, now: string) =>
  earliest(deadlineAt, secondsAfter(now, sweepDelaySeconds))

/** The tenths of the price that each paid step costs. */
const tenthsOf: Partial<Record<ProcessKind, Partial<Record<PaidStep, number>>>> = {
  generate: { script: 2, voice: 3 },
  script: { script: 10 },
}

/**
 * The charges of a run whose video is removed: the paid steps that have ended are captured, the rest is released. A run
 * before the end of its first one costs nothing; the progress does not tell, since a client's own text or an existing
 * narration takes a step without being paid for.
 */
export function chargesOfRemoved(job: ProcessJob): Charge[] {
  const [reserved] = chargesOf('release', job)
  if (!reserved) return []
  const tenths = (job.paidSteps ?? []).reduce((sum, step) => sum + (tenthsOf[job.work]?.[step] ?? 0), 0)
  const bought = Math.ceil((reserved.credits * tenths) / 10)
  return [
    ...(bought > 0 ? [{ ...reserved, kind: 'capture' as const, credits: bought }] : []),
    ...(bought < reserved.credits || bought === 0 ? [{ ...reserved, credits: reserved.credits - bought }] : []),
  ]
}

/** The charges at the end of a run: captures or releases its reservation. */
export function chargesOf(kind: 'capture' | 'release', { runId, charge }: ProcessJob): Charge[] {
  if (!charge) return []
  const { terms: _terms, ...paid } = charge
  return [{ kind, runId, ...paid }]
}
