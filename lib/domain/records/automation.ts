import type { Schedule, Slot, SlotCursor } from './schedule.ts'

export interface AutomationStop extends StopCause {
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
  stopped: AutomationStop | null
  /** Runs in a row that came to nothing. */
  failures: number
  /** Whether the newest slot could not be used for lack of something. */
  wasBlocked: boolean
  /** The newest slot that was decided on: neither it nor one up to its time is used again, whatever becomes of the schedule. */
  cursor: SlotCursor | null
  /** The slot that is decided on next; null while paused. */
  nextSlot: Slot | null
  /** The clip that is made for the next slot, or waits for it. */
  waitingClipId: string | null
  /** Counts the clips that it made: each is named by its number, so that a repeat makes no second one. */
  runs: number
}

/** What a clip knows of the run of an automation that made it. */
export interface AutomationRun {
  /** Whether it is published as soon as it can be, outside the timetable. */
  isManual: boolean
  /** Whether what became of it was counted. */
  isOver: boolean
  /** Whether the automation has published it: a publication before that is the client's. */
  isPublished?: boolean
}

export const stopReasons = [
  'publish_not_configured',
  'publish_no_accounts',
  'publish_auth',
  'plan_publish',
  'no_credits',
  'repeated_failures',
] as const

export type StopReason = (typeof stopReasons)[number]

export interface StopCause {
  reason: StopReason
  /** Whether the client has to mend something, or it may clear by itself. */
  kind: StopKind
  label: string
}

export interface Blocker {
  id: string
  label: string
}

/** Something that the client has to mend, or a row of failures that may clear. */
export type StopKind = 'config' | 'transient'
