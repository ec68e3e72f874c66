/** No slot is lost or doubled in any zone. `npm run test:schedule` covers all zones and two years. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextSlotAfter, slotsBetween } from '../../../lib/domain/automations/slot-times.ts'
import type { Frequency, Schedule, SlotTime } from '../../../lib/domain/records/schedule.ts'
import { frequencies, slotModes } from '../../../lib/domain/records/schedule.ts'
import { dayMs, expectedSlots, type ZoneClock, zoneClock } from '../support/schedule-oracle.ts'
import { automationId, schedulesAt, toIso } from '../support/schedules.ts'

const isAll = process.env.SCHEDULE === 'all'
const zones = isAll
  ? Intl.supportedValuesOf('timeZone')
  : ['Europe/Paris', 'Australia/Lord_Howe', 'America/Scoresbysund', 'Africa/Casablanca', 'Asia/Tokyo']
const from = Date.UTC(2026, 0, 1)
const to = Date.UTC(isAll ? 2028 : 2027, 0, 1)

/**
 * A schedule whose slots lie within two hours of the zone's clock changes, if there are any; deterministic per seed.
 */
function scheduleNear(
  { changes, timezone }: ZoneClock,
  frequency: Frequency,
  mode: SlotTime['mode'],
  seed: number,
): Schedule {
  const instant = changes.length > 0 ? fc.constantFrom(...changes) : fc.nat(6).map((day) => from + (day + 0.5) * dayMs)
  const minutes = changes.length > 0 ? fc.integer({ min: -120, max: 120 }) : fc.integer({ min: -720, max: 719 })
  const localMs = fc.tuple(instant, minutes).map(([ms, later]) => ms + later * 60_000)
  return fc.sample(schedulesAt(localMs, frequency, timezone, fc.constant(mode)), { numRuns: 1, seed })[0]!
}

/** The slots of those years that are wrong; the list must be empty. */
function wrongSlots(schedule: Schedule, clocks: ZoneClock): unknown[] {
  const [firstDate, endDate] = [toIso(from).slice(0, 10), toIso(to).slice(0, 10)]
  const slots = slotsBetween(schedule, automationId, toIso(from - 2 * dayMs), toIso(to + 2 * dayMs))
  const found = slots.filter(({ date }) => date >= firstDate && date < endDate)
  const expected = expectedSlots(schedule, clocks, from, to)
  const wrong = expected.flatMap((slot, nth) => {
    const is = found[nth]
    const isRight = is?.date === slot.date && is.index === slot.index && slot.allowed.includes(Date.parse(is.at))
    return isRight ? [] : [{ schedule, expected: { ...slot, allowed: slot.allowed.map(toIso) }, is }]
  })
  return [...wrong, ...found.slice(expected.length)]
}

describe('every slot occurs once, in order', () => {
  const rows = zones.map((zone, seed) => ({ zone, seed }))

  it.each(rows)('$zone', ({ zone, seed }) => {
    const clocks = zoneClock(zone, from, to)
    const changes = clocks.changes.length > 0 ? clocks.changes : [from]
    for (const [row, frequency] of frequencies.entries())
      for (const mode of slotModes) {
        const schedule = scheduleNear(clocks, frequency, mode, seed * frequencies.length + row)
        expect(wrongSlots(schedule, clocks).slice(0, 3)).toEqual([])
        for (const change of changes.filter((_, nth) => nth % 2 === 0)) {
          const slots = slotsBetween(schedule, automationId, toIso(change - 2 * dayMs), toIso(change + 2 * dayMs))
          const next = slots
            .slice(1)
            .map((_, nth) => nextSlotAfter(schedule, automationId, slots[nth]!.at, slots[nth]!))
          expect(next).toEqual(slots.slice(1))
        }
      }
  })
})
