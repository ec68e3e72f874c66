/** Starts and ends an automation: create, promote a video to a blueprint, bring its next slot forward, demote. */
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
  wakeUpsAfterEdit,
  withClipUnscheduled,
  withNextSlot,
} from './blueprint.ts'

/** Creates a blueprint and queues its first generation, with its credits reserved. */
export function createAutomation(
  workspace: Workspace,
  input: VideoInput,
  ids: { videoId: string; runId: string },
  now: string,
): VideoDecision & { video: Blueprint } {
  refuseMoreAutomations(workspace)
  const automation = withNextSlot(ids.videoId, newAutomation(now), now)
  const decision = createVideo(workspace, input, ids, now, { isAutomation: true, automation })
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

/** The limit for the commit to check again: of two concurrent requests for the last place, one is refused. */
export const limitOf = ({ planId }: Workspace) => ({ automationsMax: plans[planId].automationsMax })

/** Makes a video a blueprint; undefined if it is one already. */
export function promote(workspace: Workspace, video: Video, now: string): VideoDecision | undefined {
  refuseClip(video)
  if (isBlueprint(video)) return undefined
  if (video.process?.status !== 'COMPLETED')
    throw new Refusal('warning-source-not-ready', 'Wait until the video is generated before promoting it.')
  refuseMoreAutomations(workspace)
  const automation = withNextSlot(video.id, { ...newAutomation(now), ...retainedFields(video.automation) }, now)
  const decision = updateVideo(video, { ...video, isAutomation: true, automation, updatedAt: now }, now)
  return { ...decision, ...limitOf(workspace), automationWakeUps: wakeUpsAfterEdit(decision.video) }
}

/** What a demoted blueprint preserves when it is promoted again: its schedule, used slots, clip numbers and waiting clip. */
export function retainedFields(before: Automation | undefined): Partial<Automation> {
  if (!before) return {}
  const { schedule, autoRefill, cursor, runs, waitingClipId } = before
  return { schedule, autoRefill, cursor, runs, waitingClipId }
}

/** Makes the next slot due now instead of at its time; undefined if it is due already. */
export function bringSlotForward(blueprint: Blueprint, now: string): VideoDecision | undefined {
  const { nextSlot } = blueprint.automation
  if (!nextSlot) throw new Refusal('conflict', 'The automation is paused. Activate it first.')
  if (nextSlot.at <= now) return undefined
  const automation: Automation = { ...blueprint.automation, nextSlot: { ...nextSlot, at: now } }
  return updateVideo(blueprint, { ...blueprint, automation }, now)
}

/** Makes a blueprint a plain video again and unschedules its waiting clip; undefined if it is a plain video already. */
export function demote(video: Video, clip: Video | undefined, now: string): VideoDecision | undefined {
  refuseClip(video)
  if (!isBlueprint(video)) return undefined
  const statusUpdated = video.automation.status === 'active' ? { statusUpdatedAt: now } : {}
  const automation: Automation = { ...video.automation, status: 'paused', ...statusUpdated, nextSlot: null }
  return withClipUnscheduled(
    updateVideo(video, { ...video, isAutomation: false, automation, updatedAt: now }, now),
    clip,
    now,
  )
}

export function refuseClip({ parentVideoId }: Video): void {
  if (parentVideoId !== null)
    throw new Refusal('warning-invalid-input', 'A clip cannot be promoted. Promote the video that it was made from.')
}
