/** The limits of all timeline items: ids, offsets within a day, and the size of a response. */
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { itemId, offsetMs, storedTimelineBytesMax, withinSizeLimit } from '../../../lib/domain/core/timeline-item.ts'
import { refusalOf } from '../../support/refusals.ts'

it('an offset is a whole number of milliseconds within a day', () => {
  const dayMs = 24 * 60 * 60 * 1000
  const isValid = (value: number) => v.safeParse(offsetMs, value).success
  expect([-1, 0, 0.5, dayMs - 1, dayMs].map(isValid)).toEqual([false, true, false, true, false])
})

it('an id has 1 to 64 letters, digits or "_"', () => {
  const isValid = (value: string) => v.safeParse(itemId, value).success
  expect(['', 'a_1', 'a'.repeat(64), 'a'.repeat(65), 'a-b'].map(isValid)).toEqual([false, true, true, false, false])
})

it('a timeline may take 5.5 MB as JSON in JSON, exactly', () => {
  expect(storedTimelineBytesMax).toBeLessThan(6 * 1024 * 1024)
  // Brackets and quotes: four characters, of which JSON escapes two, and two quotes around all.
  const timeline = (bytes: number) => ['x'.repeat(bytes - 8)]
  const largest = timeline(5_767_168)
  expect(withinSizeLimit(largest)).toBe(largest)
  expect(refusalOf(() => withinSizeLimit(timeline(5_767_169)))).toMatchObject({
    code: 'payload-too-large',
    message: expect.stringContaining('5.5 MB'),
  })
  expect(refusalOf(() => withinSizeLimit(['"'.repeat(2_000_000)]))?.code).toBe('payload-too-large')
})
