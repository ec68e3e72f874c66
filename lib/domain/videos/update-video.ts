/**
 * Builds the decision that updates a video record: versions, sweeper time, wake-ups and slot timer. Called by every
 * rule that changes a video: edits by clients are in `edits.ts`, changes by jobs in `job-transitions.ts`.
 */

import type { AutomationWakeUp, SlotTimer } from '../core/outbox.ts'
import { sweepDelaySeconds } from '../core/pipeline.ts'
import { isOpen } from '../core/states.ts'
import { secondsAfter } from '../core/time.ts'
import { newDecision, type VideoDecision } from '../records/decision.ts'
import type { Video } from '../records/video.ts'
import { shownVersionOf } from './stale-render.ts'

/** Updates the content of the video: its render becomes stale, also one in progress. */
export function updateVideoContent(before: Video, after: Video, now: string): VideoDecision {
  const contentVersion = before.contentVersion + 1
  return updateVideo(before, { ...after, contentVersion, shownVersion: contentVersion, updatedAt: now }, now)
}

/** Updates what the client edits, but no render shows: renders stay current. */
export function updateVideoTexts(before: Video, after: Video, now: string): VideoDecision {
  const [contentVersion, shownVersion] = [before.contentVersion + 1, shownVersionOf(before)]
  return updateVideo(before, { ...after, contentVersion, shownVersion, updatedAt: now }, now)
}

/** Updates the content and removes the render, also one in progress: it no longer shows the video. */
export const clearRender = (before: Video, after: Video, now: string): VideoDecision =>
  updateVideoContent(before, withoutRender(before, after), now)

/** The video without its render, and without any render of a content version before the next one. */
export function withoutRender(before: Video, after: Video): Video {
  const { film: _film, renderedVersion: _version, ...media } = after.media
  return {
    ...after,
    media: { ...media, renderKey: null, bytes: null },
    clearedVersion: before.contentVersion + 1,
  }
}

/** Replaces a record: increments its version and schedules the sweeper while a job is open. */
export function updateVideo(before: Video, after: Video, now: string): VideoDecision {
  const video = { ...after, version: before.version + 1, dueAt: videoDueAt(before, after, now) }
  const slotTimer = slotTimerOf(before, video)
  return {
    ...newDecision(before.workspaceId, [{ record: 'video', before, after: video }], now),
    video,
    ...(endsJob(before, after) ? { automationWakeUps: wakeUpsAfterJob(video) } : {}),
    ...(slotTimer ? { slotTimers: [slotTimer] } : {}),
  }
}

const jobKinds = ['process', 'render', 'publish'] as const

/** `dueAt` of the record: after a delay if a job has changed and is open, or at the next slot; edits do not change it. */
function videoDueAt(before: Video, after: Video, now: string): string | null {
  const slotAt = after.automation?.nextSlot?.at
  const isSame = jobKinds.every((kind) => after[kind] === before[kind]) && after.automation === before.automation
  if (isSame) return before.dueAt
  const later = secondsAfter(now, sweepDelaySeconds)
  if (jobKinds.some((kind) => isOpen(after[kind]))) return slotAt && slotAt < later ? slotAt : later
  return slotAt ?? null
}

const endsJob = (before: Video, after: Video) =>
  jobKinds.some((kind) => isOpen(before[kind]) && after[kind] !== before[kind] && !isOpen(after[kind]))

/** The automation to wake at the end of a job: the one that waits for it, or that may adopt the rendered clip. */
export function wakeUpsAfterJob({
  id,
  version,
  isAutomation,
  parentVideoId,
  run,
  media,
  publish,
}: Video): AutomationWakeUp[] {
  const cause = `${id}#${version}`
  if (isAutomation) return [{ automationId: id, clipId: null, cause }]
  const mayBeAdopted = media.renderKey !== null && publish === null
  return parentVideoId && (run || mayBeAdopted) ? [{ automationId: parentVideoId, clipId: run ? id : null, cause }] : []
}

/** The timer for a newly planned slot. */
function slotTimerOf(before: Video, { id, version, automation }: Video): SlotTimer | undefined {
  const at = automation?.nextSlot?.at
  return at && at !== before.automation?.nextSlot?.at ? { automationId: id, at, cause: `${id}#${version}` } : undefined
}
