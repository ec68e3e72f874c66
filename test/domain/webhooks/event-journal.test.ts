/** The journal: consecutive numbers, and readers that skip none of them. */
import { describe, expect, it } from 'vitest'
import { secondsAfter } from '../../../lib/domain/core/time.ts'
import {
  isOldestKept,
  type JournalHead,
  type JournalRow,
  journalStart,
  nextPosition,
  readableRows,
} from '../../../lib/domain/webhooks/event-journal.ts'
import { seededRandom } from '../../support/seeded-random.ts'

const noon = '2026-11-20T12:00:00.000Z'
const rowOf = (sequence: number, enteredAt = noon): JournalRow => ({
  id: `evt_${sequence}`,
  event: 'video.created',
  sequence,
  enteredAt,
  createdAt: noon,
})
const start = journalStart(noon)
const expired = secondsAfter(start, -0.001)

it('the journal holds seven days', () => {
  expect(start).toBe('2026-11-13T12:00:00.000Z')
})

describe('the next position', () => {
  it('is 1 in a new workspace, and continues the numbers that an earlier version has used', () => {
    expect(nextPosition(undefined, 1, noon)).toEqual({ sequence: 1, enteredAt: noon, previousAt: null })
    expect(nextPosition(undefined, 105, noon)).toMatchObject({ sequence: 105, previousAt: null })
    // Older rows have no number.
    expect(nextPosition(undefined, 0, noon)).toMatchObject({ sequence: 1 })
  })

  it('follows the newest entry without a gap, whatever number the event was drawn', () => {
    const head: JournalHead = { sequence: 7, enteredAt: noon }
    const later = secondsAfter(noon, 5)
    expect(nextPosition(head, 90, later)).toEqual({ sequence: 8, enteredAt: later, previousAt: noon })
  })

  it('is never earlier than the newest entry, also by a clock that is late', () => {
    expect(nextPosition({ sequence: 7, enteredAt: noon }, 8, secondsAfter(noon, -5))).toMatchObject({ enteredAt: noon })
  })
})

describe('a reader', () => {
  it('gets the rows after its cursor up to the first missing number', () => {
    expect(
      readableRows(
        [1, 2, 4, 5].map((sequence) => rowOf(sequence)),
        0,
        start,
      ),
    ).toEqual({
      rows: [rowOf(1), rowOf(2)],
      passed: 2,
      behindGap: undefined,
    })
  })

  it('sees that numbers are missing right after its cursor', () => {
    expect(readableRows([rowOf(4), rowOf(5)], 2, start)).toMatchObject({ passed: 5, behindGap: rowOf(4) })
  })

  it('passes over expired rows, whichever of them the table has deleted', () => {
    const rows = [rowOf(2, expired), rowOf(5, expired), rowOf(7, start), rowOf(8)]
    expect(readableRows(rows, 0, start)).toEqual({
      rows: [rowOf(7, start), rowOf(8)],
      passed: 8,
      behindGap: rowOf(7, start),
    })
    expect(readableRows([rowOf(2, expired)], 0, start)).toEqual({ rows: [], passed: 2, behindGap: undefined })
  })

  it('knows from the entry itself whether what is missing before it has expired', () => {
    expect(isOldestKept({ previousAt: null }, start)).toBe(true)
    expect(isOldestKept({ previousAt: expired }, start)).toBe(true)
    expect(isOldestKept({ previousAt: start }, start)).toBe(false)
  })

  it.each([1, 2, 3, 4, 5])(
    'gets each entry once and in order, in whatever order they become visible (seed %i)',
    (seed) => {
      const random = seededRandom(seed)
      const hidden = Array.from({ length: 200 }, (_, index) => rowOf(index + 1)).toSorted(
        (a, b) => a.sequence - b.sequence + random(40) - 20,
      )
      const visible: JournalRow[] = []
      const read: number[] = []
      while (read.length < 200) {
        visible.push(...hidden.splice(0, random(6)))
        const after = read.at(-1) ?? 0
        const listed = visible.filter(({ sequence }) => sequence > after).toSorted((a, b) => a.sequence - b.sequence)
        const readable = readableRows(listed, after, start)
        // None has expired: what is missing is not visible yet.
        if (!readable.behindGap) read.push(...readable.rows.map(({ sequence }) => sequence))
      }
      expect(read).toEqual(Array.from({ length: 200 }, (_, index) => index + 1))
    },
  )
})
