import { Refusal } from '../core/refusal.ts'
import type { Automation } from '../records/automation.ts'
import type { VideoDecision } from '../records/decision.ts'
import type { Video } from '../records/video.ts'
import { createVideo, type VideoInput } from '../videos/create-video.ts'
import { updateVideo } from '../videos/update-video.ts'
import { plans } from '../workspaces/plan.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import {
  type Blueprint,
  isBlueprint,
  newAutomation,
  wakeUpsFor,
  withClipUnscheduled,
  withNextSlot,
} from './blueprint.ts'

/** A new blueprint, whose first generation is queued and paid for. */
export function createAutomation(
  workspace: Workspace,
  wish: VideoInput,
  ids: { videoId: string; runId: string },
  now: string,
): VideoDecision & { video: Blueprint } {
  refuseMoreAutomations(workspace)
  const automation = withNextSlot(ids.videoId, newAutomation(now), now)
  const decision = createVideo(workspace, wish, ids, now, { isAutomation: true, automation })
  const video = { ...decision.video, isAutomation: true as const, automation }
  return {
    ...decision,
    video,
    ...limitOf(workspace),
    slotTimers: [{ automationId: ids.videoId, at: automation.nextSlot!.at, cause: `${ids.videoId}#${video.version}` }],
  }
}

export function refuseMoreAutomations({ planId, automationsUsed }: Workspace): void {
  const limit = plans[planId].automationsMax
  if (limit !== null && automationsUsed >= limit)
    throw new Refusal('warning-plan-automations', `The plan allows ${limit} automations.`, { action: 'upgrade' })
}

/** Of two that take the last place, one is refused. */
export const limitOf = ({ planId }: Workspace) => ({ automationsMax: plans[planId].automationsMax })

/** Makes a video a blueprint; one that is stays as it is. */
export function promote(workspace: Workspace, video: Video, now: string): VideoDecision | undefined {
  refuseClip(video)
  if (isBlueprint(video)) return undefined
  if (video.process?.status !== 'COMPLETED')
    throw new Refusal('warning-source-not-ready', 'Wait until the video is generated before promoting it.')
  refuseMoreAutomations(workspace)
  const automation = withNextSlot(video.id, { ...newAutomation(now), ...retainedFields(video.automation) }, now)
  const decision = updateVideo(video, { ...video, isAutomation: true, automation, updatedAt: now }, now)
  return { ...decision, ...limitOf(workspace), wakeUps: wakeUpsFor(decision.video) }
}

/**
 * What a blueprint that was one before keeps: its timetable; and slots that it used stay used, its clips keep their numbers, the one that
 * waited waits again.
 */
export function retainedFields(before: Automation | undefined): Partial<Automation> {
  if (!before) return {}
  const { schedule, autoRefill, cursor, runs, waitingClipId } = before
  return { schedule, autoRefill, cursor, runs, waitingClipId }
}

/** Brings the next slot forward, so that it is due now and never again; undefined where it is due already. */
export function bringSlotForward(blueprint: Blueprint, now: string): VideoDecision | undefined {
  const { nextSlot } = blueprint.automation
  if (!nextSlot) throw new Refusal('conflict', 'The automation is paused: no slot of it is next.')
  if (nextSlot.at <= now) return undefined
  const automation: Automation = { ...blueprint.automation, nextSlot: { ...nextSlot, at: now } }
  return updateVideo(blueprint, { ...blueprint, automation }, now)
}

/** Makes a blueprint a plain video again, after the clip that waited lost its slot; a plain one stays as it is. */
export function demote(video: Video, clip: Video | undefined, now: string): VideoDecision | undefined {
  refuseClip(video)
  if (!isBlueprint(video)) return undefined
  const turnedAt = video.automation.status === 'active' ? { statusUpdatedAt: now } : {}
  const automation: Automation = { ...video.automation, status: 'paused', ...turnedAt, nextSlot: null }
  return withClipUnscheduled(
    updateVideo(video, { ...video, isAutomation: false, automation, updatedAt: now }, now),
    clip,
    now,
  )
}

export function refuseClip({ parentVideoId }: Video): void {
  if (parentVideoId !== null)
    throw new Refusal('warning-invalid-input', 'A clip cannot be promoted: promote the video that it was made from.')
}
