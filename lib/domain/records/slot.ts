/** What became of a slot of an automation: it is written once, and kept to be shown. */
import { secondsAfter } from '../core/time.ts'
import type { Slot } from './schedule.ts'

/** A slot that nobody could decide on for longer than this is not made up for. */
const missedAfterSeconds = 60 * 60

/** From when on a slot is missed. */
export const missedAt = ({ at }: Slot) => secondsAfter(at, missedAfterSeconds)
export const isMissed = (slot: Slot, now: string) => missedAt(slot) <= now

export const slotOutcomes = ['published', 'missed', 'blocked', 'failed', 'stopped'] as const

export interface SlotRecord extends Slot {
  automationId: string
  outcome: (typeof slotOutcomes)[number]
  /** The clip that was meant for it. */
  clipId: string | null
  decidedAt: string
}
