/** The stored outcome of a slot of an automation: written once, for display. */
import { secondsAfter } from '../core/time.ts'
import type { Slot } from './schedule.ts'

/** A slot that was not decided for this long is skipped. */
const missedAfterSeconds = 60 * 60

export const missedAt = ({ at }: Slot) => secondsAfter(at, missedAfterSeconds)
export const isMissed = (slot: Slot, now: string) => missedAt(slot) <= now

export const slotOutcomes = ['published', 'missed', 'blocked', 'failed', 'stopped'] as const

export interface SlotRecord extends Slot {
  automationId: string
  outcome: (typeof slotOutcomes)[number]
  /** The clip that was assigned to it. */
  clipId: string | null
  decidedAt: string
}
