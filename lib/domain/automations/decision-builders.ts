/** What the decisions on an automation are made of: what they look at, what they write, and how a slot or the whole automation ends. */

import type { Account } from '../records/account.ts'
import type { Automation, Blocker, StopCause } from '../records/automation.ts'
import { changedVideos, type VideoDecision } from '../records/decision.ts'
import type { DomainEvent } from '../records/event.ts'
import { newEvent } from '../records/event.ts'
import type { Profile } from '../records/profile.ts'
import type { Slot } from '../records/schedule.ts'
import type { SlotRecord } from '../records/slot.ts'
import type { Video } from '../records/video.ts'
import { updateVideo } from '../videos/update-video.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { Blueprint } from './blueprint.ts'
import { automationSnapshot, cursorOf, followingSlot } from './blueprint.ts'

/** All that a decision on an automation looks at. */
export interface AutomationContext {
  workspace: Workspace
  blueprint: Blueprint
  /** The clip that waits or is made for the next slot. */
  clip: Video | undefined
  /** The oldest clip that has a film and was never published: what an automation without `autoRefill` lives on. */
  spare: Video | undefined
  profile: Profile | undefined
  accounts: readonly Account[]
}

export type BlueprintDecision = VideoDecision & { video: Blueprint }

/** The blueprint with what its automation now knows. */
export function updateAutomation(view: AutomationContext, fields: Partial<Automation>, now: string): BlueprintDecision {
  const { blueprint } = view
  const automation = { ...blueprint.automation, ...fields }
  return updateVideo(blueprint, { ...blueprint, automation, updatedAt: now }, now) as BlueprintDecision
}

/** Two decisions on two records as one, about the video of the first. */
export const mergeDecisions = (first: VideoDecision, second: VideoDecision): VideoDecision => ({
  ...first,
  ...second,
  video: first.video,
  changes: [...first.changes, ...second.changes],
  events: [...first.events, ...second.events],
  charges: [...first.charges, ...second.charges],
  starts: [...first.starts, ...second.starts],
  wakeUps: [...(first.wakeUps ?? []), ...(second.wakeUps ?? [])],
  slotTimers: [...(first.slotTimers ?? []), ...(second.slotTimers ?? [])],
  slotRecords: [...(first.slotRecords ?? []), ...(second.slotRecords ?? [])],
})

/** What a next decision would see; undefined where that cannot be told without looking. What it costs is checked by the commit. */
export function contextAfter(view: AutomationContext, decision: VideoDecision): AutomationContext | undefined {
  const newest = [...changedVideos(decision), view.blueprint, ...(view.clip ? [view.clip] : [])]
  const blueprint = newest.find(({ id }) => id === view.blueprint.id) as Blueprint
  const { waitingClipId, autoRefill } = blueprint.automation
  const clip = newest.find(({ id }) => id === waitingClipId)
  return clip || (autoRefill && !waitingClipId) ? { ...view, blueprint, clip, spare: undefined } : undefined
}

/** Leaves a slot behind: the cursor moves, the next one is planned and prepared for, and what became of it is kept. */
export function consumeSlot(
  view: AutomationContext,
  slot: Slot,
  outcome: SlotRecord['outcome'],
  fields: Partial<Automation>,
  now: string,
): BlueprintDecision {
  const { blueprint, clip } = view
  const cursor = cursorOf(blueprint.id, blueprint.automation, slot)
  const nextSlot = followingSlot(blueprint.id, blueprint.automation, slot)
  const record: SlotRecord = { ...slot, automationId: blueprint.id, outcome, clipId: clip?.id ?? null, decidedAt: now }
  const decision = updateAutomation(view, { cursor, nextSlot, ...fields }, now)
  const cause = `${blueprint.id}#${decision.video.version}`
  // Whoever decides may die before it has made the next clip.
  return { ...decision, slotRecords: [record], wakeUps: [{ automationId: blueprint.id, clipId: null, cause }] }
}

/** What a stop writes: the automation is paused, and says why. */
export const stopFields = (cause: StopCause, blockers: readonly Blocker[], now: string): Partial<Automation> => ({
  status: 'paused',
  statusUpdatedAt: now,
  nextSlot: null,
  stopped: { ...cause, detail: blockers.map(({ label }) => label).join(' '), stoppedAt: now },
})

/** Tells of an automation as it then is; it decides once on each of its versions. */
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
