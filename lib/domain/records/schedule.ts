/** Schedules. The instants of their slots are computed in `slot-times.ts`, which loads all time zones. */

export const frequencies = ['daily', 'twice-daily', 'thrice-daily', 'weekly', 'twice-weekly', 'thrice-weekly'] as const
export type Frequency = (typeof frequencies)[number]

/** In the order of ISO 8601. */
export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
type Weekday = (typeof weekdays)[number]

export const slotModes = ['fixed', 'random'] as const

/** The list that holds the slots of a frequency, and their number. */
export const slotsPerFrequency: Record<Frequency, { list: 'times' | 'days'; count: number }> = {
  daily: { list: 'times', count: 1 },
  'twice-daily': { list: 'times', count: 2 },
  'thrice-daily': { list: 'times', count: 3 },
  weekly: { list: 'days', count: 1 },
  'twice-weekly': { list: 'days', count: 2 },
  'thrice-weekly': { list: 'days', count: 3 },
}

/** The most slots of a frequency. */
export const slotsMax = Math.max(...Object.values(slotsPerFrequency).map(({ count }) => count))

/** Local, `HH:MM`. */
export const slotTimePattern = /^(?:[01]\d|2[0-3]):[0-5]\d$/

/** Of an IANA name. */
export const timeZoneLengthMax = 64

export interface SlotTime {
  /** Local, `HH:MM`. */
  time: string
  mode: (typeof slotModes)[number]
}

export interface Schedule {
  frequency: Frequency
  /** An IANA name. */
  timezone: string
  /** Slots of every day; empty if `days` is not. */
  times: SlotTime[]
  days: (SlotTime & { day: Weekday })[]
}

export const defaultSchedule: Schedule = {
  frequency: 'daily',
  timezone: 'UTC',
  times: [{ time: '09:00', mode: 'fixed' }],
  days: [],
}

/** ICU-only zones (https://unicode-org.github.io/icu/userguide/datetime/timezone/): `Intl` accepts them, Temporal does not. */
const abbreviations = /^(AC|AE|AG|AR|AS|BE|BS|CA|CN|CS|CT|EA|EC|IE|IS|JS|MI|NE|NS|PL|PN|PR|PS|SS|VS)T$/i

/** Whether a text is an IANA name or an alias of one. Offsets (`+02:00`) are not: they have no DST. */
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
