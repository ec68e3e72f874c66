/**
 * Automations: a blueprint video with a timetable and a destination. What the automation knows is part of its blueprint's record, so that
 * every decision on it is one on one record. What it does with its slots stands in `slots.ts`, what a client may
 * change of it in `automation-edit.ts`.
 */

import type { AutomationWakeUp } from '../core/outbox.ts'
import type { Automation, Blocker } from '../records/automation.ts'
import type { VideoDecision } from '../records/decision.ts'
import type { AutomationSnapshot } from '../records/event.ts'
import { defaultSchedule, type Schedule, type Slot, type SlotCursor } from '../records/schedule.ts'
import type { Video } from '../records/video.ts'
import { updateVideo } from '../videos/update-video.ts'
import { nextSlotAfter, plannedTime } from './slot-times.ts'

/** A blueprint: a video of which an automation makes clips. */
export type Blueprint = Video & { isAutomation: true; automation: Automation }

export const isBlueprint = (video: Video): video is Blueprint => video.isAutomation && video.automation !== undefined

/** How a new automation begins: active, and with everything still to be set up. */
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

/** The automation with the slot that it decides on next, from `now` on. */
export const withNextSlot = (automationId: string, automation: Automation, now: string): Automation => ({
  ...automation,
  nextSlot:
    automation.status === 'active'
      ? (nextSlotAfter(scheduleOf(automation), automationId, now, automation.cursor) ?? null)
      : null,
})

/** The video with what an automation would be that it never was. */
export const withDefaultAutomation = (video: Video): Video & { automation: Automation } => ({
  ...video,
  automation: video.automation ?? { ...newAutomation(video.createdAt), status: 'paused' },
})

/** The slot behind one that is decided on. */
export const followingSlot = (automationId: string, automation: Automation, slot: Slot): Slot =>
  nextSlotAfter(scheduleOf(automation), automationId, slot.at, cursorOf(automationId, automation, slot))

const upcomingMax = 5

/** The next slots; none while paused. */
export function upcomingSlots(automationId: string, automation: Automation): Slot[] {
  const slots = automation.nextSlot ? [automation.nextSlot] : []
  while (slots.length > 0 && slots.length < upcomingMax)
    slots.push(followingSlot(automationId, automation, slots.at(-1)!))
  return slots
}

/** A decision that also takes the slot from a clip that has one; one that is being published already goes on. */
export function withClipUnscheduled(decision: VideoDecision, clip: Video | undefined, now: string): VideoDecision {
  if (clip?.publish?.status !== 'SCHEDULED') return decision
  const { changes } = updateVideo(clip, { ...clip, publish: null, updatedAt: now }, now)
  return { ...decision, changes: [...decision.changes, ...changes] }
}

/** The cursor where a slot was decided on: at the time of the timetable, also where an operator fired it before. */
export const cursorOf = (automationId: string, automation: Automation, { date, index, at }: Slot): SlotCursor => ({
  date,
  index,
  at: plannedTime(scheduleOf(automation), automationId, { date, index }) ?? at,
})

/** It may have something to do now. */
export const wakeUpsFor = ({ id, version }: Video): AutomationWakeUp[] => [
  { automationId: id, clipId: null, cause: `${id}#${version}` },
]

/** An automation as events tell of it. */
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
