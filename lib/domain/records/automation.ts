/** The state of an automation, stored in the video record of its blueprint, and of its runs, stored in the clips. */
import type { Schedule } from './schedule.ts'
import type { Slot, SlotCursor } from './slot.ts'

interface AutomationStop extends StopCause {
  detail: string
  stoppedAt: string
}

export interface Automation {
  status: 'active' | 'paused'
  statusUpdatedAt: string
  /** Set while it is paused on behalf of its owner, so that it is resumed with the others: `suspension` of its workspace. */
  pausedBy?: 'operator' | 'suspension'
  /** Null until the client sets one; meanwhile `defaultSchedule` applies. */
  schedule: Schedule | null
  /** Whether it makes clips itself; otherwise it publishes clips that the client made. */
  autoRefill: boolean
  /** When it made its newest clip. */
  lastRunAt: string | null
  stopped: AutomationStop | null
  /** Failed runs in a row. */
  failures: number
  /** Whether the newest slot was blocked. */
  wasBlocked: boolean
  /** The newest decided slot: no slot up to its time is used again, even if the schedule changes. */
  cursor: SlotCursor | null
  /** The next slot to decide; null while paused. */
  nextSlot: Slot | null
  /** The clip that is being made, or is waiting, for the next slot. */
  waitingClipId: string | null
  /** Number of clips it made. The id of a clip is derived from its number, which makes a repeat idempotent. */
  runs: number
}

/** The run of an automation that made or adopted this clip. */
export interface AutomationRun {
  /** Published as soon as it is rendered, outside the schedule. */
  isManual: boolean
  /** Whether its outcome was recorded. */
  isOver: boolean
  /** Whether the automation published it; a publication before that is the client's. */
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

type StopReason = (typeof stopReasons)[number]

export interface StopCause {
  reason: StopReason
  kind: StopKind
  label: string
}

export interface Blocker {
  id: string
  label: string
}

/** `config`: the client has to fix something; `transient`: it may resolve itself. */
export type StopKind = 'config' | 'transient'
