/** The outbox: side effects that a commit has requested. A row is in the due index until it was processed. */

import { DeleteCommand, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { AutomationWakeUp, DeliveryDrop, DeliveryReplay, Purge, SlotTimer } from '../../domain/core/outbox.ts'
import type { PipelineStart } from '../../domain/core/pipeline.ts'
import { secondsAfter } from '../../domain/core/time.ts'
import type { DomainEvent } from '../../domain/records/event.ts'
import { table, tableName } from './client.ts'
import type { Key } from './keys.ts'
import { dueKeys, dueSort, keys, outboxPrefix } from './keys.ts'
import type { EventRow, OutboxRow } from './outbox-row.ts'
import { queryAll, queryRows } from './query.ts'
import { eventOf, outboxRowOf } from './row-compatibility.ts'
import type { Row } from './rows.ts'

/** The stream triggers the worker within moments; a row that still exists after this is dispatched again. */
export const redispatchAfterSeconds = 60
/** More than a page of waiting runs is rarely read. */
const startsPerQuery = 50

const redispatchKeys = (id: string, at: string) => dueKeys(secondsAfter(at, redispatchAfterSeconds), id)

export const pipelineStartRow = (workspaceId: string, start: PipelineStart, at: string): Row => ({
  ...keys.outbox(workspaceId, start.runId),
  ...redispatchKeys(start.runId, at),
  kind: 'start',
  workspaceId,
  createdAt: at,
  start,
})

/** Keyed by a run, which ends once. */
export const permitReleaseRow = (workspaceId: string, runIds: readonly string[], at: string): Row => ({
  ...keys.outbox(workspaceId, `release#${runIds[0]}`),
  ...redispatchKeys(runIds[0]!, at),
  kind: 'release',
  workspaceId,
  createdAt: at,
  runIds: [...runIds],
})

/** Keyed by the video, which is deleted once. */
export const videoPurgeRow = (workspaceId: string, purge: Purge, at: string): Row => ({
  ...keys.outbox(workspaceId, purge.videoId),
  ...redispatchKeys(purge.videoId, at),
  kind: 'purge',
  workspaceId,
  createdAt: at,
  ...purge,
})

export const deliveryWakeUpRow = (
  workspaceId: string,
  wakeUp: { deliveryId: string; slow: boolean },
  at: string,
): Row => ({
  ...keys.outbox(workspaceId, wakeUp.deliveryId),
  ...redispatchKeys(wakeUp.deliveryId, at),
  kind: 'wake',
  workspaceId,
  createdAt: at,
  ...wakeUp,
})

/** Keyed by endpoint and epoch: an endpoint is disabled, or deleted, once in an epoch. */
export const deliveryDropRow = (workspaceId: string, drop: DeliveryDrop, at: string): Row => ({
  ...keys.outbox(workspaceId, `${drop.webhookId}#${drop.epoch}`),
  ...redispatchKeys(drop.webhookId, at),
  kind: 'drop',
  workspaceId,
  createdAt: at,
  ...drop,
})

export const deliveryReplayRow = (workspaceId: string, replay: DeliveryReplay, at: string): Row => ({
  ...keys.outbox(workspaceId, `replay#${replay.cause}`),
  ...redispatchKeys(replay.cause, at),
  kind: 'replay',
  workspaceId,
  createdAt: at,
  ...replay,
})

export const automationWakeUpRow = (workspaceId: string, wakeUp: AutomationWakeUp, at: string): Row => ({
  ...keys.outbox(workspaceId, `nudge#${wakeUp.cause}${'behind' in wakeUp ? `#behind#${wakeUp.behind.id}` : ''}`),
  ...redispatchKeys(wakeUp.cause, at),
  kind: 'nudge',
  workspaceId,
  createdAt: at,
  ...wakeUp,
})

/** Keyed by the change that planned the slot: after two edits the same slot may be planned again. */
export const slotTimerRow = (workspaceId: string, timer: SlotTimer, at: string): Row => ({
  ...keys.outbox(workspaceId, `alarm#${timer.cause}`),
  ...redispatchKeys(timer.automationId, at),
  kind: 'alarm',
  workspaceId,
  createdAt: at,
  ...timer,
})

export const eventRow = (workspaceId: string, event: DomainEvent, sequence: number, at: string): Row => ({
  ...keys.outbox(workspaceId, event.id),
  ...redispatchKeys(event.id, at),
  kind: 'event',
  workspaceId,
  createdAt: event.createdAt,
  event,
  sequence,
})

/** Undefined where the row was processed and deleted. */
export async function findOutboxRow({ pk, sk }: Key): Promise<OutboxRow | undefined> {
  const { Item } = await table.send(new GetCommand({ TableName: tableName(), Key: { pk, sk }, ConsistentRead: true }))
  return Item && outboxRowOf(Item)
}

export async function deleteOutboxRow({ pk, sk }: Key): Promise<void> {
  await table.send(new DeleteCommand({ TableName: tableName(), Key: { pk, sk } }))
}

/** Notes a pass of a purge that is repeated when the row is due. */
export async function markBegun({ pk, sk }: Key, now: string): Promise<void> {
  await table.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: { pk, sk },
      UpdateExpression: 'SET begunAt = :now',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':now': now },
    }),
  )
}

/** Schedules the second pass of a purge. */
export async function markPurged({ pk, sk }: Key, now: string, again: string): Promise<void> {
  await table.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: { pk, sk },
      UpdateExpression: 'SET purgedAt = :now, dueSk = :again',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':now': now, ':again': dueSort(again, sk.slice(outboxPrefix.length)) },
    }),
  )
}

/**
 * Allocates consecutive event numbers of a workspace. A failed commit leaves a gap; a later cause has a higher number.
 */
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

/** The pipeline starts of a workspace that were not performed yet, in the order of their requests. */
export async function* listPipelineStarts(workspaceId: string): AsyncGenerator<Key & { start: PipelineStart }, void> {
  const rows = queryRows<Row>({
    KeyConditionExpression: 'pk = :outbox AND begins_with(sk, :runs)',
    ExpressionAttributeValues: {
      ':outbox': keys.outbox(workspaceId, '').pk,
      ':runs': keys.outbox(workspaceId, 'run_').sk,
    },
    ConsistentRead: true,
    Limit: startsPerQuery,
  })
  for await (const item of rows) {
    const row = outboxRowOf(item)
    if (row.kind === 'start') yield { pk: item.pk, sk: item.sk, start: row.start }
  }
}

/** The events of a workspace that are not in the journal yet, in the order of their causes. Consistent. */
export const listPendingEvents = async (workspaceId: string): Promise<EventRow[]> =>
  (await listEventRows(workspaceId)).filter(({ takenAt }) => takenAt === undefined)

/** Also those that an earlier version fanned out. */
export async function listEventRows(workspaceId: string): Promise<EventRow[]> {
  const rows = await queryAll({
    KeyConditionExpression: 'pk = :outbox AND begins_with(sk, :events)',
    ExpressionAttributeValues: {
      ':outbox': keys.outbox(workspaceId, '').pk,
      ':events': keys.outbox(workspaceId, 'evt_').sk,
    },
    ConsistentRead: true,
  })
  return rows.map(eventOf).toSorted((a, b) => a.sequence - b.sequence)
}
