/**
 * Computes the instants of a schedule's slots: each is the first instant at which clocks of its time zone show its time or a
 * later one. A time that DST skips moves to the end of the gap; a time that occurs twice counts once.
 */
import { createHash } from 'node:crypto'
import { Temporal } from 'temporal-polyfill'
import { secondsAfter } from '../core/time.ts'
import { type Schedule, type SlotTime, weekdays } from '../records/schedule.ts'
import { compareSlots, type Slot, type SlotCursor, type SlotId } from '../records/slot.ts'

/** The next `count` slots strictly after an instant. `seed`, here and below, is the automation's id. */
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
 * The first slot after an instant and after the time of the last used slot, which may belong to an earlier schedule. Of slots
 * that share the time of the used one, later ones in the order of the schedule still count.
 */
export function nextSlotAfter(schedule: Schedule, seed: string, after: string, cursor: SlotCursor | null): Slot {
  const usedAt = cursor ? (cursor.at ?? plannedTime(schedule, seed, cursor)) : undefined
  const from = usedAt && isAfter(usedAt, after) ? usedAt : after
  let sharesTime = false
  // From the day before: DST may move a slot to the first instant of the next day.
  for (const slot of slotsFrom(schedule, seed, dayBefore(localDate(schedule, from)))) {
    const isAt = Date.parse(slot.at) === Date.parse(from)
    if (isAfter(slot.at, from) || (isAt && sharesTime)) return slot
    if (cursor && compareSlots(slot, cursor) === 0) sharesTime = isAt && usedAt !== undefined && !isAfter(from, usedAt)
  }
  throw new Error('A schedule without slots has no next one.')
}

/**
 * Translates the cursor to a new schedule: all slots after now are still to come. Only a slot that both schedules have, and
 * that is not after the cursor in the old one, stays used, even if its random minute would now be later in its hour. The
 * cursor may be after now. If an earlier edit kept its slot used (its hour has begun), and the new schedule does not have
 * the slot, the cursor goes back to now. If an operator triggered it early, slots up to its time stay skipped.
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
  const isUsed = ({ date, index }: Slot) => {
    const time = entriesOn(schedule, date)[index]?.time
    const oldIndex = entriesOn(before, date).findIndex((entry) => entry.time === time)
    const oldTime = plannedTime(before, seed, { date, index: oldIndex })
    return schedule.timezone === before.timezone && oldTime !== undefined && !isAfter(oldTime, at)
  }
  const until = secondsAfter(isAfter(at, now) ? at : now, movedSecondsMax)
  const used = slotsBetween(schedule, seed, now, until).findLast(isUsed)
  if (used) return used
  const entry = entriesOn(before, cursor.date)[cursor.index]
  const start = entry && instantOf(before.timezone, Temporal.PlainDate.from(cursor.date), minuteOf(entry.time)).ms
  const isKept = isAfter(at, now) && start !== undefined && start <= Date.parse(now)
  return { ...cursor, at: isKept ? now : at }
}

/** An edit moves a slot that both schedules have within its hour, which DST may stretch. */
const movedSecondsMax = 2 * 60 * 60

/** The instant of a slot; undefined if the schedule has no such slot. */
export const plannedTime = (schedule: Schedule, seed: string, { date, index }: SlotId): string | undefined =>
  [...slotsOn(schedule, seed, Temporal.PlainDate.from(date))].find((slot) => slot.index === index)?.at

const isAfter = (a: string, b: string) => Date.parse(a) > Date.parse(b)

const localDate = ({ timezone }: Schedule, instant: string) =>
  Temporal.Instant.from(instant).toZonedDateTimeISO(timezone).toPlainDate().toString()

const dayBefore = (date: string) => Temporal.PlainDate.from(date).subtract({ days: 1 }).toString()

/** All slots from a local date on, in order: infinite unless the schedule is empty. */
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
    // Seeded by time, not by index: the index changes when the schedule gets another entry.
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

/** A seeded choice of an instant from minute `start` up to `end`, from those that clocks show if they show any. */
function pickInstant(timezone: string, day: Temporal.PlainDate, start: number, end: number, cause: unknown[]): number {
  const first = instantOf(timezone, day, start)
  if (end - start === 1) return first.ms
  const last = instantOf(timezone, day, end - 1)
  const minutes = (last.ms - first.ms) / 60_000 + (last.isShown ? 1 : 0)
  // Clocks are set back in between: some instants repeat a time that was shown before.
  if (minutes > end - start) return instantOf(timezone, day, start + seededNumber(end - start, cause)).ms
  // Fewer minutes if clocks skip some or all of them.
  return first.ms + seededNumber(Math.max(minutes, 1), cause) * 60_000
}

/** A whole number from 0 to `below` - 1, deterministic in `cause`. */
function seededNumber(below: number, cause: unknown[]): number {
  return createHash('sha256').update(JSON.stringify(cause)).digest().readUIntBE(0, 6) % below
}

/** The first instant at which clocks of a zone show a minute of a day or a later one. */
function instantOf(timezone: string, day: Temporal.PlainDate, minute: number): { ms: number; isShown: boolean } {
  const local = day.toPlainDateTime({ hour: Math.floor(minute / 60), minute: minute % 60 })
  const zoned = local.toZonedDateTime(timezone, { disambiguation: 'earlier' })
  if (zoned.toPlainDateTime().equals(local)) return { ms: zoned.epochMilliseconds, isShown: true }
  // For a skipped time, "earlier" gives an instant before the transition.
  return { ms: zoned.getTimeZoneTransition('next')!.epochMilliseconds, isShown: false }
}
