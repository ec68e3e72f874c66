/**
 * A blueprint: a video with a schedule and a destination, from which an automation makes clips. The automation's state is
 * part of the video record, so that a decision on it changes one record. Deciding on slots is in `reconcile.ts`, edits by
 * clients are in `edit-automation.ts`.
 */

import type { AutomationWakeUp } from '../core/outbox.ts'
import type { Automation, Blocker } from '../records/automation.ts'
import type { VideoDecision } from '../records/decision.ts'
import type { AutomationSnapshot } from '../records/event.ts'
import { defaultSchedule, type Schedule } from '../records/schedule.ts'
import type { Slot, SlotCursor } from '../records/slot.ts'
import type { Video } from '../records/video.ts'
import { updateVideo } from '../videos/update-video.ts'
import { nextSlotAfter, plannedTime } from './slot-times.ts'

/** A blueprint: a video of which an automation makes clips. */
export type Blueprint = Video & { isAutomation: true; automation: Automation }

export const isBlueprint = (video: Video): video is Blueprint => video.isAutomation && video.automation !== undefined

/** A new automation: active, without a schedule or destination. */
export const newAutomation = (now: string): Automation => ({
  status: 'active',
  statusUpdatedAt: now,
  schedule: null,
  autoRefill: true,
  lastRunAt: null,
  stopped: null,
  failures: 0,
  wasBlocked: false,
  cursor: null,
  nextSlot: null,
  waitingClipId: null,
  runs: 0,
})

export const scheduleOf = ({ schedule }: Automation): Schedule => schedule ?? defaultSchedule

/** The automation with its next slot after `now`; none while paused. */
export const withNextSlot = (automationId: string, automation: Automation, now: string): Automation => ({
  ...automation,
  nextSlot:
    automation.status === 'active' ? nextSlotAfter(scheduleOf(automation), automationId, now, automation.cursor) : null,
})

/** The video with a paused automation if it has none: how the API shows a video that was never a blueprint. */
export const withDefaultAutomation = (video: Video): Video & { automation: Automation } => ({
  ...video,
  automation: video.automation ?? { ...newAutomation(video.createdAt), status: 'paused' },
})

/** The slot after a given one. */
export const followingSlot = (automationId: string, automation: Automation, slot: Slot): Slot =>
  nextSlotAfter(scheduleOf(automation), automationId, slot.at, cursorOf(automationId, automation, slot))

export const upcomingMax = 5

/** The next slots; none while paused. */
export function upcomingSlots(automationId: string, automation: Automation): Slot[] {
  const slots = automation.nextSlot ? [automation.nextSlot] : []
  while (slots.length > 0 && slots.length < upcomingMax)
    slots.push(followingSlot(automationId, automation, slots.at(-1)!))
  return slots
}

/** Adds to a decision that a scheduled clip loses its slot. A publication that has started continues. */
export function withClipUnscheduled(decision: VideoDecision, clip: Video | undefined, now: string): VideoDecision {
  if (clip?.publish?.status !== 'SCHEDULED') return decision
  const { changes } = updateVideo(clip, { ...clip, publish: null, updatedAt: now }, now)
  return { ...decision, changes: [...decision.changes, ...changes] }
}

/** The cursor after a slot was decided, at its scheduled time even if the slot was triggered early. */
export const cursorOf = (automationId: string, automation: Automation, { date, index, at }: Slot): SlotCursor => ({
  date,
  index,
  at: plannedTime(scheduleOf(automation), automationId, { date, index }) ?? at,
})

/** Re-enqueues the automation after a change of its blueprint. */
export const wakeUpsAfterEdit = ({ id, version }: Video): AutomationWakeUp[] => [
  { automationId: id, clipId: null, cause: `${id}#${version}` },
]

/** The part of an automation that events contain. */
export const automationSnapshot = (
  { id, title, destination, automation }: Blueprint,
  blockers: readonly Blocker[],
): AutomationSnapshot => ({
  id,
  title,
  status: automation.status,
  publishing: { profileId: destination?.profileId ?? null, platforms: destination?.platforms ?? [] },
  autoRefill: automation.autoRefill,
  lastRunAt: automation.lastRunAt,
  health: {
    ready: blockers.length === 0,
    blockers: [...blockers],
    nextScheduledAt: automation.nextSlot?.at ?? null,
  },
  stopped: automation.stopped,
})
