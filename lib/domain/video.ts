/** The video record and every change that a rule makes to it. */
import type { Brief } from './brief.ts'
import { workingTitle } from './brief.ts'
import type { Charge, Decision } from './decision.ts'
import { videoEvent } from './event.ts'
import { idFromCause } from './id.ts'
import type { JobError, JobKind, ProcessJob, ProcessWishes, RenderJob } from './job.ts'
import { Superseded } from './job.ts'
import { plans, renderSecondsMax } from './plan.ts'
import { Refusal } from './refusal.ts'
import { isOpen, mayMove } from './states.ts'
import type { ThemeConfig } from './theme.ts'
import { editorDefaults } from './theme.ts'
import { findVoice } from './voice.ts'
import type { Workspace } from './workspace.ts'
import { monthOf, priceOfGeneration } from './workspace.ts'

/** Places in storage. What a client sees are addresses made from these. */
export interface MediaKeys {
  sourceKey: string | null
  audioKey: string | null
  captionsKey: string | null
  thumbnailKey: string | null
  renderKey: string | null
  /** Size of the rendered file. */
  bytes: number | null
}

export const timelineNames = ['captions', 'captionsPages', 'bRolls', 'presentationScenes', 'scenes'] as const
export type TimelineName = (typeof timelineNames)[number]

export interface Video {
  id: string
  workspaceId: string
  /** Counts every decision on the record: a commit holds only on the version it decided on. */
  version: number
  /** Counts the edits that change what a render shows. */
  contentVersion: number
  title: string
  /** True until the client gives a title; until then a new script renames the video. */
  titleIsWorking: boolean
  type: 'video' | 'faceless' | 'ai'
  subType: string | null
  isAutomation: boolean
  parentVideoId: string | null
  brief: Brief
  mood: string | null
  presentationMood: string | null
  durationSeconds: number | null
  media: MediaKeys
  process: ProcessJob | null
  render: RenderJob | null
  publish: null
  config: ThemeConfig
  /** Storage keys of the heavy arrays, each an immutable document. */
  timelines: Partial<Record<TimelineName, string>>
  createdAt: string
  updatedAt: string
  /** When the sweeper should look at an open job; null while nothing is open. */
  dueAt: string | null
}

const processMinutes = 30
const renderGraceMinutes = 5
/** How long after a decision the sweeper looks whether its wake-up arrived. */
const wakeUpSeconds = 60

export const secondsAfter = (time: string, seconds: number) => new Date(Date.parse(time) + seconds * 1000).toISOString()
const earliest = (...times: string[]) => times.toSorted()[0]!

const noMedia: MediaKeys = {
  sourceKey: null,
  audioKey: null,
  captionsKey: null,
  thumbnailKey: null,
  renderKey: null,
  bytes: null,
}

export interface VideoWish {
  type: 'faceless' | 'ai'
  subType: string | null
  title: string | null
  mood: string | null
  presentationMood: string | null
  brief: Brief
  process: ProcessWishes
}

/** A new video whose generation is queued and paid for. `ids` are minted by the caller. */
export function createVideo(
  workspace: Workspace,
  wish: VideoWish,
  ids: { videoId: string; runId: string },
  now: string,
): Decision {
  const price = priceOfGeneration(workspace, wish.brief, now)
  const video: Video = {
    id: ids.videoId,
    workspaceId: workspace.id,
    version: 1,
    contentVersion: 1,
    title: wish.title ?? workingTitle(wish.brief),
    titleIsWorking: wish.title === null,
    type: wish.type,
    subType: wish.subType,
    isAutomation: false,
    parentVideoId: null,
    brief: wish.brief,
    mood: wish.mood,
    presentationMood: wish.presentationMood,
    durationSeconds: null,
    media: noMedia,
    process: {
      runId: ids.runId,
      status: 'QUEUED',
      progress: 0,
      statusText: 'Waiting to start',
      queuedAt: now,
      startedAt: null,
      deadlineAt: secondsAfter(now, processMinutes * 60),
      attempt: 0,
      error: null,
      wishes: wish.process,
      charge: price,
    },
    render: null,
    publish: null,
    config: {},
    timelines: {},
    createdAt: now,
    updatedAt: now,
    dueAt: secondsAfter(now, wakeUpSeconds),
  }
  const month = monthOf(now)
  const generation = {
    month,
    first: workspace.generationsMonth !== month,
    limit: plans[workspace.planId].generationsPerMonth,
  }
  return {
    workspaceId: workspace.id,
    change: { before: undefined, after: video },
    charges: [{ kind: 'reserve', runId: ids.runId, ...price, generation }],
    events: [videoEvent('video.created', video, video.id, now)],
    starts: [{ pipeline: 'generate', videoId: video.id, runId: ids.runId }],
  }
}

/** The fields of an edit; a field that is absent stays as it is. */
export type VideoEdit = Partial<Pick<Video, 'title' | 'subType'> & Omit<Brief, 'text' | 'inputMode' | 'language'>>

/** Changes the title and the brief. Nothing is queued again: the choices apply to the next generation and to clips. */
export function editVideo(video: Video, { title, subType, ...fields }: VideoEdit, now: string): Decision {
  const brief: Brief = { ...video.brief, ...fields }
  const voice = findVoice(brief.voiceId)
  if (fields.voiceProvider && voice?.provider !== fields.voiceProvider) throw invalidVoice(brief.voiceId)
  if (voice) brief.voiceProvider = voice.provider
  const named = title === undefined ? {} : { title, titleIsWorking: false }
  const kind = subType === undefined ? {} : { subType }
  return edited(video, { ...video, ...named, ...kind, brief }, now)
}

const invalidVoice = (voiceId: string) => {
  const detail = { path: 'body.voiceProvider', message: `does not match the provider of the voice ${voiceId}` }
  return new Refusal('invalid-request', `${detail.path} ${detail.message}.`, { details: [detail] })
}

/** Shallow: the keys that are given replace those that are stored. */
export const mergeConfig = (video: Video, config: ThemeConfig, now: string): Decision =>
  edited(video, { ...video, config: { ...video.config, ...config } }, now)

export const resetConfig = (video: Video, now: string): Decision =>
  edited(video, { ...video, config: { ...editorDefaults } }, now)

/** A change of what a render shows: a film that is being rendered meanwhile will be stale. */
const edited = (before: Video, after: Video, now: string): Decision =>
  changed(before, { ...after, contentVersion: before.contentVersion + 1, updatedAt: now })

/** Queues a render of what the video shows now. */
export function requestRender(workspace: Workspace, video: Video, runId: string, now: string): Decision {
  if (isOpen(video.render)) throw new Refusal('job-in-progress', 'This video is being rendered already.')
  if (!video.media.audioKey || !video.timelines.bRolls)
    throw new Refusal('warning-source-not-ready', 'Nothing was generated yet that could be rendered.')
  if (isOpen(video.process))
    throw new Refusal('job-in-progress', 'This video is being generated anew; render it when that is done.')
  return queueRender(workspace, video, video, runId, now)
}

function queueRender(workspace: Workspace, before: Video, video: Video, runId: string, now: string): Decision {
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
  }
  return {
    ...changed(before, { ...video, render, updatedAt: now, dueAt: secondsAfter(now, wakeUpSeconds) }),
    starts: [{ pipeline: 'render', videoId: video.id, runId }],
  }
}

/** The job of a run, or `Superseded` where the record names another run or the run has ended. */
export function openJob<Kind extends JobKind>(video: Video, kind: Kind, runId: string): NonNullable<Video[Kind]> {
  const job = video[kind]
  if (!job || job.runId !== runId || !isOpen(job))
    throw new Superseded(`Run ${runId} is no longer the open ${kind} of ${video.id}.`)
  return job
}

/** The job of a run that was claimed: only that can end well. */
function runningJob<Kind extends JobKind>(video: Video, kind: Kind, runId: string): NonNullable<Video[Kind]> {
  const job = openJob(video, kind, runId)
  if (!mayMove(job.status, 'COMPLETED')) throw new Error(`Run ${runId} was completed before it was begun.`)
  return job
}

/** Claims a generation: QUEUED to PROCESSING. A repeat of the same wake-up finds it claimed and changes nothing. */
export function beginProcess(video: Video, runId: string, now: string): Decision | undefined {
  const job = openJob(video, 'process', runId)
  if (!mayMove(job.status, 'PROCESSING')) return undefined
  const process: ProcessJob = { ...job, status: 'PROCESSING', startedAt: now, progress: 1, statusText: 'Starting' }
  return changed(video, { ...video, process, updatedAt: now, dueAt: secondsAfter(now, wakeUpSeconds) })
}

/** Claims a render with the manifest that was written from exactly this version of the record. */
export function beginRender(video: Video, runId: string, manifestKey: string, now: string): Decision | undefined {
  const job = openJob(video, 'render', runId)
  if (!mayMove(job.status, 'PROCESSING')) return undefined
  const render: RenderJob = {
    ...job,
    status: 'PROCESSING',
    startedAt: now,
    manifestKey,
    inputVersion: video.contentVersion,
  }
  return changed(video, { ...video, render, updatedAt: now, dueAt: secondsAfter(now, wakeUpSeconds) })
}

/** What a generation leaves behind. */
export interface Generated {
  title: string
  durationSeconds: number
  audioKey: string
  /** Null where no captions were asked for. */
  captionsKey: string | null
  timelines: Partial<Record<TimelineName, string>>
}

/** Ends a generation well; the render is chained only where it was asked for. */
export function completeProcess(
  workspace: Workspace,
  video: Video,
  runId: string,
  made: Generated,
  now: string,
): Decision {
  const job = runningJob(video, 'process', runId)
  const process: ProcessJob = { ...job, status: 'COMPLETED', progress: 100, statusText: null }
  const after: Video = {
    ...video,
    title: video.titleIsWorking ? made.title : video.title,
    durationSeconds: made.durationSeconds,
    media: { ...video.media, audioKey: made.audioKey, captionsKey: made.captionsKey },
    timelines: { ...video.timelines, ...made.timelines },
    contentVersion: video.contentVersion + 1,
    process,
    updatedAt: now,
    dueAt: null,
  }
  const decision = job.wishes.render
    ? queueRender(workspace, video, after, idFromCause('run', runId, 'render'), now)
    : changed(video, after)
  return {
    ...decision,
    charges: [charge('capture', job)],
    events: [videoEvent('video.generation_completed', decision.change.after, runId, now)],
  }
}

/** A rendered file that lies in storage. */
export interface Rendered {
  renderKey: string
  thumbnailKey: string
  bytes: number
}

/** Ends a render well. A film of an older version of the video is kept, and flagged as stale. */
export function completeRender(video: Video, runId: string, attempt: number, film: Rendered, now: string): Decision {
  const job = runningJob(video, 'render', runId)
  if (job.attempt !== attempt) throw new Superseded(`Attempt ${attempt} of run ${runId} was taken over.`)
  const render: RenderJob = {
    ...job,
    status: 'COMPLETED',
    progress: 100,
    stale: job.inputVersion !== video.contentVersion,
  }
  const after = { ...video, media: { ...video.media, ...film }, render, updatedAt: now, dueAt: null }
  return { ...changed(video, after), events: [videoEvent('video.render_completed', after, runId, now)] }
}

/** Ends a run badly: the reason is told, what was reserved is given back. */
export function failJob(video: Video, kind: JobKind, runId: string, error: JobError, now: string): Decision {
  const job = openJob(video, kind, runId)
  const ended = { status: 'FAILED' as const, error }
  if (kind === 'render') {
    const render: RenderJob = { ...(job as RenderJob), ...ended }
    const after = { ...video, render, updatedAt: now, dueAt: null }
    return { ...changed(video, after), events: [videoEvent('video.render_failed', after, runId, now, error)] }
  }
  const process: ProcessJob = { ...(job as ProcessJob), ...ended, statusText: null }
  const after = { ...video, process, updatedAt: now, dueAt: null }
  return {
    ...changed(video, after),
    charges: [charge('release', process)],
    events: [videoEvent('video.generation_failed', after, runId, now, error)],
  }
}

/** The open job of a video and its kind, if there is one. */
export function openJobOf(video: Video): { kind: JobKind; job: ProcessJob | RenderJob } | undefined {
  if (video.process && isOpen(video.process)) return { kind: 'process', job: video.process }
  if (video.render && isOpen(video.render)) return { kind: 'render', job: video.render }
  return undefined
}

/** When the sweeper should look again: in a while, but never later than the deadline. */
export const nextLookAt = (deadlineAt: string, now: string) => earliest(deadlineAt, secondsAfter(now, wakeUpSeconds))

const charge = (kind: Charge['kind'], job: ProcessJob): Charge => ({ kind, runId: job.runId, ...job.charge })

function changed(before: Video, after: Video): Decision {
  return {
    workspaceId: before.workspaceId,
    change: { before, after: { ...after, version: before.version + 1 } },
    charges: [],
    events: [],
    starts: [],
  }
}
