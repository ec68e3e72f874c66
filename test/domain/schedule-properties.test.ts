import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextSlotBehind, slotsAfter, slotsBetween } from '../../lib/domain/schedule.ts'
import type { SlotName } from '../../lib/domain/timetable.ts'
import { compareSlots } from '../../lib/domain/timetable.ts'
import { dayMs } from './schedule-oracle.ts'
import { anyScheduleIn, id, iso } from './schedule-support.ts'

describe('whatever the schedule', () => {
  const zones = [
    'UTC',
    'Europe/Paris',
    'Australia/Lord_Howe',
    'America/Scoresbysund',
    'Pacific/Apia',
    'Africa/Casablanca',
  ]
  const schedules = anyScheduleIn(...zones, 'Pacific/Honolulu', 'Pacific/Kiritimati', 'America/Havana')
  const isBehind = (slot: SlotName, other: SlotName) => compareSlots(slot, other) > 0
  /** Days on which clocks change in one of the zones, and others. */
  const instants = fc
    .tuple(
      fc.constantFrom('2011-12-29', '2026-03-07', '2026-03-28', '2026-04-04', '2026-10-03', '2026-10-24', '2026-06-30'),
      fc.integer({ min: 0, max: 3 * 24 * 60 - 1 }),
    )
    .map(([date, minutes]) => iso(Date.parse(`${date}T00:00:00Z`) + minutes * 60_000))

  it('one slot behind the other visits each once, in order', () => {
    fc.assert(
      fc.property(schedules, instants, (schedule, start) => {
        const all = slotsAfter(schedule, id, start, 8)
        let slot = nextSlotBehind(schedule, id, start, null)
        const visited = [slot]
        while (visited.length < all.length) {
          slot = nextSlotBehind(schedule, id, slot.at, slot)
          visited.push(slot)
        }
        expect(visited).toEqual(all)
        for (const [nth, later] of all.slice(1).entries()) {
          expect(isBehind(later, all[nth]!)).toBe(true)
          expect(later.at >= all[nth]!.at).toBe(true)
        }
      }),
      { numRuns: 100 },
    )
  })

  it('no slot is used twice, however often it is edited', () => {
    const steps = fc.array(fc.record({ schedule: schedules, waitsMinutes: fc.nat(2_000) }), {
      minLength: 2,
      maxLength: 8,
    })
    fc.assert(
      fc.property(steps, instants, (edits, start) => {
        let now = start
        let cursor: SlotName | null = null
        for (const { schedule, waitsMinutes } of edits) {
          const slot = nextSlotBehind(schedule, id, now, cursor)
          if (cursor) expect(isBehind(slot, cursor)).toBe(true)
          expect(slot.at > now).toBe(true)
          const edited = iso(Date.parse(now) + waitsMinutes * 60_000)
          if (slot.at <= edited) cursor = slot
          now = edited
        }
      }),
      { numRuns: 100 },
    )
  })

  it('the slots of two spans of time are those of both together', () => {
    fc.assert(
      fc.property(schedules, fc.tuple(instants, instants, instants), (schedule, some) => {
        const [from, middle, to] = some.toSorted() as [string, string, string]
        fc.pre(Date.parse(to) - Date.parse(from) < 60 * dayMs)
        const both = [...slotsBetween(schedule, id, from, middle), ...slotsBetween(schedule, id, middle, to)]
        expect(both).toEqual(slotsBetween(schedule, id, from, to))
      }),
      { numRuns: 50 },
    )
  })
})
