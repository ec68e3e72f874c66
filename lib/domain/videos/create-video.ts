/**
 * Creates a video with its first generation. Called by the routes that create videos and automations, by uploads and by
 * clips. Edits are in `edits.ts`, changes by its jobs in `job-transitions.ts`.
 */

import type { Charge } from '../core/credits.ts'
import { sweepDelaySeconds } from '../core/pipeline.ts'
import { Refusal } from '../core/refusal.ts'
import { estimateSpeechSeconds } from '../core/speech-duration.ts'
import { secondsAfter } from '../core/time.ts'
import type { Brief } from '../records/brief.ts'
import { speaksOwnText, workingTitle } from '../records/brief.ts'
import { newDecision, type VideoDecision } from '../records/decision.ts'
import { newEvent } from '../records/event.ts'
import type { GenerationTerms, ProcessJob, ProcessKind, ProcessOptions } from '../records/jobs.ts'
import type { MediaKeys, Video } from '../records/video.ts'
import { paidSecondsMax, plans } from '../workspaces/plan.ts'
import type { Price } from '../workspaces/price.ts'
import { priceOfGeneration } from '../workspaces/price.ts'
import type { Workspace } from '../workspaces/workspace.ts'

const processMinutes = 30
const noMedia: MediaKeys = {
  sourceKey: null,
  audioKey: null,
  captionsKey: null,
  thumbnailKey: null,
  renderKey: null,
  bytes: null,
}

export interface VideoInput {
  type: 'faceless' | 'ai'
  subType: string | null
  title: string | null
  mood: string | null
  presentationMood: string | null
  brief: Brief
  process: ProcessOptions
}

/** Creates a video and queues its generation, with the credits reserved. `ids` are minted by the caller. */
export function createVideo(
  workspace: Workspace,
  input: VideoInput,
  ids: { videoId: string; runId: string },
  now: string,
  /** The additional fields of a blueprint. */
  blueprint: Partial<Pick<Video, 'isAutomation' | 'automation'>> = {},
): VideoDecision {
  refuseLongText(input.brief)
  const price = priceOfGeneration(workspace, input.brief, now)
  const video = newVideo(
    workspace,
    {
      id: ids.videoId,
      title: input.title ?? workingTitle(input.brief),
      titleIsWorking: input.title === null,
      type: input.type,
      subType: input.subType,
      brief: input.brief,
      mood: input.mood,
      presentationMood: input.presentationMood,
      ...blueprint,
    },
    queuedProcess(
      { runId: ids.runId, work: 'generate', wishes: input.process, purchase: { price, brief: input.brief } },
      now,
    ),
    now,
  )
  return {
    ...newDecision(workspace.id, [{ record: 'video', before: undefined, after: video }], now),
    video,
    ...reserveGeneration(workspace, ids.runId, price),
    events: [newEvent('video.created', { video }, video.id, now)],
    starts: [{ pipeline: 'generate', videoId: video.id, runId: ids.runId }],
  }
}

/** Voices speak faster or slower than the estimate: only a text that no voice speaks in time is refused. */
const fastestVoice = 1.3

/** Refuses a text that takes longer to speak than is paid for, before a generation fails on it. */
function refuseLongText(brief: Brief): void {
  const [paid, needed] = [paidSecondsMax(brief), estimateSpeechSeconds(brief.text ?? '')]
  if (!speaksOwnText(brief) || needed <= paid * fastestVoice) return
  const path = brief.targetDuration === null ? 'body.videoDuration' : 'body.targetDuration'
  const message = `allows ${paid} seconds, but the text takes about ${Math.round(needed)} seconds to speak: choose a longer one, or shorten the text`
  throw new Refusal('invalid-request', `${path} ${message}.`, { details: [{ path, message }] })
}

/** The fields of a new video that have no default. */
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
  dueAt: secondsAfter(now, sweepDelaySeconds),
  ...fields,
})

interface Queued {
  runId: string
  work: ProcessKind
  /** The request's `process` options; the record stores them as `wishes`. */
  wishes: ProcessOptions
  /** The price, and the brief that it was computed from; undefined if free. */
  purchase: { price: Price; brief: Brief } | undefined
}

/** The job document of a queued run. */
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

const termsOf = ({ targetDuration, videoDuration, voiceId, voiceProvider }: Brief): GenerationTerms => ({
  targetDuration,
  videoDuration,
  voiceId,
  voiceProvider,
})

/** The video for its open generation: the current brief, but with the terms that were paid for. */
export const withPaidTerms = (video: Video): Video => ({
  ...video,
  brief: { ...video.brief, ...video.process?.charge?.terms },
})

/** The part of a decision that reserves the price of a generation and counts it. */
export function reserveGeneration(
  workspace: Workspace,
  runId: string,
  { credits, unit, metered, month, renewal }: Price,
): Pick<VideoDecision, 'month' | 'renewal' | 'charges'> {
  const generation = { limit: plans[workspace.planId].generationsPerMonth }
  const charge: Charge = { kind: 'reserve', runId, credits, unit, metered, generation }
  return { month, ...(renewal ? { renewal } : {}), charges: [charge] }
}
