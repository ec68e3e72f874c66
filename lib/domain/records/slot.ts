/** Slots of a schedule: their identity, and the stored outcome of each, written once, for display. */
import { secondsAfter } from '../core/time.ts'

/** A slot that was not decided for this long is skipped. */
const missedAfterSeconds = 60 * 60

export const missedAt = ({ at }: Slot) => secondsAfter(at, missedAfterSeconds)

export const isMissed = (slot: Slot, now: string) => missedAt(slot) <= now

export const slotOutcomes = ['published', 'missed', 'blocked', 'failed', 'stopped'] as const

/** Of an automation's latest slots, those that are shown. */
export const shownSlotsMax = 10

export interface SlotRecord extends Slot {
  automationId: string
  outcome: (typeof slotOutcomes)[number]
  /** The clip that was assigned to it. */
  clipId: string | null
  decidedAt: string
}

/** Identifies a slot of a schedule. */
export interface SlotId {
  /** Local, `YYYY-MM-DD`: the date in the schedule, even if DST moved the slot to the next day. */
  date: string
  /** Index among the slots of that date, from 0. */
  index: number
}

export interface Slot extends SlotId {
  /** ISO, UTC. */
  at: string
}

/** A decided slot. `at` is its scheduled time, even if it was triggered early; absent in older records. */
export type SlotCursor = SlotId & { at?: string }
/** Orders by date and index, which is also by time; slots that DST skipped together share theirs. */
export const compareSlots = (a: SlotId, b: SlotId) => (a.date === b.date ? a.index - b.index : a.date < b.date ? -1 : 1)
