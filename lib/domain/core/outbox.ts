/** Work that a commit queues in the outbox: purges, dropped deliveries, wake-ups and slot timers of automations. Types only. */
import type { Pipeline } from './pipeline.ts'

/** A cursor in a list: continue after this row. */
export interface ListPosition {
  id: string
  /** Sort key: time of the last activity, `#`, id. */
  listSk: string
}

/** What remains to be deleted of a removed video: its clips, its open runs, its objects. */
export interface Purge {
  videoId: string
  /** How many clips it had: the purge is complete once it has found all of them. */
  clips: number
  runs: { pipeline: Pipeline; runId: string }[]
}

/** Drops the queued deliveries of an endpoint from before this epoch. */
export interface DeliveryDrop {
  webhookId: string
  epoch: number
}

/** Queues events of the journal for an endpoint again. */
export interface DeliveryReplay {
  webhookId: string
  /** The endpoint's epoch at the request: nothing is queued if it was disabled since. */
  epoch: number
  /** The request, and the part of its range. */
  cause: string
  eventIds: string[]
  /** How many events of the request come before these. */
  offset: number
}

/**
 * Re-enqueues one automation because something that it waits for has ended (`clipId` if that is a clip), or many automations
 * because a blocker may be gone. `cause`, here and below, names the change.
 */
export type AutomationWakeUp = { automationId: string; clipId: string | null; cause: string } | AutomationFanOut

/** Wakes the automations that publish to a profile; with null all of the workspace. */
export interface AutomationFanOut {
  profileId: string | null
  cause: string
  /** Cursor: automations up to this one are done. */
  behind?: ListPosition
}

/** The EventBridge schedule that wakes an automation at its next slot. */
export interface SlotTimer {
  automationId: string
  at: string
  /** The change that planned the slot. */
  cause: string
}
