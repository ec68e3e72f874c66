/** What the decisions on an automation are made of: what they look at, what they write, and how a slot or the whole automation ends. */

import type { Account } from '../records/account.ts'
import type { Automation, Blocker, StopCause } from '../records/automation.ts'
import { type VideoDecision, videosAfter } from '../records/decision.ts'
import type { DomainEvent } from '../records/event.ts'
import { tell } from '../records/event.ts'
import type { Profile } from '../records/profile.ts'
import type { Slot } from '../records/schedule.ts'
import type { SlotRecord } from '../records/slot.ts'
import type { Video } from '../records/video.ts'
import { changed } from '../videos/update-video.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { Blueprint } from './blueprint.ts'
import { slotBehind, toldAutomation, usedSlot } from './blueprint.ts'

/** All that a decision on an automation looks at. */
export interface AutomationView {
  workspace: Workspace
  blueprint: Blueprint
  /** The clip that waits or is made for the next slot. */
  clip: Video | undefined
  /** The oldest clip that has a film and was never published: what an automation without `autoRefill` lives on. */
  spare: Video | undefined
  profile: Profile | undefined
  accounts: readonly Account[]
}

export type AutomationDecision = VideoDecision & { video: Blueprint }

/** The blueprint with what its automation now knows. */
export function withAutomation(view: AutomationView, fields: Partial<Automation>, now: string): AutomationDecision {
  const { blueprint } = view
  const automation = { ...blueprint.automation, ...fields }
  return changed(blueprint, { ...blueprint, automation, updatedAt: now }, now) as AutomationDecision
}

/** Two decisions on two records as one, about the video of the first. */
export const together = (first: VideoDecision, second: VideoDecision): VideoDecision => ({
  ...first,
  ...second,
  video: first.video,
  changes: [...first.changes, ...second.changes],
  events: [...first.events, ...second.events],
  charges: [...first.charges, ...second.charges],
  starts: [...first.starts, ...second.starts],
  nudges: [...(first.nudges ?? []), ...(second.nudges ?? [])],
  alarms: [...(first.alarms ?? []), ...(second.alarms ?? [])],
  slots: [...(first.slots ?? []), ...(second.slots ?? [])],
})

/** What a next decision would see; undefined where that cannot be told without looking. What it costs is checked by the commit. */
export function viewAfter(view: AutomationView, decision: VideoDecision): AutomationView | undefined {
  const newest = [...videosAfter(decision), view.blueprint, ...(view.clip ? [view.clip] : [])]
  const blueprint = newest.find(({ id }) => id === view.blueprint.id) as Blueprint
  const { waitingClipId, autoRefill } = blueprint.automation
  const clip = newest.find(({ id }) => id === waitingClipId)
  return clip || (autoRefill && !waitingClipId) ? { ...view, blueprint, clip, spare: undefined } : undefined
}

/** Leaves a slot behind: the cursor moves, the next one is planned and prepared for, and what became of it is kept. */
export function used(
  view: AutomationView,
  slot: Slot,
  outcome: SlotRecord['outcome'],
  fields: Partial<Automation>,
  now: string,
): AutomationDecision {
  const { blueprint, clip } = view
  const cursor = usedSlot(blueprint.id, blueprint.automation, slot)
  const nextSlot = slotBehind(blueprint.id, blueprint.automation, slot)
  const record: SlotRecord = { ...slot, automationId: blueprint.id, outcome, clipId: clip?.id ?? null, decidedAt: now }
  const decision = withAutomation(view, { cursor, nextSlot, ...fields }, now)
  const cause = `${blueprint.id}#${decision.video.version}`
  // Whoever decides may die before it has made the next clip.
  return { ...decision, slots: [record], nudges: [{ automationId: blueprint.id, clipId: null, cause }] }
}

/** What a stop writes: the automation is paused, and says why. */
export const stop = (cause: StopCause, blockers: readonly Blocker[], now: string): Partial<Automation> => ({
  status: 'paused',
  statusUpdatedAt: now,
  nextSlot: null,
  stopped: { ...cause, detail: blockers.map(({ label }) => label).join(' '), stoppedAt: now },
})

/** Tells of an automation as it then is; it decides once on each of its versions. */
export function tellingBlocked(decision: AutomationDecision, blockers: Blocker[], now: string): AutomationDecision {
  const automation = toldAutomation(decision.video, blockers)
  return withEvent(decision, tell('automation.blocked', { automation, blockers }, causeOf(decision), now))
}

export function tellingStopped(decision: AutomationDecision, blockers: Blocker[], now: string): AutomationDecision {
  const automation = toldAutomation(decision.video, blockers)
  const { reason, kind } = decision.video.automation.stopped!
  return withEvent(decision, tell('automation.stopped', { automation, reason, kind }, causeOf(decision), now))
}

const causeOf = ({ video: { id, version } }: AutomationDecision) => `${id}#${version}`

const withEvent = (decision: AutomationDecision, event: DomainEvent): AutomationDecision => ({
  ...decision,
  events: [...decision.events, event],
})
