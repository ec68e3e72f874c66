import type { Pipeline } from './pipeline.ts'

/** A position in a list: continue after this row. */
export interface ListPosition {
  id: string
  /** The time of the last activity, `#` and the id. */
  listSk: string
}

/** What is left of a video that was removed, until nothing is: its clips, its runs, its objects. */
export interface Purge {
  videoId: string
  /** How many clips it had: all of them have to be found. */
  clips: number
  runs: { pipeline: Pipeline; runId: string }[]
}

/** Deliveries to an endpoint that were queued before its epoch: they are not sent any more. */
export interface DeliveryDrop {
  webhookId: string
  epoch: number
}

/**
 * Something ended that an automation waits for (the clip, where it is about one); or something came that automations may have lacked: those
 * that publish to the profile, or all of the workspace.
 */
export type AutomationWakeUp = { automationId: string; clipId: string | null; cause: string } | AutomationFanOut

/** `cause`, here and above: the change that it tells of. */
export interface AutomationFanOut {
  profileId: string | null
  cause: string
  /** Those up to this one have been told. */
  behind?: ListPosition
}

/** An automation that wants to be woken. */
export interface SlotTimer {
  automationId: string
  at: string
  /** The change that planned it. */
  cause: string
}
