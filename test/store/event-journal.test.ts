/** The journal in the table: appending under conflicts, and reading parts of it. */
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from 'vitest'
import { now } from '../../lib/clock.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { secondsAfter } from '../../lib/domain/core/time.ts'
import type { EventType } from '../../lib/domain/records/event.ts'
import type { JournalEntry } from '../../lib/domain/webhooks/event-journal.ts'
import { nextPosition } from '../../lib/domain/webhooks/event-journal.ts'
import { table, tableName } from '../../lib/store/core/client.ts'
import { keys } from '../../lib/store/core/keys.ts'
import { WriteConflict } from '../../lib/store/core/write-conflict.ts'
import { appendEntry, findJournalHead, hasSequence, journalRow, readJournal } from '../../lib/store/event-journal.ts'
import { givenJournal } from '../support/given/journal.ts'

const days = (count: number) => count * 24 * 60 * 60
const newWorkspaceId = () => mintId('wsp', now())

/** Appends entries, the first at `at` and the others a second apart. */
async function givenEntries(
  workspaceId: string,
  count: number,
  { at = now(), types = ['video.created'] }: { at?: string; types?: EventType[] } = {},
): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = []
  for (let index = 0; index < count; index++) {
    const head = await findJournalHead(workspaceId)
    const entry = entryAt(workspaceId, nextPosition(head, 1, secondsAfter(at, index)), types[index % types.length])
    expect(await appendEntry(head, entry, [])).toBe(true)
    entries.push(entry)
  }
  return entries
}

const entryAt = (
  workspaceId: string,
  position: ReturnType<typeof nextPosition>,
  event: EventType = 'video.created',
): JournalEntry => ({
  ...position,
  id: mintId('evt', now()),
  workspaceId,
  event,
  createdAt: now(),
  payload: JSON.stringify({ sequence: position.sequence }),
  deliveryIds: [],
})

const put = (entry: JournalEntry) => table.send(new PutCommand({ TableName: tableName(), Item: journalRow(entry) }))

/** Removes an entry from the table, as if its transaction had not reached it, or as if it had expired. */
async function hide({ workspaceId, id }: JournalEntry): Promise<void> {
  await table.send(new DeleteCommand({ TableName: tableName(), Key: keys.event(workspaceId, id) }))
}

const all = { after: 0, limit: 100, types: [] }
const numbersOf = ({ entries }: { entries: JournalEntry[] }) => entries.map(({ sequence }) => sequence)

describe('appending', () => {
  it('takes one of many entries that follow the same head', async () => {
    const workspaceId = newWorkspaceId()
    await givenEntries(workspaceId, 1)
    const head = await findJournalHead(workspaceId)
    const position = nextPosition(head, 1, now())
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, () => appendEntry(head, entryAt(workspaceId, position), [])),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(WriteConflict)
    expect(numbersOf(await readJournal(workspaceId, all, now()))).toEqual([1, 2])
  })

  it('writes nothing for an event that is in the journal, also after a newer head', async () => {
    const workspaceId = newWorkspaceId()
    const [first] = await givenEntries(workspaceId, 2)
    const head = await findJournalHead(workspaceId)
    const again = { ...first!, ...nextPosition(head, 1, now()) }
    expect(await appendEntry(head, again, [])).toBe(false)
    expect(await appendEntry({ sequence: 1, enteredAt: now() }, again, [])).toBe(false)
    expect(await findJournalHead(workspaceId)).toEqual(head)
  })
})

describe('reading', () => {
  it('continues at a cursor, and ends where the journal ends', async () => {
    const workspaceId = newWorkspaceId()
    const entries = await givenEntries(workspaceId, 5)
    const first = await readJournal(workspaceId, { ...all, limit: 2 }, now())
    expect(first).toEqual({ entries: entries.slice(0, 2), nextAfter: 2, missed: false })
    const second = await readJournal(workspaceId, { ...all, after: 2, limit: 3 }, now())
    expect(second).toEqual({ entries: entries.slice(2), nextAfter: 5, missed: false })
    expect(await readJournal(workspaceId, { ...all, after: 5 }, now())).toEqual({
      entries: [],
      nextAfter: 5,
      missed: false,
    })
  })

  it('passes over other types, as far as it has looked', async () => {
    const workspaceId = newWorkspaceId()
    await givenEntries(workspaceId, 6, { types: ['video.created', 'video.published'] })
    const types: EventType[] = ['video.published']
    expect(await readJournal(workspaceId, { after: 0, limit: 2, types }, now())).toMatchObject({
      entries: [{ sequence: 2 }, { sequence: 4 }],
      nextAfter: 4,
    })
    const none = await readJournal(workspaceId, { after: 0, limit: 2, types: ['video.scheduled'] }, now())
    expect(none).toEqual({ entries: [], nextAfter: 6, missed: false })
  })

  it('stops in front of an entry that is not visible yet, and skips it never', async () => {
    const workspaceId = newWorkspaceId()
    const entries = await givenEntries(workspaceId, 4)
    await hide(entries[1]!)
    expect(await readJournal(workspaceId, all, now())).toMatchObject({ entries: [{ sequence: 1 }], nextAfter: 1 })
    expect(await readJournal(workspaceId, { ...all, after: 1 }, now())).toEqual({
      entries: [],
      nextAfter: 1,
      missed: false,
    })
    await put(entries[1]!)
    expect(numbersOf(await readJournal(workspaceId, { ...all, after: 1 }, now()))).toEqual([2, 3, 4])
  })

  it('shows an entry for seven days exactly, also before the table deletes it, and says what it cannot show any more', async () => {
    const workspaceId = newWorkspaceId()
    const at = now()
    await givenEntries(workspaceId, 3, { at })
    const week = (seconds: number) => secondsAfter(at, days(7) + seconds)
    expect(numbersOf(await readJournal(workspaceId, all, week(0)))).toEqual([1, 2, 3])
    expect(await readJournal(workspaceId, all, week(0.001))).toMatchObject({
      entries: [{ sequence: 2 }, {}],
      missed: false,
    })
    const rest = await readJournal(workspaceId, { ...all, after: 1 }, week(1.001))
    expect(rest).toMatchObject({ entries: [{ sequence: 3 }], missed: true })
    expect(await readJournal(workspaceId, { ...all, after: 1 }, week(0.5))).toMatchObject({ missed: false })
    expect(await readJournal(workspaceId, all, week(2.001))).toEqual({ entries: [], nextAfter: 3, missed: false })
  })

  it('goes on behind expired entries that the table has deleted', async () => {
    const workspaceId = newWorkspaceId()
    for (const entry of await givenEntries(workspaceId, 2, { at: secondsAfter(now(), -days(7) - 10) }))
      await hide(entry)
    await givenEntries(workspaceId, 2)
    expect(await readJournal(workspaceId, all, now())).toMatchObject({ entries: [{ sequence: 3 }, {}], missed: false })
    expect(await readJournal(workspaceId, { ...all, after: 1 }, now())).toMatchObject({ nextAfter: 4, missed: true })
  })

  it('reads more than a hundred rows to find those of one type', async () => {
    const workspaceId = newWorkspaceId()
    const types: EventType[] = [...Array<EventType>(229).fill('video.created'), 'video.published']
    await givenJournal(workspaceId, 230, { types })
    const page = await readJournal(workspaceId, { after: 0, limit: 10, types: ['video.published'] }, now())
    expect([numbersOf(page), page.nextAfter]).toEqual([[230], 230])
    expect(numbersOf(await readJournal(workspaceId, { ...all, after: 130 }, now()))).toHaveLength(100)
  })

  it('is of one workspace', async () => {
    const [mine, other] = [newWorkspaceId(), newWorkspaceId()]
    await givenEntries(mine, 2)
    expect(await readJournal(other, all, now())).toEqual({ entries: [], nextAfter: 0, missed: false })
    expect([await hasSequence(mine, 2), await hasSequence(mine, 3), await hasSequence(other, 2)]).toEqual([
      true,
      false,
      false,
    ])
  })
})
