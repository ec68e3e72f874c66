/** The outbox: what a commit wants done after it. Rows wait in the due index until somebody took them. */
import { DeleteCommand, GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { Purge, Start } from '../domain/decision.ts'
import type { DomainEvent } from '../domain/event.ts'
import { secondsAfter } from '../domain/time.ts'
import { table, tableName } from './client.ts'
import type { Key } from './keys.ts'
import { duePartition, keys, outboxPrefix, ttlAttribute } from './keys.ts'
import type { Row } from './rows.ts'

/** The stream wakes the worker within moments; a row that is still here after this is given to it again. */
const lostAfterSeconds = 60
/** A told event stays readable this long, longer than the delivery log. */
const keptSeconds = 8 * 24 * 60 * 60

const waiting = (id: string, at: string) => ({
  duePk: duePartition(id),
  dueSk: `${secondsAfter(at, lostAfterSeconds)}#${id}`,
})

export type OutboxRow =
  | { kind: 'start'; workspaceId: string; createdAt: string; start: Start }
  | ({ kind: 'purge'; workspaceId: string; createdAt: string } & Purge & { purgedAt?: string })
  | { kind: 'event'; workspaceId: string; createdAt: string; event: DomainEvent; takenAt?: string; payload?: string }

export const startRow = (workspaceId: string, start: Start, at: string): Row => ({
  ...keys.outbox(workspaceId, start.runId),
  ...waiting(start.runId, at),
  kind: 'start',
  workspaceId,
  createdAt: at,
  start,
})

/** Under the id of the video: it is removed once. */
export const purgeRow = (workspaceId: string, purge: Purge, at: string): Row => ({
  ...keys.outbox(workspaceId, purge.videoId),
  ...waiting(purge.videoId, at),
  kind: 'purge',
  workspaceId,
  createdAt: at,
  ...purge,
})

export const eventRow = (workspaceId: string, event: DomainEvent): Row => ({
  ...keys.outbox(workspaceId, event.id),
  ...waiting(event.id, event.createdAt),
  kind: 'event',
  workspaceId,
  createdAt: event.createdAt,
  event,
})

/** The row that a wake-up names, or undefined where it is done and gone. */
export async function findOutboxRow({ pk, sk }: Key): Promise<OutboxRow | undefined> {
  const { Item } = await table.send(new GetCommand({ TableName: tableName(), Key: { pk, sk }, ConsistentRead: true }))
  return Item as OutboxRow | undefined
}

/** What was done and need not be kept. */
export async function deleteOutboxRow({ pk, sk }: Key): Promise<void> {
  await table.send(new DeleteCommand({ TableName: tableName(), Key: { pk, sk } }))
}

/** A removal that was purged is looked at once more. */
export async function notePurged({ pk, sk }: Key, now: string, again: string): Promise<void> {
  await table.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: { pk, sk },
      UpdateExpression: 'SET purgedAt = :now, dueSk = :again',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':now': now, ':again': `${again}#${sk.slice(outboxPrefix.length)}` },
    }),
  )
}

/** Keeps the envelope of an event and takes it out of what waits. A second taker changes nothing. */
export async function takeEvent({ pk, sk }: Key, payload: string, now: string): Promise<void> {
  await table.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: { pk, sk },
      UpdateExpression: `SET takenAt = if_not_exists(takenAt, :now), payload = if_not_exists(payload, :payload), ${ttlAttribute} = :until REMOVE duePk, dueSk`,
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: {
        ':now': now,
        ':payload': payload,
        ':until': Math.floor(Date.parse(secondsAfter(now, keptSeconds)) / 1000),
      },
    }),
  )
}

/** Every event of a workspace that is still kept, oldest first. For the operator. */
export async function listEvents(
  workspaceId: string,
): Promise<{ id: string; type: string; createdAt: string; takenAt: string | null }[]> {
  const events: Extract<OutboxRow, { kind: 'event' }>[] = []
  let cursor: Record<string, unknown> | undefined
  do {
    const { Items, LastEvaluatedKey } = await table.send(
      new QueryCommand({
        TableName: tableName(),
        KeyConditionExpression: 'pk = :outbox AND begins_with(sk, :events)',
        ExpressionAttributeValues: {
          ':outbox': keys.outbox(workspaceId, '').pk,
          ':events': keys.outbox(workspaceId, 'evt_').sk,
        },
        ConsistentRead: true,
        ...(cursor ? { ExclusiveStartKey: cursor } : {}),
      }),
    )
    events.push(...((Items ?? []) as typeof events))
    cursor = LastEvaluatedKey
  } while (cursor)
  return events
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
    .map(({ event, createdAt, takenAt }) => ({ id: event.id, type: event.type, createdAt, takenAt: takenAt ?? null }))
}
