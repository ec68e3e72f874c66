/** Slots: their order, and from when on one counts as missed. */
import { expect, it } from 'vitest'
import { compareSlots, isMissed } from '../../../lib/domain/records/slot.ts'
import { at } from '../support/videos.ts'

it('slots are in the order of their dates, and on one date in that of the schedule', () => {
  const slots = ['2026-11-03#0', '2026-11-02#10', '2026-12-01#0', '2026-11-02#9'].map((slot) => {
    const [date = '', index] = slot.split('#')
    return { date, index: Number(index) }
  })
  const sorted = slots.toSorted(compareSlots).map(({ date, index }) => `${date}#${index}`)
  expect(sorted).toEqual(['2026-11-02#9', '2026-11-02#10', '2026-11-03#0', '2026-12-01#0'])
  expect(slots.toReversed().toSorted(compareSlots)).toEqual(slots.toSorted(compareSlots))
  expect(compareSlots(slots[0]!, { ...slots[0]! })).toBe(0)
})

it('a slot is missed an hour after its time', () => {
  const slot = { date: '2026-11-02', index: 0, at: at(0) }
  expect([isMissed(slot, at(3_599.999)), isMissed(slot, at(3_600))]).toEqual([false, true])
})
