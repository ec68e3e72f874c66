/** Fixed and generated schedules, and the slots of one date. */
import fc from 'fast-check'
import { slotsBetween } from '../../../lib/domain/automations/slot-times.ts'
import type { Frequency, Schedule, SlotTime } from '../../../lib/domain/records/schedule.ts'
import { frequencies, slotModes, slotsPerFrequency, weekdays } from '../../../lib/domain/records/schedule.ts'
import type { Slot } from '../../../lib/domain/records/slot.ts'
import { dayMs } from './schedule-oracle.ts'

/** An automation. */
export const automationId = 'vid_1'
export const toIso = (ms: number) => new Date(ms).toISOString()

/** `09:00` is fixed, `~09:00` random. */
export const timesOf = (...texts: string[]): SlotTime[] =>
  texts.map((text) => ({ time: text.slice(-5), mode: text.startsWith('~') ? 'random' : 'fixed' }))

/** A daily schedule. */
export const dailyAt = (timezone: string, ...texts: string[]): Schedule => ({
  frequency: frequencies[texts.length - 1]!,
  timezone,
  times: timesOf(...texts),
  days: [],
})

export function slotsOn(date: string, schedule: Schedule, seed = automationId): Slot[] {
  const noon = Date.parse(`${date}T12:00:00Z`)
  const around = slotsBetween(schedule, seed, toIso(noon - 3 * dayMs), toIso(noon + 3 * dayMs))
  return around.filter((slot) => slot.date === date)
}

/** The instants of the slots of a local date. */
export const timesOn = (date: string, schedule: Schedule, seed = automationId) =>
  slotsOn(date, schedule, seed).map(({ at }) => at)

/** Schedules with slots at these local times, written as if they were UTC. */
export function schedulesAt(
  localMs: fc.Arbitrary<number>,
  frequency: Frequency,
  timezone: string,
  mode: fc.Arbitrary<SlotTime['mode']>,
): fc.Arbitrary<Schedule> {
  const { list, count } = slotsPerFrequency[frequency]
  const slot = fc.record({ local: localMs.map((ms) => new Date(ms)), mode }).map(({ local, mode }) => ({
    day: weekdays[(local.getUTCDay() + 6) % 7]!,
    time: local.toISOString().slice(11, 16),
    mode,
  }))
  return fc
    .uniqueArray(slot, {
      minLength: count,
      maxLength: count,
      selector: ({ day, time }) => (list === 'days' ? `${day} ${time}` : time),
    })
    .map((days) => ({
      frequency,
      timezone,
      times: list === 'times' ? days.map(({ time, mode }) => ({ time, mode })) : [],
      days: list === 'days' ? days : [],
    }))
}

/** Any schedule in one of these zones. Half of its slots are in the night hours in which most clocks change. */
export const anyScheduleIn = (...timezones: string[]) =>
  fc.tuple(fc.constantFrom(...frequencies), fc.constantFrom(...timezones)).chain(([frequency, timezone]) =>
    schedulesAt(
      fc
        .tuple(fc.nat(6), fc.oneof(fc.nat(4 * 60), fc.nat(24 * 60 - 1)))
        .map(([day, minute]) => (day * 24 * 60 + minute) * 60_000),
      frequency,
      timezone,
      fc.constantFrom(...slotModes),
    ),
  )
