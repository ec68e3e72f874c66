/** The slots that the calendar draws beyond those that the service announces, against those of the service. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { slotsAfter } from '../../../lib/domain/automations/slot-times.ts'
import { slotsBetween } from '../../../studio/console/schedule.ts'
import { anyScheduleIn, automationId, toIso } from '../../domain/support/schedules.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const zones = ['UTC', 'Europe/Paris', 'America/New_York', 'Australia/Lord_Howe', 'America/Havana', 'Africa/Casablanca']
/** The days before changes of the clocks in one of the zones, and another day. */
const instants = fc
  .tuple(
    fc.constantFrom('2026-03-05', '2026-03-26', '2026-04-02', '2026-10-01', '2026-10-22', '2026-10-29', '2026-06-30'),
    fc.integer({ min: 0, max: 3 * 24 * 60 - 1 }),
  )
  .map(([date, minutes]) => Date.parse(`${date}T00:00:00Z`) + minutes * 60_000)

test('fixed slots are those of the service, across every change of the clocks', () => {
  fc.assert(
    fc.property(anyScheduleIn(...zones), instants, (any, from) => {
      const fix = <Slot extends object>(slots: Slot[]) => slots.map((slot) => ({ ...slot, mode: 'fixed' as const }))
      const schedule = { ...any, times: fix(any.times), days: fix(any.days) }
      const expected = slotsAfter(schedule, automationId, toIso(from), 12).map(({ at }) => at)
      const until = Date.parse(expected.at(-1)!)
      const drawn = slotsBetween(schedule, expected.slice(0, 5), from, until).map(({ at }) => toIso(at))
      // Two slots of one instant, after a skipped hour, are announced as two.
      expect([...new Set(drawn)]).toEqual([...new Set(expected)])
    }),
  )
})

test('random slots are announced exactly, later ones by the hour that they are in', () => {
  fc.assert(
    fc.property(anyScheduleIn(...zones), instants, (schedule, from) => {
      const expected = slotsAfter(schedule, automationId, toIso(from), 12).map(({ at }) => Date.parse(at))
      const announced = expected.slice(0, 5)
      const drawn = slotsBetween(schedule, announced.map(toIso), from, expected.at(-1)!)
      expect(drawn.slice(0, 5).map(({ at }) => at)).toEqual(announced)
      // A random slot whose hour begins before the last announced one is drawn once that is announced.
      for (const at of expected.slice(5).filter((at) => at > announced[4]! + 2 * hourMs))
        expect(
          drawn.some((slot) => (slot.isApproximate ? at >= slot.at && at < slot.at + 2 * hourMs : at === slot.at)),
        ).toBe(true)
    }),
  )
})

test('a paused automation has no slots', () => {
  const schedule = { frequency: 'daily', timezone: 'UTC', times: [{ time: '09:00', mode: 'fixed' }], days: [] } as const
  expect(slotsBetween({ ...schedule, times: [...schedule.times], days: [] }, [], 0, 30 * dayMs)).toEqual([])
})
