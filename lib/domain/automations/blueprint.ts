/**
 * Automations: a blueprint video with a timetable and a destination. What the automation knows is part of its blueprint's record, so that
 * every decision on it is one on one record. What it does with its slots stands in `slots.ts`, what a client may
 * change of it in `automation-edit.ts`.
 */

import { Refusal } from '../core/refusal.ts'
import type { Nudge, VideoDecision } from '../records/decision.ts'
import type { Blocker, ToldAutomation } from '../records/event.ts'
import { defaultSchedule, type Schedule, type Slot, type UsedSlot } from '../records/schedule.ts'
import type { Video, VideoWish } from '../videos/create-video.ts'
import { createVideo } from '../videos/create-video.ts'
import { changed } from '../videos/update-video.ts'
import { plans } from '../workspaces/plan.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { StopCause } from './blockers.ts'
import { nextSlotBehind, plannedTime } from './slot-times.ts'

export interface Stop extends StopCause {
  detail: string
  stoppedAt: string
}

export interface Automation {
  status: 'active' | 'paused'
  statusUpdatedAt: string
  /** Null until the client gives one: then it is `defaultSchedule`. */
  schedule: Schedule | null
  autoRefill: boolean
  /** When it made its newest clip. */
  lastRunAt: string | null
  stopped: Stop | null
  /** Runs in a row that came to nothing. */
  failures: number
  /** Whether the newest slot could not be used for lack of something. */
  wasBlocked: boolean
  /** The newest slot that was decided on: neither it nor one up to its time is used again, whatever becomes of the schedule. */
  cursor: UsedSlot | null
  /** The slot that is decided on next; null while paused. */
  nextSlot: Slot | null
  /** The clip that is made for the next slot, or waits for it. */
  waitingClipId: string | null
  /** Counts the clips that it made: each is named by its number, so that a repeat makes no second one. */
  runs: number
}

/** What a clip knows of the run of an automation that made it. */
export interface ClipRun {
  /** Whether it is published as soon as it can be, outside the timetable. */
  isManual: boolean
  /** Whether what became of it was counted. */
  isOver: boolean
  /** Whether the automation has published it: a publication before that is the client's. */
  isPublished?: boolean
}

/** A blueprint: a video of which an automation makes clips. */
export type Blueprint = Video & { isAutomation: true; automation: Automation }

export const isBlueprint = (video: Video): video is Blueprint => video.isAutomation && video.automation !== undefined

/** How a new automation begins: active, and with everything still to be set up. */
const newAutomation = (now: string): Automation => ({
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
export const planned = (automationId: string, automation: Automation, now: string): Automation => ({
  ...automation,
  nextSlot:
    automation.status === 'active'
      ? (nextSlotBehind(scheduleOf(automation), automationId, now, automation.cursor) ?? null)
      : null,
})

/** The video with what an automation would be that it never was. */
export const withAutomation = (video: Video): Video & { automation: Automation } => ({
  ...video,
  automation: video.automation ?? { ...newAutomation(video.createdAt), status: 'paused' },
})

/** The slot behind one that is decided on. */
export const slotBehind = (automationId: string, automation: Automation, slot: Slot): Slot =>
  nextSlotBehind(scheduleOf(automation), automationId, slot.at, usedSlot(automationId, automation, slot))

const upcomingMax = 5

/** The next slots; none while paused. */
export function upcomingSlots(automationId: string, automation: Automation): Slot[] {
  const slots = automation.nextSlot ? [automation.nextSlot] : []
  while (slots.length > 0 && slots.length < upcomingMax) slots.push(slotBehind(automationId, automation, slots.at(-1)!))
  return slots
}

/** A new blueprint, whose first generation is queued and paid for. */
export function createAutomation(
  workspace: Workspace,
  wish: VideoWish,
  ids: { videoId: string; runId: string },
  now: string,
): VideoDecision & { video: Blueprint } {
  refuseMoreAutomations(workspace)
  const automation = planned(ids.videoId, newAutomation(now), now)
  const decision = createVideo(workspace, wish, ids, now, { isAutomation: true, automation })
  const video = { ...decision.video, isAutomation: true as const, automation }
  return {
    ...decision,
    video,
    ...limitOf(workspace),
    alarms: [{ automationId: ids.videoId, at: automation.nextSlot!.at, cause: `${ids.videoId}#${video.version}` }],
  }
}

function refuseMoreAutomations({ planId, automationsUsed }: Workspace): void {
  const limit = plans[planId].automationsMax
  if (limit !== null && automationsUsed >= limit)
    throw new Refusal('warning-plan-automations', `The plan allows ${limit} automations.`, { action: 'upgrade' })
}

/** Of two that take the last place, one is refused. */
const limitOf = ({ planId }: Workspace) => ({ automationsMax: plans[planId].automationsMax })

/** Makes a video a blueprint; one that is stays as it is. */
export function promote(workspace: Workspace, video: Video, now: string): VideoDecision | undefined {
  refuseClip(video)
  if (isBlueprint(video)) return undefined
  if (video.process?.status !== 'COMPLETED')
    throw new Refusal('warning-source-not-ready', 'Wait until the video is generated before promoting it.')
  refuseMoreAutomations(workspace)
  const automation = planned(video.id, { ...newAutomation(now), ...keptOf(video.automation) }, now)
  const decision = changed(video, { ...video, isAutomation: true, automation, updatedAt: now }, now)
  return { ...decision, ...limitOf(workspace), nudges: nudged(decision.video) }
}

/**
 * What a blueprint that was one before keeps: its timetable; and slots that it used stay used, its clips keep their numbers, the one that
 * waited waits again.
 */
function keptOf(before: Automation | undefined): Partial<Automation> {
  if (!before) return {}
  const { schedule, autoRefill, cursor, runs, waitingClipId } = before
  return { schedule, autoRefill, cursor, runs, waitingClipId }
}

/** Brings the next slot forward, so that it is due now and never again; undefined where it is due already. */
export function fireSlot(blueprint: Blueprint, now: string): VideoDecision | undefined {
  const { nextSlot } = blueprint.automation
  if (!nextSlot) throw new Refusal('conflict', 'The automation is paused: no slot of it is next.')
  if (nextSlot.at <= now) return undefined
  const automation: Automation = { ...blueprint.automation, nextSlot: { ...nextSlot, at: now } }
  return changed(blueprint, { ...blueprint, automation }, now)
}

/** Makes a blueprint a plain video again, after the clip that waited lost its slot; a plain one stays as it is. */
export function demote(video: Video, clip: Video | undefined, now: string): VideoDecision | undefined {
  refuseClip(video)
  if (!isBlueprint(video)) return undefined
  const turnedAt = video.automation.status === 'active' ? { statusUpdatedAt: now } : {}
  const automation: Automation = { ...video.automation, status: 'paused', ...turnedAt, nextSlot: null }
  return withUnscheduled(changed(video, { ...video, isAutomation: false, automation, updatedAt: now }, now), clip, now)
}

function refuseClip({ parentVideoId }: Video): void {
  if (parentVideoId !== null)
    throw new Refusal('warning-invalid-input', 'A clip cannot be promoted: promote the video that it was made from.')
}

/** A decision that also takes the slot from a clip that has one; one that is being published already goes on. */
export function withUnscheduled(decision: VideoDecision, clip: Video | undefined, now: string): VideoDecision {
  if (clip?.publish?.status !== 'SCHEDULED') return decision
  const { changes } = changed(clip, { ...clip, publish: null, updatedAt: now }, now)
  return { ...decision, changes: [...decision.changes, ...changes] }
}

/** The cursor where a slot was decided on: at the time of the timetable, also where an operator fired it before. */
export const usedSlot = (automationId: string, automation: Automation, { date, index, at }: Slot): UsedSlot => ({
  date,
  index,
  at: plannedTime(scheduleOf(automation), automationId, { date, index }) ?? at,
})

/** It may have something to do now. */
export const nudged = ({ id, version }: Video): Nudge[] => [
  { automationId: id, clipId: null, cause: `${id}#${version}` },
]

/** An automation as events tell of it. */
export const toldAutomation = (
  { id, title, destination, automation }: Blueprint,
  blockers: readonly Blocker[],
): ToldAutomation => ({
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
