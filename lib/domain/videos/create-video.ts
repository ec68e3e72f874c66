/** The video record, and how a new one begins. Its edits stand in `video-change.ts`, what its jobs do to it in `video-jobs.ts`. */

import type { Destination } from '../accounts/profiles.ts'
import type { Automation, ClipRun } from '../automations/blueprint.ts'
import { secondsAfter } from '../core/time.ts'
import type { Purchases } from '../generation/scenes/spend-limit.ts'
import type { Brief } from '../records/brief.ts'
import { workingTitle } from '../records/brief.ts'
import type { Charge, VideoDecision } from '../records/decision.ts'
import { tell } from '../records/event.ts'
import type { ProcessJob, ProcessWishes, ProcessWork, PublishJob, RenderJob, Terms } from '../records/jobs.ts'
import type { ThemeConfig } from '../records/theme.ts'
import { plans } from '../workspaces/plan.ts'
import type { Price, Workspace } from '../workspaces/workspace.ts'
import { priceOfGeneration } from '../workspaces/workspace.ts'

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
    queuedProcess(
      { runId: ids.runId, work: 'generate', wishes: wish.process, purchase: { price, brief: wish.brief } },
      now,
    ),
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

interface Queued {
  runId: string
  work: ProcessWork
  wishes: ProcessWishes
  /** Undefined where it costs nothing; the price is that of this brief. */
  purchase: { price: Price; brief: Brief } | undefined
}

/** The job document of a run that waits to start. */
export function queuedProcess({ runId, work, wishes, purchase }: Queued, now: string): ProcessJob {
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
    charge: purchase ? chargeOf(purchase) : null,
  }
}

const chargeOf = ({ price: { credits, metered, unit }, brief }: NonNullable<Queued['purchase']>) => ({
  credits,
  metered,
  unit,
  terms: termsOf(brief),
})

const termsOf = ({ targetDuration, videoDuration, voiceId, voiceProvider }: Brief): Terms => ({
  targetDuration,
  videoDuration,
  voiceId,
  voiceProvider,
})

/** The video as its open generation takes it: by the brief as it is now, but on the terms that were paid for. */
export const onPaidTerms = (video: Video): Video => ({
  ...video,
  brief: { ...video.brief, ...video.process?.charge?.terms },
})

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
