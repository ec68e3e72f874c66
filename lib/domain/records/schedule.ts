/** What a timetable can say, and how its slots are named. When they are stands in `schedule.ts`, which needs the clocks of all zones. */

export const frequencies = ['daily', 'twice-daily', 'thrice-daily', 'weekly', 'twice-weekly', 'thrice-weekly'] as const
export type Frequency = (typeof frequencies)[number]

/** In the order of ISO 8601. */
export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type Weekday = (typeof weekdays)[number]

export const slotModes = ['fixed', 'random'] as const

/** The list that holds the slots of a frequency, and how many they are. */
export const slotsPerFrequency: Record<Frequency, { list: 'times' | 'days'; count: number }> = {
  daily: { list: 'times', count: 1 },
  'twice-daily': { list: 'times', count: 2 },
  'thrice-daily': { list: 'times', count: 3 },
  weekly: { list: 'days', count: 1 },
  'twice-weekly': { list: 'days', count: 2 },
  'thrice-weekly': { list: 'days', count: 3 },
}

export interface SlotTime {
  /** Local, `HH:MM`. */
  time: string
  mode: (typeof slotModes)[number]
}

export interface Schedule {
  frequency: Frequency
  /** An IANA name. */
  timezone: string
  /** Every day; empty where `days` is not. */
  times: SlotTime[]
  days: (SlotTime & { day: Weekday })[]
}

export const defaultSchedule: Schedule = {
  frequency: 'daily',
  timezone: 'UTC',
  times: [{ time: '09:00', mode: 'fixed' }],
  days: [],
}

/** What tells the slots of a schedule apart. */
export interface SlotId {
  /** Local, `YYYY-MM-DD`: the date that the schedule means, also where its slot had to move to the next one. */
  date: string
  /** The place among the slots of that date, from 0. */
  index: number
}

export interface Slot extends SlotId {
  /** ISO, UTC. */
  at: string
}

/** A slot that was decided on. `at` is its time in the timetable, also where an operator fired it before; earlier versions did not write it down. */
export type SlotCursor = SlotId & { at?: string }

/** By date and place, which is also by time; slots that clocks jumped over together share theirs. */
export const compareSlots = (a: SlotId, b: SlotId) => (a.date === b.date ? a.index - b.index : a.date < b.date ? -1 : 1)

/** Zones of ICU alone (https://unicode-org.github.io/icu/userguide/datetime/timezone/): runtimes take them, Temporal does not. */
const abbreviations = /^(AC|AE|AG|AR|AS|BE|BS|CA|CN|CS|CT|EA|EC|IE|IS|JS|MI|NE|NS|PL|PN|PR|PS|SS|VS)T$/i

/** Whether a text is an IANA name or an alias of one. Offsets (`+02:00`) are none: they follow no clocks. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][\w+/-]*$/.test(text) || abbreviations.test(text)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
