/**
 * How the record of a video changes: the edits of what it says and shows, and the decision that any change of it is. What
 * its jobs do to it stands in `video-jobs.ts`.
 */

import type { AutomationWakeUp, SlotTimer } from '../core/outbox.ts'
import { sweepDelaySeconds } from '../core/pipeline.ts'
import { isOpen } from '../core/states.ts'
import { secondsAfter } from '../core/time.ts'
import type { VideoDecision } from '../records/decision.ts'
import type { Video } from '../records/video.ts'

/** A change of what a render shows: a film that is being rendered meanwhile will be stale. */
export const updateVideoContent = (before: Video, after: Video, now: string): VideoDecision =>
  updateVideo(before, { ...after, contentVersion: before.contentVersion + 1, updatedAt: now }, now)

/** An edit after which the film no longer stands for the video: it is taken away, and one that is being rendered will not come back. */
export const clearRender = (before: Video, after: Video, now: string): VideoDecision =>
  updateVideoContent(before, withoutRender(before, after), now)

/** The video without its film, nor one that is made of anything before the next version of what it shows. */
export function withoutRender(before: Video, after: Video): Video {
  const { film: _film, ...media } = after.media
  return {
    ...after,
    media: { ...media, renderKey: null, bytes: null },
    clearedVersion: before.contentVersion + 1,
  }
}

/** The decision that a record is to be another: one version on, and looked at by the sweeper while a job of it is open. */
export function updateVideo(before: Video, after: Video, now: string): VideoDecision {
  const video = { ...after, version: before.version + 1, dueAt: nextSweepAt(before, after, now) }
  const alarm = slotTimerOf(before, video)
  return {
    workspaceId: before.workspaceId,
    at: now,
    video,
    changes: [{ record: 'video', before, after: video }],
    charges: [],
    events: [],
    starts: [],
    ...(endsJob(before, after) ? { wakeUps: wakeUpsOf(video) } : {}),
    ...(alarm ? { slotTimers: [alarm] } : {}),
  }
}

const jobKinds = ['process', 'render', 'publish'] as const

/** In a while after a job was queued, begun or ended; an edit changes nothing about it. An automation is looked at when its slot is due. */
function nextSweepAt(before: Video, after: Video, now: string): string | null {
  const slotAt = after.automation?.nextSlot?.at
  const isSame = jobKinds.every((kind) => after[kind] === before[kind]) && after.automation === before.automation
  if (isSame) return before.dueAt
  const later = secondsAfter(now, sweepDelaySeconds)
  if (jobKinds.some((kind) => isOpen(after[kind]))) return slotAt && slotAt < later ? slotAt : later
  return slotAt ?? null
}

const endsJob = (before: Video, after: Video) =>
  jobKinds.some((kind) => isOpen(before[kind]) && after[kind] !== before[kind] && !isOpen(after[kind]))

/** Whom the end of a job concerns beside its own video: the automation that waits for it, or may take a clip that has a film. */
export function wakeUpsOf({
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
  const mayBeTaken = media.renderKey !== null && publish === null
  return parentVideoId && (run || mayBeTaken) ? [{ automationId: parentVideoId, clipId: run ? id : null, cause }] : []
}

/** A slot that was planned wakes its automation in time. */
function slotTimerOf(before: Video, { id, version, automation }: Video): SlotTimer | undefined {
  const at = automation?.nextSlot?.at
  return at && at !== before.automation?.nextSlot?.at ? { automationId: id, at, cause: `${id}#${version}` } : undefined
}
