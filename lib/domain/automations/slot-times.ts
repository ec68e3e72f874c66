/**
 * When an automation publishes: the slots of its schedule, each at the first instant at which the clocks of its zone show its time or a
 * later one. So a time that does not exist moves to the end of the gap, and one that occurs twice counts once.
 */
import { createHash } from 'node:crypto'
import { Temporal } from 'temporal-polyfill'
import {
  compareSlots,
  type Schedule,
  type Slot,
  type SlotCursor,
  type SlotId,
  type SlotTime,
  weekdays,
} from '../records/schedule.ts'

/** The next slots strictly after an instant. `seed`, here and below, is the automation's id. */
export function slotsAfter(schedule: Schedule, seed: string, after: string, count: number): Slot[] {
  const slots: Slot[] = []
  for (const slot of slotsFrom(schedule, seed, localDate(schedule, after))) {
    if (slots.length >= count) break
    if (isAfter(slot.at, after)) slots.push(slot)
  }
  return slots
}

/** The slots after `from` and not after `to`. */
export function slotsBetween(schedule: Schedule, seed: string, from: string, to: string): Slot[] {
  const slots: Slot[] = []
  for (const slot of slotsFrom(schedule, seed, localDate(schedule, from))) {
    if (isAfter(slot.at, to)) break
    if (isAfter(slot.at, from)) slots.push(slot)
  }
  return slots
}

/**
 * The first slot after an instant and after the time of the one that was used last, whatever schedule that one belonged to. Of slots of this
 * schedule that share its time, those behind it are still to come.
 */
export function nextSlotAfter(schedule: Schedule, seed: string, after: string, cursor: SlotCursor | null): Slot {
  const usedAt = cursor ? (cursor.at ?? plannedTime(schedule, seed, cursor)) : undefined
  const from = usedAt && isAfter(usedAt, after) ? usedAt : after
  let sharesTime = false
  // Clocks may move a slot to the first instant of the next day.
  for (const slot of slotsFrom(schedule, seed, dayBefore(localDate(schedule, from)))) {
    const isAt = Date.parse(slot.at) === Date.parse(from)
    if (isAfter(slot.at, from) || (isAt && sharesTime)) return slot
    if (cursor && compareSlots(slot, cursor) === 0) sharesTime = isAt && usedAt !== undefined && !isAfter(from, usedAt)
  }
  throw new Error('A schedule without slots has no next one.')
}

/**
 * The used slot as one of a schedule that takes the place of `before`: all slots after now are still to come. Only one that both have is the
 * same one, and stays used where it would now be at a later minute of its hour.
 */
export function cursorAfterEdit(
  schedule: Schedule,
  before: Schedule,
  seed: string,
  now: string,
  cursor: SlotCursor | null,
): SlotCursor | null {
  const at = cursor && (cursor.at ?? plannedTime(before, seed, cursor) ?? now)
  if (!cursor || !at) return null
  const next = nextSlotAfter(schedule, seed, now, { ...cursor, at })
  const time = entriesOn(schedule, next.date)[next.index]?.time
  const place = entriesOn(before, next.date).findIndex((entry) => entry.time === time)
  const oldTime = plannedTime(before, seed, { date: next.date, index: place })
  const isUsed = schedule.timezone === before.timezone && oldTime !== undefined && !isAfter(oldTime, at)
  return isUsed ? next : { ...cursor, at }
}

/** When a schedule has the slot of this name; undefined where it has none. */
export const plannedTime = (schedule: Schedule, seed: string, { date, index }: SlotId): string | undefined =>
  [...slotsOn(schedule, seed, Temporal.PlainDate.from(date))].find((slot) => slot.index === index)?.at

const isAfter = (a: string, b: string) => Date.parse(a) > Date.parse(b)

const localDate = ({ timezone }: Schedule, instant: string) =>
  Temporal.Instant.from(instant).toZonedDateTimeISO(timezone).toPlainDate().toString()

const dayBefore = (date: string) => Temporal.PlainDate.from(date).subtract({ days: 1 }).toString()

/** All slots from a local date on, in order. Only a schedule without any comes to an end. */
function* slotsFrom(schedule: Schedule, seed: string, date: string): Generator<Slot, void> {
  if (schedule.times.length + schedule.days.length === 0) return
  for (let day = Temporal.PlainDate.from(date); ; day = day.add({ days: 1 })) yield* slotsOn(schedule, seed, day)
}

function* slotsOn(schedule: Schedule, seed: string, day: Temporal.PlainDate): Generator<Slot, void> {
  const date = day.toString()
  const times = entriesOn(schedule, date)
  for (const [index, { time, mode }] of times.entries()) {
    const minute = minuteOf(time)
    const next = times[index + 1]
    const end = mode === 'random' ? Math.min(minute + 60, next ? minuteOf(next.time) : minutesPerDay) : minute + 1
    // By its time and not by its place: that is another one when the schedule gets one more.
    const ms = pickInstant(schedule.timezone, day, minute, end, [seed, date, time])
    yield { date, index, at: new Date(ms).toISOString() }
  }
}

/** The entries of a local date, in order. */
function entriesOn({ times, days }: Schedule, date: string): SlotTime[] {
  const weekday = weekdays[Temporal.PlainDate.from(date).dayOfWeek - 1]
  return [...times, ...days.filter(({ day }) => day === weekday)].toSorted((a, b) => (a.time < b.time ? -1 : 1))
}

const minutesPerDay = 24 * 60
const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** The instant of one of the minutes from `start` up to `end`; of those that clocks show, if they show any. */
function pickInstant(timezone: string, day: Temporal.PlainDate, start: number, end: number, cause: unknown[]): number {
  const first = instantOf(timezone, day, start)
  if (end - start === 1) return first.ms
  const last = instantOf(timezone, day, end - 1)
  const minutes = (last.ms - first.ms) / 60_000 + (last.isShown ? 1 : 0)
  // Clocks are put back in between: some of the instants are not the first to show their time.
  if (minutes > end - start) return instantOf(timezone, day, start + seededNumber(end - start, cause)).ms
  // Where clocks jump over some or all of the minutes, these are fewer.
  return first.ms + seededNumber(Math.max(minutes, 1), cause) * 60_000
}

/** A number from 0 up to `below`, always the same of the same cause. */
function seededNumber(below: number, cause: unknown[]): number {
  return createHash('sha256').update(JSON.stringify(cause)).digest().readUIntBE(0, 6) % below
}

/** The first instant at which the clocks of a zone show a minute of a day, or else are past it. */
function instantOf(timezone: string, day: Temporal.PlainDate, minute: number): { ms: number; isShown: boolean } {
  const local = day.toPlainDateTime({ hour: Math.floor(minute / 60), minute: minute % 60 })
  const moment = local.toZonedDateTime(timezone, { disambiguation: 'earlier' })
  if (moment.toPlainDateTime().equals(local)) return { ms: moment.epochMilliseconds, isShown: true }
  // Of a time that clocks jump over, "earlier" is as long before the jump as the time is behind it.
  return { ms: moment.getTimeZoneTransition('next')!.epochMilliseconds, isShown: false }
}
