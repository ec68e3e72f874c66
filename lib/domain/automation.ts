/**
 * Automations: a blueprint video with a timetable and a destination. What the automation knows is part of its blueprint's record, so that
 * every decision on it is one on one record. What it does with its slots stands in `slots.ts`.
 */
import type { StopCause } from './blockers.ts'
import { blockersOf, refuseBlocked } from './blockers.ts'
import type { Nudge, VideoDecision } from './decision.ts'
import type { Blocker, ToldAutomation } from './event.ts'
import { plans } from './plan.ts'
import type { PlatformId } from './platform.ts'
import type { Account, Destination } from './profile.ts'
import { Refusal } from './refusal.ts'
import { nextSlotBehind, slotsAfter } from './schedule.ts'
import type { SlotRecord } from './slot-record.ts'
import { defaultSchedule, type Schedule, type Slot } from './timetable.ts'
import type { Video, VideoWish } from './video.ts'
import { changed, createVideo } from './video.ts'
import type { Workspace } from './workspace.ts'

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
  /** The newest slot that was decided on: neither it nor one before it is used again, whatever becomes of the schedule. */
  cursor: Pick<Slot, 'date' | 'index'> | null
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

/** The next five slots; none while paused. */
export function upcomingSlots(automationId: string, automation: Automation): Slot[] {
  const { nextSlot } = automation
  return nextSlot ? [nextSlot, ...slotsAfter(scheduleOf(automation), automationId, nextSlot.at, 4)] : []
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

/** What a client changes; a field that is absent stays. */
export interface AutomationEdit {
  schedule?: Schedule
  profileId?: string | null
  platforms?: PlatformId[]
  autoRefill?: boolean
  status?: Automation['status']
}

/** The destination that an edit leads to. */
export const destinationAfter = ({ destination }: Video, { profileId, platforms }: AutomationEdit): Destination => ({
  profileId: profileId === undefined ? (destination?.profileId ?? null) : profileId,
  platforms: platforms ?? destination?.platforms ?? [],
})

/**
 * Edits an automation. `accounts` are those of the profile that it then has, `clip` the one that waits. Activating is refused while
 * anything is missing; pausing takes the slot from the clip that waits for it.
 */
export function editAutomation(
  workspace: Workspace,
  blueprint: Blueprint,
  edit: AutomationEdit,
  { accounts, clip }: { accounts: readonly Account[]; clip: Video | undefined },
  now: string,
): VideoDecision {
  const before = blueprint.automation
  const edited: Video = { ...blueprint, destination: destinationAfter(blueprint, edit), updatedAt: now }
  if (edit.status === 'active') refuseBlocked(blockersOf(workspace, edited, accounts, now))
  const status = edit.status ?? before.status
  const isTurned = status !== before.status
  const automation: Automation = {
    ...before,
    status,
    ...(isTurned ? { statusUpdatedAt: now } : {}),
    ...(isTurned && status === 'active' ? { stopped: null, failures: 0, wasBlocked: false } : {}),
    schedule: edit.schedule ?? before.schedule,
    autoRefill: edit.autoRefill ?? before.autoRefill,
  }
  const isReplanned = isTurned || edit.schedule !== undefined
  const passed = isReplanned ? passedSlot(blueprint, now) : undefined
  const cursor = passed ? { date: passed.date, index: passed.index } : before.cursor
  const replanned = isReplanned ? planned(blueprint.id, { ...automation, cursor }, now) : automation
  const edition = changed(blueprint, { ...edited, automation: replanned }, now)
  const decision = { ...edition, nudges: nudged(edition.video), ...(passed ? { slots: [passed] } : {}) }
  return status === 'paused' ? withUnscheduled(decision, clip, now) : decision
}

/** A slot that is due and waits for its clip does not outlive the timetable that it belongs to: it is missed. */
function passedSlot({ id, automation: { nextSlot, waitingClipId } }: Blueprint, now: string): SlotRecord | undefined {
  if (!nextSlot || nextSlot.at > now) return undefined
  return { ...nextSlot, automationId: id, outcome: 'missed', clipId: waitingClipId, decidedAt: now }
}

/** It may have something to do now. */
const nudged = ({ id, version }: Video): Nudge[] => [{ automationId: id, clipId: null, cause: `${id}#${version}` }]

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
