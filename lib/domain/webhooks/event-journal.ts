/**
 * The event journal of a workspace: each event once, under consecutive numbers. Rules for the next number, and for which
 * entries a reader sees, so that none is skipped. docs/decisions/0046-event-journal.md has the argument.
 */
import { secondsAfter } from '../core/time.ts'
import type { EventType } from '../records/event.ts'

export const journalRetentionDays = 7

/** The newest entry of a journal. */
export interface JournalHead {
  sequence: number
  enteredAt: string
}

/** The place of an entry in the journal. */
export interface JournalPosition extends JournalHead {
  /** When the entry before it entered; null of the first one. */
  previousAt: string | null
}

export interface JournalEntry extends JournalPosition {
  id: string
  workspaceId: string
  event: EventType
  createdAt: string
  /** The envelope as webhooks deliver it. */
  payload: string
  /** The deliveries of its fan-out. */
  deliveryIds: string[]
}

/** What the list of the journal has of an entry. */
export type JournalRow = Pick<JournalEntry, 'id' | 'event' | 'sequence' | 'enteredAt' | 'createdAt'>

/**
 * The position after the newest entry. Times never go back, so that the expired entries are always the oldest ones. The
 * first number continues those that earlier versions delivered (`caused`).
 */
export const nextPosition = (head: JournalHead | undefined, caused: number, now: string): JournalPosition =>
  head
    ? {
        sequence: head.sequence + 1,
        enteredAt: now > head.enteredAt ? now : head.enteredAt,
        previousAt: head.enteredAt,
      }
    : { sequence: Math.max(caused, 1), enteredAt: now, previousAt: null }

/** Entries from before this time have expired, also where the table has not deleted them yet. */
export const journalStart = (now: string) => secondsAfter(now, -journalRetentionDays * 24 * 60 * 60)

export interface ReadableRows {
  rows: JournalRow[]
  /** The last number that is read or has expired. */
  passed: number
  /** The first row, where numbers before it are missing: they have expired, or are not visible yet. */
  behindGap: JournalRow | undefined
}

/**
 * The rows after `after` up to the first missing number: an entry may become visible before the one in front of it does.
 * `rows` are in the order of their numbers; those from before `start` are passed over.
 */
export function readableRows(rows: readonly JournalRow[], after: number, start: string): ReadableRows {
  const readable: ReadableRows = { rows: [], passed: after, behindGap: undefined }
  for (const row of rows) {
    if (row.enteredAt >= start) {
      const isNext = row.sequence === readable.passed + 1
      if (!isNext && readable.rows.length > 0) break
      if (!isNext) readable.behindGap = row
      readable.rows.push(row)
    }
    readable.passed = row.sequence
  }
  return readable
}

/** Whether everything in front of an entry has expired, so that nothing is missing before it. */
export const isOldestKept = ({ previousAt }: Pick<JournalPosition, 'previousAt'>, start: string) =>
  previousAt === null || previousAt < start
