/** The video record, its creation and its edits. What its jobs do to it stands in `video-jobs.ts`. */
import type { Automation, ClipRun } from './automation.ts'
import type { Brief } from './brief.ts'
import { workingTitle } from './brief.ts'
import type { Alarm, Charge, Nudge, VideoDecision } from './decision.ts'
import { tell } from './event.ts'
import type { ProcessJob, ProcessWishes, ProcessWork, PublishJob, RenderJob } from './job.ts'
import { plans } from './plan.ts'
import type { Destination } from './profile.ts'
import type { Purchases } from './purchases.ts'
import { Refusal } from './refusal.ts'
import { isOpen } from './states.ts'
import type { ThemeConfig } from './theme.ts'
import { editorDefaults } from './theme.ts'
import { secondsAfter } from './time.ts'
import type { Voice } from './voice.ts'
import { findVoice } from './voice.ts'
import type { Price, Workspace } from './workspace.ts'
import { priceOfGeneration } from './workspace.ts'

/** Places in storage. What a client sees are addresses made from these. */
export interface MediaKeys {
  sourceKey: string | null
  audioKey: string | null
  captionsKey: string | null
  thumbnailKey: string | null
  renderKey: string | null
  /** Size of the rendered file. */
  bytes: number | null
  /** What the film is, whatever has become of the video since; absent of films that were made before it was told. */
  film?: FilmFacts
}

/** Of a rendered film; its picture in pixels. */
export interface FilmFacts {
  width: number
  height: number
  durationMs: number
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
  /** The `contentVersion` of the newest edit that cleared the film: one rendered from an older version is not shown. */
  clearedVersion: number
  title: string
  /** True until the client gives a title; until then a new script renames the video. */
  titleIsWorking: boolean
  type: 'video' | 'faceless' | 'ai'
  subType: string | null
  /** Whether it is a blueprint; then it has an `automation`. */
  isAutomation: boolean
  parentVideoId: string | null
  brief: Brief
  mood: string | null
  presentationMood: string | null
  durationSeconds: number | null
  media: MediaKeys
  process: ProcessJob | null
  render: RenderJob | null
  publish: PublishJob | null
  config: ThemeConfig
  /** Storage keys of the heavy arrays, each an immutable document. */
  timelines: Partial<Record<TimelineName, string>>
  /** The b-rolls as they were last planned: where `timelines.bRolls` is another document, the client has edited them. */
  plannedBRolls?: string
  /** The scenes as they were last written, and the script that they tell: where `timelines.scenes` is another document, the client has edited them. */
  plannedScenes?: { scenes: string; script: string }
  /** Where it was last published to, or where its automation publishes. */
  destination?: Destination
  /** What was posted in the last 24 hours, and until when it may not be repeated: by the platform's account and the caption, hashed. */
  posted?: Record<string, string>
  /** Of a blueprint, and of what was one. */
  automation?: Automation
  /** Of a clip that an automation made, or took. */
  run?: ClipRun
  /** Set on a variation: its scripts are other ones than those of its source, chosen by this seed. */
  variation?: string
  /** What renders of its edits have bought of vendors on one day; absent where they bought nothing. */
  purchases?: Purchases
  createdAt: string
  updatedAt: string
  /** When the sweeper should look at an open job; null while nothing is open. */
  dueAt: string | null
}

const processMinutes = 30
/** How long after a decision the sweeper looks whether its wake-up arrived. */
export const wakeUpSeconds = 60

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
  /** What a blueprint is more than a video. */
  blueprint: Partial<Pick<Video, 'isAutomation' | 'automation'>> = {},
): VideoDecision {
  const price = priceOfGeneration(workspace, wish.brief, now)
  const video = newVideo(
    workspace,
    {
      id: ids.videoId,
      title: wish.title ?? workingTitle(wish.brief),
      titleIsWorking: wish.title === null,
      type: wish.type,
      subType: wish.subType,
      brief: wish.brief,
      mood: wish.mood,
      presentationMood: wish.presentationMood,
      ...blueprint,
    },
    queuedProcess({ runId: ids.runId, work: 'generate', wishes: wish.process, price }, now),
    now,
  )
  return {
    workspaceId: workspace.id,
    at: now,
    video,
    changes: [{ record: 'video', before: undefined, after: video }],
    ...paid(workspace, ids.runId, price),
    events: [tell('video.created', { video }, video.id, now)],
    starts: [{ pipeline: 'generate', videoId: video.id, runId: ids.runId }],
  }
}

/** What is particular to a new video; all else begins empty. */
export type NewVideo = Pick<
  Video,
  'id' | 'title' | 'titleIsWorking' | 'type' | 'subType' | 'brief' | 'mood' | 'presentationMood'
> &
  Partial<Video>

export const newVideo = (workspace: Workspace, fields: NewVideo, process: ProcessJob, now: string): Video => ({
  workspaceId: workspace.id,
  version: 1,
  contentVersion: 1,
  clearedVersion: 0,
  isAutomation: false,
  parentVideoId: null,
  durationSeconds: null,
  media: noMedia,
  process,
  render: null,
  publish: null,
  config: {},
  timelines: {},
  createdAt: now,
  updatedAt: now,
  dueAt: secondsAfter(now, wakeUpSeconds),
  ...fields,
})

/** The job document of a run that waits to start. */
export function queuedProcess(
  { runId, work, wishes, price }: { runId: string; work: ProcessWork; wishes: ProcessWishes; price: Price | undefined },
  now: string,
): ProcessJob {
  return {
    runId,
    work,
    status: 'QUEUED',
    progress: 0,
    statusText: 'Waiting to start',
    queuedAt: now,
    startedAt: null,
    deadlineAt: secondsAfter(now, processMinutes * 60),
    attempt: 0,
    error: null,
    wishes,
    charge: price ? { credits: price.credits, metered: price.metered, unit: price.unit } : null,
  }
}

/** The part of a decision that reserves the price of a generation and counts it. */
export function paid(
  workspace: Workspace,
  runId: string,
  { credits, unit, metered, month, renewal }: Price,
): Pick<VideoDecision, 'month' | 'renewal' | 'charges'> {
  const generation = { limit: plans[workspace.planId].generationsPerMonth }
  const charge: Charge = { kind: 'reserve', runId, credits, unit, metered, generation }
  return { month, ...(renewal ? { renewal } : {}), charges: [charge] }
}

/** The fields of an edit; a field that is absent stays as it is. */
export type VideoEdit = Partial<Pick<Video, 'title' | 'subType'> & Omit<Brief, 'text' | 'inputMode' | 'language'>>

/** Changes the title and the brief. Nothing is queued again: the choices apply to the next generation and to clips. */
export function editVideo(
  video: Video,
  { title, subType, ...fields }: VideoEdit,
  voices: readonly Voice[],
  now: string,
): VideoDecision {
  const brief: Brief = { ...video.brief, ...fields }
  if (fields.prompt !== undefined && video.type !== 'video' && !brief.prompt?.trim() && !brief.text?.trim())
    throw invalidField('body.prompt', 'must not be empty where the brief has no text')
  const voice = findVoice(voices, brief.voiceId)
  if (fields.voiceProvider && voice?.provider !== fields.voiceProvider) throw invalidVoice(brief.voiceId)
  if (voice) brief.voiceProvider = voice.provider
  const named = title === undefined ? {} : { title, titleIsWorking: false }
  const kind = subType === undefined ? {} : { subType }
  const decision = edited(video, { ...video, ...named, ...kind, brief }, now)
  // Of a blueprint without an idea no clip could be made.
  return video.isAutomation ? { ...decision, nudges: nudgesOf(decision.video) } : decision
}

const invalidVoice = (voiceId: string) =>
  invalidField('body.voiceProvider', `does not match the provider of the voice ${voiceId}`)

const invalidField = (path: string, message: string) =>
  new Refusal('invalid-request', `${path} ${message}.`, { details: [{ path, message }] })

/** Keeps the caption that was written, and the prompt that steered it; what a render shows is as before. */
export const describeVideo = (
  video: Video,
  description: string,
  descriptionPrompt: string | null,
  now: string,
): VideoDecision =>
  changed(video, { ...video, brief: { ...video.brief, description, descriptionPrompt }, updatedAt: now }, now)

/** Shallow: the keys that are given replace those that are stored. */
export const mergeConfig = (video: Video, config: ThemeConfig, now: string): VideoDecision =>
  edited(video, { ...video, config: { ...video.config, ...config } }, now)

export const resetConfig = (video: Video, now: string): VideoDecision =>
  edited(video, { ...video, config: { ...editorDefaults } }, now)

/** A change of what a render shows: a film that is being rendered meanwhile will be stale. */
export const edited = (before: Video, after: Video, now: string): VideoDecision =>
  changed(before, { ...after, contentVersion: before.contentVersion + 1, updatedAt: now }, now)

/** An edit after which the film no longer stands for the video: it is taken away, and one that is being rendered will not come back. */
export const clearRender = (before: Video, after: Video, now: string): VideoDecision =>
  edited(before, withoutFilm(before, after), now)

/** The video without its film, nor one that is made of anything before the next version of what it shows. */
export function withoutFilm(before: Video, after: Video): Video {
  const { film: _film, ...media } = after.media
  return {
    ...after,
    media: { ...media, renderKey: null, bytes: null },
    clearedVersion: before.contentVersion + 1,
  }
}

/** The decision that a record is to be another: one version on, and looked at by the sweeper while a job of it is open. */
export function changed(before: Video, after: Video, now: string): VideoDecision {
  const video = { ...after, version: before.version + 1, dueAt: nextLook(before, after, now) }
  const alarm = alarmOf(before, video)
  return {
    workspaceId: before.workspaceId,
    at: now,
    video,
    changes: [{ record: 'video', before, after: video }],
    charges: [],
    events: [],
    starts: [],
    ...(endsJob(before, after) ? { nudges: nudgesOf(video) } : {}),
    ...(alarm ? { alarms: [alarm] } : {}),
  }
}

const jobKinds = ['process', 'render', 'publish'] as const

/** In a while after a job was queued, begun or ended; an edit changes nothing about it. An automation is looked at when its slot is due. */
function nextLook(before: Video, after: Video, now: string): string | null {
  const slotAt = after.automation?.nextSlot?.at
  const isSame = jobKinds.every((kind) => after[kind] === before[kind]) && after.automation === before.automation
  if (isSame) return before.dueAt
  const later = secondsAfter(now, wakeUpSeconds)
  if (jobKinds.some((kind) => isOpen(after[kind]))) return slotAt && slotAt < later ? slotAt : later
  return slotAt ?? null
}

const endsJob = (before: Video, after: Video) =>
  jobKinds.some((kind) => isOpen(before[kind]) && after[kind] !== before[kind] && !isOpen(after[kind]))

/** Whom the end of a job concerns beside its own video: the automation that waits for it, or may take a clip that has a film. */
function nudgesOf({ id, version, isAutomation, parentVideoId, run, media, publish }: Video): Nudge[] {
  const cause = `${id}#${version}`
  if (isAutomation) return [{ automationId: id, clipId: null, cause }]
  const mayBeTaken = media.renderKey !== null && publish === null
  return parentVideoId && (run || mayBeTaken) ? [{ automationId: parentVideoId, clipId: run ? id : null, cause }] : []
}

/** A slot that was planned wakes its automation in time. */
function alarmOf(before: Video, { id, version, automation }: Video): Alarm | undefined {
  const at = automation?.nextSlot?.at
  return at && at !== before.automation?.nextSlot?.at ? { automationId: id, at, cause: `${id}#${version}` } : undefined
}
