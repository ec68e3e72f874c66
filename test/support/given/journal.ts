/** Entries of an event journal as preconditions: many of them, or old ones. */
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb'
import { now } from '../../../lib/clock.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { secondsAfter } from '../../../lib/domain/core/time.ts'
import type { EventType } from '../../../lib/domain/records/event.ts'
import type { JournalEntry } from '../../../lib/domain/webhooks/event-journal.ts'
import { table, tableName } from '../../../lib/store/core/client.ts'
import { keys } from '../../../lib/store/core/keys.ts'
import { journalRow } from '../../../lib/store/event-journal.ts'

export interface GivenJournal {
  /** When the first event occurred and entered; the others a second apart. */
  at?: string
  types?: EventType[]
}

/** A journal with the numbers from 1 to `count`. The workspace must not have one. */
export async function givenJournal(
  workspaceId: string,
  count: number,
  { at = secondsAfter(now(), -count), types = ['video.created'] }: GivenJournal = {},
): Promise<JournalEntry[]> {
  const entries = Array.from({ length: count }, (_, index): JournalEntry => {
    const [event, createdAt, sequence] = [types[index % types.length]!, secondsAfter(at, index), index + 1]
    const payload = JSON.stringify({ event, workspaceId, createdAt, sequence, data: {} })
    const previousAt = index === 0 ? null : secondsAfter(createdAt, -1)
    const position = { sequence, enteredAt: createdAt, previousAt }
    return { ...position, id: mintId('evt', createdAt), workspaceId, event, createdAt, payload, deliveryIds: [] }
  })
  const head = { ...keys.journalHead(workspaceId), sequence: count, enteredAt: secondsAfter(at, count - 1) }
  const rows = [...entries.map(journalRow), head]
  for (let from = 0; from < rows.length; from += 25) {
    const Puts = rows.slice(from, from + 25).map((Item) => ({ PutRequest: { Item } }))
    await table.send(new BatchWriteCommand({ RequestItems: { [tableName()]: Puts } }))
  }
  return entries
}
