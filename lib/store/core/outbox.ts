/** The outbox: what a commit wants done after it. Rows wait in the due index until somebody took them. */

import { DeleteCommand, GetCommand, QueryCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { AutomationWakeUp, DeliveryDrop, Purge, SlotTimer } from '../../domain/core/outbox.ts'
import type { PipelineStart } from '../../domain/core/pipeline.ts'
import { secondsAfter } from '../../domain/core/time.ts'
import type { Delivery } from '../../domain/records/delivery.ts'
import type { DomainEvent } from '../../domain/records/event.ts'
import { table, tableName } from './client.ts'
import type { Key } from './keys.ts'
import { duePartition, keys, outboxPrefix, ttlAttribute } from './keys.ts'
import type { EventRow, OutboxRow } from './outbox-row.ts'
import { eventOf, outboxRowOf } from './row-compatibility.ts'
import type { Row } from './rows.ts'
import { deliveryRow } from './rows.ts'
import { firstConditionFailed } from './write-conflict.ts'

/** The stream wakes the worker within moments; a row that is still here after this is given to it again. */
const redispatchAfterSeconds = 60
/** A told event stays readable this long, longer than the delivery log. */
const keptSeconds = 8 * 24 * 60 * 60

const waiting = (id: string, at: string) => ({
  duePk: duePartition(id),
  dueSk: `${secondsAfter(at, redispatchAfterSeconds)}#${id}`,
})

export const pipelineStartRow = (workspaceId: string, start: PipelineStart, at: string): Row => ({
  ...keys.outbox(workspaceId, start.runId),
  ...waiting(start.runId, at),
  kind: 'start',
  workspaceId,
  createdAt: at,
  start,
})

/** Under the id of the video: it is removed once. */
export const videoPurgeRow = (workspaceId: string, purge: Purge, at: string): Row => ({
  ...keys.outbox(workspaceId, purge.videoId),
  ...waiting(purge.videoId, at),
  kind: 'purge',
  workspaceId,
  createdAt: at,
  ...purge,
})

export const deliveryWakeUpRow = (
  workspaceId: string,
  wake: { deliveryId: string; slow: boolean },
  at: string,
): Row => ({
  ...keys.outbox(workspaceId, wake.deliveryId),
  ...waiting(wake.deliveryId, at),
  kind: 'wake',
  workspaceId,
  createdAt: at,
  ...wake,
})

/** An endpoint is disabled, or deleted, once in an epoch. */
export const deliveryDropRow = (workspaceId: string, drop: DeliveryDrop, at: string): Row => ({
  ...keys.outbox(workspaceId, `${drop.webhookId}#${drop.epoch}`),
  ...waiting(drop.webhookId, at),
  kind: 'drop',
  workspaceId,
  createdAt: at,
  ...drop,
})

export const automationWakeUpRow = (workspaceId: string, nudge: AutomationWakeUp, at: string): Row => ({
  ...keys.outbox(workspaceId, `nudge#${nudge.cause}${'behind' in nudge ? `#behind#${nudge.behind.id}` : ''}`),
  ...waiting(nudge.cause, at),
  kind: 'nudge',
  workspaceId,
  createdAt: at,
  ...nudge,
})

/** The same slot may be planned again after an edit and another: hence the change that did. */
export const slotTimerRow = (workspaceId: string, alarm: SlotTimer, at: string): Row => ({
  ...keys.outbox(workspaceId, `alarm#${alarm.cause}`),
  ...waiting(alarm.automationId, at),
  kind: 'alarm',
  workspaceId,
  createdAt: at,
  ...alarm,
})

export const eventRow = (workspaceId: string, event: DomainEvent, sequence: number, at: string): Row => ({
  ...keys.outbox(workspaceId, event.id),
  ...waiting(event.id, at),
  kind: 'event',
  workspaceId,
  createdAt: event.createdAt,
  event,
  sequence,
})

/** The row that a wake-up names, or undefined where it is done and gone. */
export async function findOutboxRow({ pk, sk }: Key): Promise<OutboxRow | undefined> {
  const { Item } = await table.send(new GetCommand({ TableName: tableName(), Key: { pk, sk }, ConsistentRead: true }))
  return Item && outboxRowOf(Item)
}

/** What was done and need not be kept. */
export async function deleteOutboxRow({ pk, sk }: Key): Promise<void> {
  await table.send(new DeleteCommand({ TableName: tableName(), Key: { pk, sk } }))
}

/** A removal that was purged is looked at once more. */
export async function markPurged({ pk, sk }: Key, now: string, again: string): Promise<void> {
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

/**
 * Keeps the envelope of an event with all the deliveries that it makes, and takes it out of what waits. False where somebody
 * else was first: then nothing was written.
 */
export async function commitFanOut(
  { pk, sk }: Key,
  payload: string,
  deliveries: readonly Delivery[],
  now: string,
): Promise<boolean> {
  try {
    await table.send(
      new TransactWriteCommand({
        TransactItems: [
          {
            Update: {
              TableName: tableName(),
              Key: { pk, sk },
              UpdateExpression: `SET takenAt = :now, payload = :payload, deliveryIds = :deliveries, ${ttlAttribute} = :until REMOVE duePk, dueSk`,
              ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(takenAt)',
              ExpressionAttributeValues: {
                ':now': now,
                ':payload': payload,
                ':deliveries': deliveries.map(({ id }) => id),
                ':until': Math.floor(Date.parse(secondsAfter(now, keptSeconds)) / 1000),
              },
            },
          },
          ...deliveries.map((delivery) => ({
            Put: {
              TableName: tableName(),
              Item: deliveryRow(delivery),
              ConditionExpression: 'attribute_not_exists(pk)',
            },
          })),
        ],
      }),
    )
    return true
  } catch (error) {
    if (!firstConditionFailed(error)) throw error
    return false
  }
}

/** The next numbers for so many events of a workspace. Who draws and then writes nothing leaves a gap; what was caused later has a higher one. */
export async function allocateEventNumbers(workspaceId: string, count: number): Promise<number[]> {
  const { Attributes } = await table.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: keys.eventSequence(workspaceId),
      UpdateExpression: 'ADD newest :count',
      ExpressionAttributeValues: { ':count': count },
      ReturnValues: 'UPDATED_NEW',
    }),
  )
  return Array.from({ length: count }, (_, index) => Attributes!.newest - count + 1 + index)
}

/** Every event of a workspace that is still kept, in the order of their numbers. For the operator. */
export async function listEvents(
  workspaceId: string,
): Promise<{ id: string; type: string; createdAt: string; sequence: number; takenAt: string | null }[]> {
  const events: EventRow[] = []
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
    events.push(...(Items ?? []).map(eventOf))
    cursor = LastEvaluatedKey
  } while (cursor)
  return events
    .toSorted((a, b) => a.sequence - b.sequence)
    .map(({ event: { id, type }, createdAt, sequence, takenAt }) => ({
      id,
      type,
      createdAt,
      sequence,
      takenAt: takenAt ?? null,
    }))
}
