import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cursorAfterEdit, nextSlotAfter, slotsAfter, slotsBetween } from '../../../lib/domain/automations/slot-times.ts'
import type { Schedule } from '../../../lib/domain/records/schedule.ts'
import { weekdays } from '../../../lib/domain/records/schedule.ts'
import type { Slot, SlotCursor, SlotId } from '../../../lib/domain/records/slot.ts'
import { compareSlots } from '../../../lib/domain/records/slot.ts'
import { dayMs } from '../support/schedule-oracle.ts'
import { anyScheduleIn, automationId, dailyAt, toIso } from '../support/schedules.ts'

describe('for any schedule', () => {
  const zones = [
    'UTC',
    'Europe/Paris',
    'Australia/Lord_Howe',
    'America/Scoresbysund',
    'Pacific/Apia',
    'Africa/Casablanca',
  ]
  const schedules = anyScheduleIn(...zones, 'Pacific/Honolulu', 'Pacific/Kiritimati', 'America/Havana')
  const isBehind = (slot: SlotId, other: SlotId) => compareSlots(slot, other) > 0
  /** Days of clock changes in one of the zones, and other days. */
  const instants = fc
    .tuple(
      fc.constantFrom('2011-12-29', '2026-03-07', '2026-03-28', '2026-04-04', '2026-10-03', '2026-10-24', '2026-06-30'),
      fc.integer({ min: 0, max: 3 * 24 * 60 - 1 }),
    )
    .map(([date, minutes]) => toIso(Date.parse(`${date}T00:00:00Z`) + minutes * 60_000))

  it('stepping from slot to slot visits each one once, in order', () => {
    fc.assert(
      fc.property(schedules, instants, (schedule, start) => {
        const all = slotsAfter(schedule, automationId, start, 8)
        let slot = nextSlotAfter(schedule, automationId, start, null)
        const visited = [slot]
        while (visited.length < all.length) {
          slot = nextSlotAfter(schedule, automationId, slot.at, slot)
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

  /** Drawn from a few neighbouring times, so that edits keep some of them and move others. */
  const closeBy = fc
    .tuple(
      fc.constantFrom('UTC', 'Europe/Paris'),
      fc.uniqueArray(fc.constantFrom('~09:00', '09:00', '~09:20', '09:45', '10:30'), {
        minLength: 1,
        maxLength: 3,
        selector: (text) => text.slice(-5),
      }),
    )
    .map(([timezone, texts]) => dailyAt(timezone, ...texts))
  const edits = fc.array(
    fc.record({ schedule: fc.oneof(schedules, closeBy, closeBy), waitsMinutes: fc.oneof(fc.nat(60), fc.nat(2_000)) }),
    { minLength: 2, maxLength: 8 },
  )
  const entryOf = ({ timezone, times, days }: Schedule, { date, index }: SlotId) => {
    const weekday = weekdays[(new Date(date).getUTCDay() + 6) % 7]
    const all = [...times, ...days.filter(({ day }) => day === weekday)].map(({ time }) => time).toSorted()
    return `${timezone} ${date} ${all[index]}`
  }

  const daysBefore = (at: string, days: number) => toIso(Date.parse(at) - days * dayMs)

  it('no upcoming slot is lost by an edit, and none is used twice', () => {
    fc.assert(
      fc.property(edits, instants, ([first, ...others], start) => {
        let [schedule, now, cursor] = [first!.schedule, start, null as SlotCursor | null]
        const used: Slot[] = []
        for (const edit of others) {
          const until = toIso(Date.parse(now) + edit.waitsMinutes * 60_000)
          let slot = nextSlotAfter(schedule, automationId, now, cursor)
          for (; slot.at <= until; slot = nextSlotAfter(schedule, automationId, slot.at, cursor)) {
            used.push(slot)
            cursor = slot
          }
          const before = cursor
          cursor = cursorAfterEdit(edit.schedule, schedule, automationId, until, cursor)
          const [next, second] = slotsAfter(edit.schedule, automationId, until, 2)
          // The cursor is a position: a slot of the old schedule up to it is used, or had passed before an earlier edit.
          const passed = before ? slotsBetween(schedule, automationId, daysBefore(before.at!, 3), before.at!) : []
          const isSame = passed.some((slot) => entryOf(schedule, slot) === entryOf(edit.schedule, next!))
          expect(nextSlotAfter(edit.schedule, automationId, until, cursor)).toEqual(isSame ? second : next)
          // Unless the slot is also in the new schedule. A slot that stayed used after an earlier edit may be after now.
          if (!isSame && before) expect(cursor).toEqual({ ...before, at: before.at! > until ? until : before.at })
          ;[schedule, now] = [edit.schedule, until]
        }
        const names = used.map(({ at, date, index }) => `${at} ${date} ${index}`)
        expect(new Set(names).size).toBe(names.length)
        expect(names.toSorted()).toEqual(names)
      }),
      { numRuns: 100 },
    )
  })

  it('the slots of two adjacent intervals are those of both together', () => {
    fc.assert(
      fc.property(schedules, fc.tuple(instants, instants, instants), (schedule, some) => {
        const [from, middle, to] = some.toSorted() as [string, string, string]
        fc.pre(Date.parse(to) - Date.parse(from) < 60 * dayMs)
        const both = [
          ...slotsBetween(schedule, automationId, from, middle),
          ...slotsBetween(schedule, automationId, middle, to),
        ]
        expect(both).toEqual(slotsBetween(schedule, automationId, from, to))
      }),
      { numRuns: 50 },
    )
  })
})
