/**
 * The slots of a schedule for the calendar. The service decides when a clip is published: where its `upcoming` slots are
 * known, they are shown; this only continues them.
 */
import type { AutomationItem } from '../../packages/client/index.js'

export type Schedule = AutomationItem['schedule']

export interface CalendarSlot {
  /** Milliseconds since 1970. */
  at: number
  /** A random time within the hour after `at`, which the service has not announced yet. */
  isApproximate: boolean
}

const dayMs = 86_400_000
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

/** The slots in the range, both ends included. `upcoming`: the next slots of the service, without gaps; empty while paused. */
export function slotsBetween(
  schedule: Schedule,
  upcoming: readonly string[],
  from: number,
  to: number,
): CalendarSlot[] {
  const known = upcoming.map((instant) => Date.parse(instant))
  const last = known.at(-1)
  if (last === undefined) return []
  const announced = known.map((at) => ({ at, isApproximate: false }))
  const continued: CalendarSlot[] = []
  for (let day = startOfDay(last, schedule.timezone) - dayMs; day <= to + dayMs; day += dayMs)
    for (const { time, mode } of entriesOn(schedule, day)) {
      const at = instantOf(schedule.timezone, day + minuteOf(time) * 60_000)
      if (at > last) continued.push({ at, isApproximate: mode === 'random' })
    }
  return [...announced, ...continued].filter(({ at }) => at >= from && at <= to).toSorted((a, b) => a.at - b.at)
}

/** The entries of a day. Days and local times are milliseconds since 1970 as if their zone was UTC. */
const entriesOn = ({ times, days }: Schedule, day: number) => [
  ...times,
  ...days.filter((entry) => entry.day === weekdays[new Date(day).getUTCDay()]),
]

const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

const formats = new Map<string, Intl.DateTimeFormat>()

/** What clocks of a zone show at an instant. */
export function localTime(instant: number, timeZone: string): number {
  let format = formats.get(timeZone)
  if (!format) {
    const digits = {
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    } as const
    format = new Intl.DateTimeFormat('en-US', { ...digits, timeZone, calendar: 'iso8601', hourCycle: 'h23' })
    formats.set(timeZone, format)
  }
  const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
  return Date.UTC(parts.year!, parts.month! - 1, parts.day, parts.hour, parts.minute, parts.second)
}

export const startOfDay = (instant: number, timeZone: string) => {
  const local = localTime(instant, timeZone)
  return local - (((local % dayMs) + dayMs) % dayMs)
}

/** The first instant at which clocks of a zone show a local time or a later one. */
export function instantOf(timeZone: string, local: number): number {
  const offsetAt = (instant: number) => localTime(instant, timeZone) - instant
  // Around a change of the clocks two offsets are possible; the larger one gives the earlier instant.
  const offsets = [offsetAt(local - dayMs), offsetAt(local + dayMs)].toSorted((a, b) => b - a)
  for (const offset of offsets) if (localTime(local - offset, timeZone) === local) return local - offset
  // The clocks skip this time: the slot is at their change.
  let [before, after] = [local - offsets[0]! - dayMs, local - offsets[1]! + dayMs]
  while (after - before > 1_000) {
    const middle = Math.floor((before + after) / 2_000) * 1_000
    if (localTime(middle, timeZone) < local) before = middle
    else after = middle
  }
  return after
}
