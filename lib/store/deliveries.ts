/** Webhook deliveries: claimed by workers one by one, and read as the pages of a log. */
import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { PageRange } from '../domain/core/page.ts'
import { notFound } from '../domain/core/refusal.ts'
import { secondsAfter } from '../domain/core/time.ts'
import type { Delivery, DeliveryStatus } from '../domain/records/delivery.ts'
import { deliveryStatuses } from '../domain/records/delivery.ts'
import type { EventType } from '../domain/records/event.ts'
import { clockSkewSeconds, deliveryLeaseSeconds, deliveryRetentionDays } from '../domain/webhooks/delivery-attempts.ts'
import { batchGetRows } from './core/batch-get.ts'
import { table, tableName } from './core/client.ts'
import type { Key } from './core/keys.ts'
import { keys, listPartitions } from './core/keys.ts'
import { listRows } from './core/list-index.ts'
import { deliveryOf } from './core/row-compatibility.ts'
import { deliveryRow } from './core/rows.ts'
import { conditionFailed } from './core/write-conflict.ts'

/** The start of the log: older rows count as deleted, also before the table has deleted them. */
const logStart = (now: string) => secondsAfter(now, -deliveryRetentionDays * 24 * 60 * 60)

/** A delivery by id; `not-found` after its retention. */
export async function getDelivery(workspaceId: string, deliveryId: string, now: string): Promise<Delivery> {
  const delivery = await findDeliveryByKey(keys.delivery(workspaceId, deliveryId))
  if (!delivery || delivery.createdAt < logStart(now)) throw notFound('delivery')
  return delivery
}

/** Does nothing where it exists. Not a `Decision`: it only creates a row. */
export async function createDelivery(delivery: Delivery): Promise<void> {
  try {
    await table.send(
      new PutCommand({
        TableName: tableName(),
        Item: deliveryRow(delivery),
        ConditionExpression: 'attribute_not_exists(pk)',
      }),
    )
  } catch (error) {
    if (!conditionFailed(error)) throw error
  }
}

/** By the key of a row of the due index. */
export async function findDeliveryByKey({ pk, sk }: Key): Promise<Delivery | undefined> {
  const { Item } = await table.send(new GetCommand({ TableName: tableName(), Key: { pk, sk }, ConsistentRead: true }))
  return Item && deliveryOf(Item)
}

/**
 * Claims the next attempt for the time of a lease. Undefined where there is nothing to do: the delivery is not due, has
 * another worker, has had this attempt, has ended, or was deleted.
 */
export async function claimDelivery(
  workspaceId: string,
  deliveryId: string,
  attempts: number,
  now: string,
): Promise<Delivery | undefined> {
  try {
    const { Attributes } = await table.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: keys.delivery(workspaceId, deliveryId),
        UpdateExpression:
          'SET leaseUntil = :lease, #version = #version + :one, claims = if_not_exists(claims, :zero) + :one',
        ConditionExpression:
          '#status = :pending AND attempts = :attempts AND nextAttemptAt <= :soon AND (leaseUntil = :none OR leaseUntil < :now)',
        ExpressionAttributeNames: { '#status': 'status', '#version': 'version' },
        ExpressionAttributeValues: {
          ':pending': 'pending' satisfies DeliveryStatus,
          ':attempts': attempts,
          ':now': now,
          ':soon': secondsAfter(now, clockSkewSeconds),
          ':lease': secondsAfter(now, deliveryLeaseSeconds),
          ':none': null,
          ':one': 1,
          ':zero': 0,
        },
        ReturnValues: 'ALL_NEW',
      }),
    )
    return deliveryOf(Attributes!)
  } catch (error) {
    if (conditionFailed(error)) return undefined
    throw error
  }
}

export interface DeliveryFilters {
  event?: EventType | undefined
  status?: DeliveryStatus | undefined
  webhookId?: string | undefined
}

type LogRow = Key & { id: string; listSk: string; event: EventType; webhookId: string }

/** A page of the log, newest first, and the total. Reads the narrow rows of all requested statuses. */
export async function listDeliveries(
  workspaceId: string,
  filters: DeliveryFilters,
  { limit, offset }: PageRange,
  now: string,
): Promise<{ deliveries: Delivery[]; total: number }> {
  const statuses = filters.status ? [filters.status] : deliveryStatuses
  const logs = await Promise.all(statuses.map((status) => readLog(workspaceId, status, filters, now)))
  // The index is eventually consistent: a delivery may appear under two statuses.
  const rows = [...new Map(logs.flat().map((row) => [row.id, row])).values()]
  const ids = rows
    .toSorted((a, b) => (a.listSk < b.listSk ? 1 : -1))
    .slice(offset, offset + limit)
    .map(({ id }) => id)
  const records = await batchGetRows(ids.map((id) => keys.delivery(workspaceId, id)))
  const found = new Map(records.map((row) => [row.id, deliveryOf(row)]))
  const deliveries = ids.flatMap((id) => found.get(id) ?? [])
  return { deliveries: deliveries.filter(({ status }) => status === (filters.status ?? status)), total: rows.length }
}

async function readLog(workspaceId: string, status: DeliveryStatus, filters: DeliveryFilters, now: string) {
  const { event, webhookId } = filters
  const rows: LogRow[] = []
  for await (const row of listRows<LogRow>(listPartitions.deliveries(workspaceId, status), undefined, logStart(now)))
    if ((event ?? row.event) === row.event && (webhookId ?? row.webhookId) === row.webhookId) rows.push(row)
  return rows
}

/** Pending deliveries to an endpoint; eventually consistent. */
export async function listPendingDeliveries(workspaceId: string, webhookId: string, now: string): Promise<Key[]> {
  const rows = await readLog(workspaceId, 'pending', { webhookId }, now)
  return rows.map(({ id }) => keys.delivery(workspaceId, id))
}
