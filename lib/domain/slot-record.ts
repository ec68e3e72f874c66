/** What became of a slot of an automation: it is written once, and kept to be shown. */
import type { Slot } from './timetable.ts'

export const slotOutcomes = ['published', 'missed', 'blocked', 'failed', 'stopped'] as const

export interface SlotRecord extends Slot {
  automationId: string
  outcome: (typeof slotOutcomes)[number]
  /** The clip that was meant for it. */
  clipId: string | null
  decidedAt: string
}
