/** The journal: the events of a workspace as webhooks deliver them, in the order of their numbers. Entries never change. */
import { TransactionCanceledException, TransactionInProgressException } from '@aws-sdk/client-dynamodb'
import { GetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import type { Delivery } from '../domain/records/delivery.ts'
import type { EventType } from '../domain/records/event.ts'
import type { JournalEntry, JournalHead, JournalRow, ReadableRows } from '../domain/webhooks/event-journal.ts'
import { isOldestKept, journalRetentionDays, journalStart, readableRows } from '../domain/webhooks/event-journal.ts'
import { isInRange, type ReplayRange, sequencesOf } from '../domain/webhooks/replay.ts'
import { batchGetRows } from './core/batch-get.ts'
import { table, tableName } from './core/client.ts'
import { expiryOf, keys, listIndex, listPartitions, ttlAttribute } from './core/keys.ts'
import { listEventRows } from './core/outbox.ts'
import { queryAll } from './core/query.ts'
import { deliveryRow, type Row, recordOf } from './core/rows.ts'
import { retryableCancellations, WriteConflict } from './core/write-conflict.ts'

/** Longer than entries are readable and deliveries are kept: an event must not be fanned out a second time. */
const retentionSeconds = (journalRetentionDays + 1) * 24 * 60 * 60

const sequenceDigits = 16
const paddedSequence = (sequence: number) => String(sequence).padStart(sequenceDigits, '0')

export const journalRow = (entry: JournalEntry): Row => ({
  ...keys.event(entry.workspaceId, entry.id),
  listPk: listPartitions.events(entry.workspaceId),
  listSk: [paddedSequence(entry.sequence), entry.enteredAt, entry.createdAt].join('#'),
  ...entry,
  [ttlAttribute]: expiryOf(entry.enteredAt, retentionSeconds),
})

const entryOf = (row: Record<string, unknown>): JournalEntry => {
  const { [ttlAttribute]: _until, ...entry } = recordOf<JournalEntry & Record<string, unknown>>(row)
  return entry as JournalEntry
}

/** Undefined before the first event. */
export async function findJournalHead(workspaceId: string): Promise<JournalHead | undefined> {
  const { Item } = await table.send(
    new GetCommand({ TableName: tableName(), Key: keys.journalHead(workspaceId), ConsistentRead: true }),
  )
  return Item && { sequence: Item.sequence, enteredAt: Item.enteredAt }
}

export async function findJournalEntry(workspaceId: string, eventId: string): Promise<JournalEntry | undefined> {
  const { Item } = await table.send(
    new GetCommand({ TableName: tableName(), Key: keys.event(workspaceId, eventId), ConsistentRead: true }),
  )
  return Item && entryOf(Item)
}

/**
 * Appends an entry after `head`, with all deliveries of its event. False where the event is in the journal already: then
 * nothing was written. Not a `Decision`: it changes no versioned record.
 * @throws WriteConflict where `head` is not the newest entry any more.
 */
export async function appendEntry(
  head: JournalHead | undefined,
  entry: JournalEntry,
  deliveries: readonly Delivery[],
): Promise<boolean> {
  const { workspaceId, sequence, enteredAt } = entry
  const insert = (Item: Row) => ({
    Put: { TableName: tableName(), Item, ConditionExpression: 'attribute_not_exists(pk)' },
  })
  try {
    await table.send(
      new TransactWriteCommand({
        TransactItems: [
          insert(journalRow(entry)),
          {
            Put: {
              TableName: tableName(),
              Item: { ...keys.journalHead(workspaceId), sequence, enteredAt },
              ...(head
                ? {
                    ConditionExpression: '#sequence = :seen',
                    ExpressionAttributeNames: { '#sequence': 'sequence' },
                    ExpressionAttributeValues: { ':seen': head.sequence },
                  }
                : { ConditionExpression: 'attribute_not_exists(pk)' }),
            },
          },
          ...deliveries.map((delivery) => insert(deliveryRow(delivery))),
        ],
      }),
    )
    return true
  } catch (error) {
    if (error instanceof TransactionInProgressException) throw new WriteConflict('The same transaction is in progress.')
    if (!(error instanceof TransactionCanceledException)) throw error
    const reasons = error.CancellationReasons ?? []
    if (reasons[0]?.Code === 'ConditionalCheckFailed') return false
    if (reasons.some(({ Code }) => Code && retryableCancellations.has(Code)))
      throw new WriteConflict(`The journal of workspace ${workspaceId} met a write conflict.`)
    throw error
  }
}

export interface JournalQuery {
  after: number
  limit: number
  /** None for all. */
  types: readonly EventType[]
}

export interface JournalPage {
  entries: JournalEntry[]
  /** All entries up to this number are in this page, in an earlier one, of other types, or expired. */
  nextAfter: number
  /** Whether entries after `after` have expired. */
  missed: boolean
}

/** Most readers are near the end; one that filters, or meets expired rows, has many to pass over. */
const [rowsOfFirstRead, rowsOfLaterReads] = [100, 1_000]
const readsMax = 10

/** The next entries. Empty is not the end: where many are passed over, `nextAfter` moves on. */
export async function readJournal(
  workspaceId: string,
  { after, limit, types }: JournalQuery,
  now: string,
): Promise<JournalPage> {
  const rows: JournalRow[] = []
  let [first, nextAfter, reads]: [JournalRow | undefined, number, number] = [undefined, after, 0]
  for await (const readable of readRows(workspaceId, after, now)) {
    first ??= readable.rows[0]
    const isWanted = ({ event }: JournalRow) => types.length === 0 || types.includes(event)
    rows.push(...readable.rows.filter(isWanted).slice(0, limit - rows.length))
    nextAfter = rows.length < limit ? readable.passed : rows.at(-1)!.sequence
    if (rows.length === limit || ++reads === readsMax) break
  }
  const isGap = first ? first.sequence > after + 1 : nextAfter > after
  return { entries: await getEntries(workspaceId, rows), nextAfter, missed: after > 0 && isGap }
}

/** The rows in a range of the journal, at most `max`. */
export async function listEventsInRange(
  workspaceId: string,
  range: ReplayRange,
  max: number,
  now: string,
): Promise<JournalRow[]> {
  const rows: JournalRow[] = []
  const [after, last] = sequencesOf(range)
  for await (const readable of readRows(workspaceId, after, now)) {
    rows.push(...readable.rows.filter((row) => isInRange(row, range)))
    if (rows.length >= max || readable.passed >= last) break
  }
  return rows.slice(0, max)
}

/** All rows after a number that are visible, in parts. */
async function* readRows(workspaceId: string, after: number, now: string): AsyncGenerator<ReadableRows> {
  const start = journalStart(now)
  let passed = after
  for (let rowsMax = rowsOfFirstRead; ; rowsMax = rowsOfLaterReads) {
    const listed = await listRowsAfter(workspaceId, passed, rowsMax)
    const readable = readableRows(listed, passed, start)
    if (readable.behindGap && !(await isOldest(workspaceId, readable.behindGap, start))) return
    yield readable
    passed = readable.passed
    if (listed.length < rowsMax || passed < listed.at(-1)!.sequence) return
  }
}

const isOldest = async (workspaceId: string, { id }: JournalRow, start: string) => {
  const entry = await findJournalEntry(workspaceId, id)
  return entry !== undefined && isOldestKept(entry, start)
}

/** Entries by id, in this order, as far as they exist. */
export async function getEntries(workspaceId: string, rows: readonly { id: string }[]): Promise<JournalEntry[]> {
  // Consistent: the list may be ahead of a replica of the record.
  const found = await batchGetRows(
    rows.map(({ id }) => keys.event(workspaceId, id)),
    { ConsistentRead: true },
  )
  const entries = new Map(found.map((row) => [row.id, entryOf(row)]))
  return rows.flatMap(({ id }) => entries.get(id) ?? [])
}

export async function hasSequence(workspaceId: string, sequence: number): Promise<boolean> {
  const [row] = await listRowsAfter(workspaceId, sequence - 1, 1)
  return row?.sequence === sequence
}

/** Eventually consistent: rows may be missing, also between others. */
async function listRowsAfter(workspaceId: string, after: number, Limit: number): Promise<JournalRow[]> {
  const { Items = [] } = await table.send(
    new QueryCommand({
      TableName: tableName(),
      IndexName: listIndex.name,
      KeyConditionExpression: '#partition = :list AND #sort >= :from',
      ExpressionAttributeNames: { '#partition': listIndex.partition, '#sort': listIndex.sort },
      ExpressionAttributeValues: {
        ':list': listPartitions.events(workspaceId),
        ':from': paddedSequence(after + 1),
      },
      Limit,
    }),
  )
  return Items.map(rowOf)
}

const rowOf = ({ id, event, listSk }: Record<string, unknown>): JournalRow => {
  const [sequence = '', enteredAt = '', createdAt = ''] = String(listSk).split('#')
  return { id: String(id), event: event as EventType, sequence: Number(sequence), enteredAt, createdAt }
}

/** Every stored event of a workspace in order: those of the journal, then the others. For the operator. */
export async function listEvents(
  workspaceId: string,
): Promise<{ id: string; type: string; createdAt: string; sequence: number; takenAt: string | null }[]> {
  // The outbox first: an event that leaves it between the reads is in the journal by then.
  const pending = await listEventRows(workspaceId)
  const journal = await listEntries(workspaceId)
  const entered = new Set(journal.map(({ id }) => id))
  const rows = pending.filter(({ event }) => !entered.has(event.id))
  return [
    ...journal.map(({ id, event, createdAt, sequence, enteredAt }) => ({
      id,
      type: event,
      createdAt,
      sequence,
      takenAt: enteredAt,
    })),
    ...rows.map(({ event: { id, type }, createdAt, sequence, takenAt }) => ({
      id,
      type,
      createdAt,
      sequence,
      takenAt: takenAt ?? null,
    })),
  ]
}

async function listEntries(workspaceId: string): Promise<JournalEntry[]> {
  const rows = await queryAll<Row>({
    KeyConditionExpression: 'pk = :events AND begins_with(sk, :ids)',
    ExpressionAttributeValues: { ':events': keys.event(workspaceId, '').pk, ':ids': 'evt_' },
    ConsistentRead: true,
  })
  return rows.map(entryOf).toSorted((a, b) => a.sequence - b.sequence)
}
