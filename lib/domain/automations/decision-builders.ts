/** Building blocks for decisions on an automation: their input, updates of the blueprint, the end of a slot, a stop. */

import type { Account } from '../records/account.ts'
import type { Automation, Blocker, StopCause } from '../records/automation.ts'
import { changedVideos, type VideoDecision } from '../records/decision.ts'
import type { DomainEvent } from '../records/event.ts'
import { newEvent } from '../records/event.ts'
import type { Profile } from '../records/profile.ts'
import type { Slot, SlotRecord } from '../records/slot.ts'
import type { Video } from '../records/video.ts'
import { updateVideo } from '../videos/update-video.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { Blueprint } from './blueprint.ts'
import { automationSnapshot, cursorOf, followingSlot } from './blueprint.ts'

/** Everything that a decision on an automation reads. */
export interface AutomationContext {
  workspace: Workspace
  blueprint: Blueprint
  /** The clip that is scheduled or being made for the next slot. */
  clip: Video | undefined
  /** The oldest rendered, never published clip: the supply of an automation without `autoRefill`. */
  spare: Video | undefined
  profile: Profile | undefined
  accounts: readonly Account[]
}

type BlueprintDecision = VideoDecision & { video: Blueprint }

/** Updates fields of the blueprint's automation. */
export function updateAutomation(
  context: AutomationContext,
  fields: Partial<Automation>,
  now: string,
): BlueprintDecision {
  const { blueprint } = context
  const automation = { ...blueprint.automation, ...fields }
  return updateVideo(blueprint, { ...blueprint, automation, updatedAt: now }, now) as BlueprintDecision
}

/** Merges decisions on two records; `video` is that of the first. */
export const mergeDecisions = (first: VideoDecision, second: VideoDecision): VideoDecision => ({
  ...first,
  ...second,
  video: first.video,
  changes: [...first.changes, ...second.changes],
  events: [...first.events, ...second.events],
  charges: [...first.charges, ...second.charges],
  starts: [...first.starts, ...second.starts],
  automationWakeUps: [...(first.automationWakeUps ?? []), ...(second.automationWakeUps ?? [])],
  slotTimers: [...(first.slotTimers ?? []), ...(second.slotTimers ?? [])],
  slotRecords: [...(first.slotRecords ?? []), ...(second.slotRecords ?? [])],
})

/** The context after a decision; undefined if it cannot be known without a read. The commit checks the price again. */
export function contextAfter(context: AutomationContext, decision: VideoDecision): AutomationContext | undefined {
  const newest = [...changedVideos(decision), context.blueprint, ...(context.clip ? [context.clip] : [])]
  const blueprint = newest.find(({ id }) => id === context.blueprint.id) as Blueprint
  const { waitingClipId, autoRefill } = blueprint.automation
  const clip = newest.find(({ id }) => id === waitingClipId)
  return clip || (autoRefill && !waitingClipId) ? { ...context, blueprint, clip, spare: undefined } : undefined
}

/** Ends a slot: records its outcome, moves the cursor and plans the next slot. */
export function consumeSlot(
  context: AutomationContext,
  slot: Slot,
  outcome: SlotRecord['outcome'],
  fields: Partial<Automation>,
  now: string,
): BlueprintDecision {
  const { blueprint, clip } = context
  const cursor = cursorOf(blueprint.id, blueprint.automation, slot)
  const nextSlot = followingSlot(blueprint.id, blueprint.automation, slot)
  const record: SlotRecord = { ...slot, automationId: blueprint.id, outcome, clipId: clip?.id ?? null, decidedAt: now }
  const decision = updateAutomation(context, { cursor, nextSlot, ...fields }, now)
  const cause = `${blueprint.id}#${decision.video.version}`
  // A wake-up, since this worker may crash before it makes the next clip.
  return {
    ...decision,
    slotRecords: [record],
    automationWakeUps: [{ automationId: blueprint.id, clipId: null, cause }],
  }
}

/** The fields that stop an automation: paused, with the cause. */
export const stopFields = (cause: StopCause, blockers: readonly Blocker[], now: string): Partial<Automation> => ({
  status: 'paused',
  statusUpdatedAt: now,
  nextSlot: null,
  stopped: { ...cause, detail: blockers.map(({ label }) => label).join(' '), stoppedAt: now },
})

/** Adds the event, with the automation after the decision. Its cause is the version, on which one decision can be made. */
export function withBlockedEvent(decision: BlueprintDecision, blockers: Blocker[], now: string): BlueprintDecision {
  const automation = automationSnapshot(decision.video, blockers)
  return withEvent(decision, newEvent('automation.blocked', { automation, blockers }, causeOf(decision), now))
}

export function withStoppedEvent(decision: BlueprintDecision, blockers: Blocker[], now: string): BlueprintDecision {
  const automation = automationSnapshot(decision.video, blockers)
  const { reason, kind } = decision.video.automation.stopped!
  return withEvent(decision, newEvent('automation.stopped', { automation, reason, kind }, causeOf(decision), now))
}

const causeOf = ({ video: { id, version } }: BlueprintDecision) => `${id}#${version}`

const withEvent = (decision: BlueprintDecision, event: DomainEvent): BlueprintDecision => ({
  ...decision,
  events: [...decision.events, event],
})
