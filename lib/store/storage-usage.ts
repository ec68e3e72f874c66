/**
 * Storage usage: each object is counted once, before it is stored, and its bytes are returned when it or its video is
 * deleted. Every count changes the workspace's one counter in a transaction, which allows some dozens a second: what
 * is stored in numbers is counted in batches.
 */
import { TransactionCanceledException, TransactionInProgressException } from '@aws-sdk/client-dynamodb'
import { GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { retry } from '../async.ts'
import { Superseded } from '../domain/core/failures.ts'
import type { Refusal } from '../domain/core/refusal.ts'
import type { VideoUsage } from '../domain/records/decision.ts'
import { plans } from '../domain/workspaces/plan.ts'
import { storageFull } from '../domain/workspaces/price.ts'
import type { Workspace } from '../domain/workspaces/workspace.ts'
import { batchGetRows } from './core/batch-get.ts'
import { type TransactItem, table, tableName } from './core/client.ts'
import { conflictBackoff } from './core/conflict-retry.ts'
import { deleteByPrefix } from './core/delete-by-prefix.ts'
import { type Key, keys } from './core/keys.ts'
import { queryAll } from './core/query.ts'
import { retryableCancellations } from './core/write-conflict.ts'
import { getWorkspace } from './workspaces.ts'

/** The owner of an object: the video that it was made for, and with which it is deleted. */
export interface StorageOwner {
  workspace: Pick<Workspace, 'id' | 'mediaSecret' | 'planId'>
  videoId: string
}

/** All objects of a workspace share its counter. */
const counterAttemptsMax = 12

/** The counters changed concurrently. Not a `WriteConflict`: callers need not decide again. */
class CountersChanged extends Error {}

/** An object by its name relative to the video. */
export interface CountedObject {
  name: string
  bytes: number
}

/** The rows of objects in a transaction of at most 100 items: the two counters are the others. */
export const objectsPerTransaction = 98

/**
 * `countObjects` for one object. Returns false where it was counted already, perhaps with another size.
 * @throws Refusal `warning-plan-storage` where the plan has no room, `Superseded` where the video was deleted: do not
 * store the object then.
 */
export async function countObject(owner: StorageOwner, name: string, bytes: number): Promise<boolean> {
  const { counted, refused } = await countObjects(owner, [{ name, bytes }])
  if (refused.has(name)) throw refused.get(name)
  return counted.includes(name)
}

/**
 * Counts objects with different names in one transaction, without those that are counted already. Where they do not fit
 * together, those that fit in their order are counted, or none with `allOrNone`; the others are refused. `share`: optional
 * objects are counted only while at most this share of the plan's storage is used.
 * @throws Superseded where the video was deleted.
 */
export async function countObjects(
  { workspace, videoId }: StorageOwner,
  objects: readonly CountedObject[],
  { share = 1, allOrNone = false }: { share?: number; allOrNone?: boolean } = {},
): Promise<Counted> {
  if (objects.length > objectsPerTransaction)
    throw new Error(`At most ${objectsPerTransaction} objects are counted at once.`)
  const refused = new Map<string, Refusal>()
  let limit = plans[workspace.planId].storageBytesMax
  let uncounted = [...objects]
  while (uncounted.length > 0) {
    const bytes = sumOfBytes(uncounted)
    const room = limit === null ? undefined : { bytes: Math.floor(share * limit) - bytes }
    const { failedRows, usageFailed, workspaceFailed } = await changeCounters(
      workspace.id,
      videoId,
      bytes,
      room,
      uncounted.map((object) => objectInsert(workspace.id, videoId, object)),
    )
    if (usageFailed) throw new Superseded(`The video ${videoId} was deleted.`)
    if (failedRows.size === 0 && !workspaceFailed) break
    uncounted = uncounted.filter((_, index) => !failedRows.has(index))
    if (!workspaceFailed || uncounted.length === 0) continue
    // The plan may have changed since the workspace was read.
    const current = await getWorkspace(workspace.id)
    limit = plans[current.planId].storageBytesMax
    if (limit === null) continue
    const { fitting, others } = fitInOrder(uncounted, Math.floor(share * limit) - current.storageUsedBytes)
    const isRefused = allOrNone && others.length > 0
    for (const { name } of isRefused ? uncounted : others) refused.set(name, storageFull(limit))
    uncounted = isRefused ? [] : fitting
  }
  return { counted: uncounted.map(({ name }) => name), refused }
}

interface Counted {
  /** Names that were not counted before. */
  counted: readonly string[]
  refused: ReadonlyMap<string, Refusal>
}

const sumOfBytes = (objects: readonly { bytes: number }[]) => objects.reduce((sum, { bytes }) => sum + bytes, 0)

const objectInsert = (workspaceId: string, videoId: string, { name, bytes }: CountedObject): TransactItem => ({
  Put: {
    TableName: tableName(),
    Item: { ...keys.object(workspaceId, videoId, name), bytes },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
})

/** As if each were counted after the one before. */
function fitInOrder(objects: readonly CountedObject[], bytesFree: number) {
  const fitting: CountedObject[] = []
  const others: CountedObject[] = []
  let free = bytesFree
  for (const object of objects) {
    const fits = object.bytes <= free
    if (fits) free -= object.bytes
    const group = fits ? fitting : others
    group.push(object)
  }
  return { fitting, others }
}

/**
 * Changes the bytes of a counted object to those that are stored. Does nothing where it is not counted or, with undefined
 * bytes, was deleted. @throws Superseded where the video was deleted.
 */
export async function recountObject(
  { workspace, videoId }: StorageOwner,
  name: string,
  bytes: number | undefined,
): Promise<void> {
  const key = keys.object(workspace.id, videoId, name)
  // A concurrent change of the row cancels the transaction; the next one is for the changed row.
  for (;;) {
    const { Item } = await table.send(new GetCommand({ TableName: tableName(), Key: key, ConsistentRead: true }))
    if (!Item || bytes === undefined || Item.bytes === bytes) return
    const update = {
      Update: {
        TableName: tableName(),
        Key: key,
        UpdateExpression: 'SET #bytes = :bytes',
        ConditionExpression: '#bytes = :seen',
        ExpressionAttributeNames: { '#bytes': 'bytes' },
        ExpressionAttributeValues: { ':bytes': bytes, ':seen': Item.bytes },
      },
    }
    const { failedRows, usageFailed } = await changeCounters(workspace.id, videoId, bytes - Item.bytes, undefined, [
      update,
    ])
    if (usageFailed) throw new Superseded(`The video ${videoId} was deleted.`)
    if (failedRows.size === 0) return
  }
}

/**
 * Returns the bytes of deleted objects to the quota, each once, in one transaction. @throws Superseded where the video
 * was deleted, and its bytes with it.
 */
export async function releaseObjects({ workspace, videoId }: StorageOwner, names: readonly string[]): Promise<void> {
  if (names.length > objectsPerTransaction)
    throw new Error(`At most ${objectsPerTransaction} objects are released at once.`)
  const rowKeys = names.map((name) => keys.object(workspace.id, videoId, name))
  // A concurrent release of one of them cancels the transaction; the next one is without that row.
  for (;;) {
    const counted = (await batchGetRows(rowKeys, { ConsistentRead: true })) as unknown as (Key & { bytes: number })[]
    if (counted.length === 0) return
    const bytes = sumOfBytes(counted)
    const deletions = counted.map(({ pk, sk }) => ({
      Delete: { TableName: tableName(), Key: { pk, sk }, ConditionExpression: 'attribute_exists(pk)' },
    }))
    const { failedRows, usageFailed } = await changeCounters(workspace.id, videoId, -bytes, undefined, deletions)
    if (usageFailed) throw new Superseded(`The video ${videoId} was deleted.`)
    if (failedRows.size === 0) return
  }
}

interface FailedConditions {
  /** Indexes of rows. */
  failedRows: ReadonlySet<number>
  usageFailed?: boolean | undefined
  workspaceFailed?: boolean | undefined
}

/**
 * Changes the rows of objects and both counters in one transaction; where nothing was written, returns the failed
 * conditions.
 */
async function changeCounters(
  workspaceId: string,
  videoId: string,
  bytes: number,
  room: { bytes: number } | undefined,
  rows: readonly TransactItem[],
): Promise<FailedConditions> {
  const usage: TransactItem = {
    Update: {
      TableName: tableName(),
      Key: keys.usage(workspaceId, videoId),
      UpdateExpression: 'SET storedBytes = storedBytes + :bytes',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':bytes': bytes },
    },
  }
  const counter: TransactItem = {
    Update: {
      TableName: tableName(),
      Key: keys.workspace(workspaceId),
      UpdateExpression: 'SET storageUsedBytes = storageUsedBytes + :bytes',
      ...(room && { ConditionExpression: 'storageUsedBytes <= :room' }),
      ExpressionAttributeValues: { ':bytes': bytes, ...(room && { ':room': room.bytes }) },
    },
  }
  const attempt = async (): Promise<FailedConditions> => {
    try {
      await table.send(new TransactWriteCommand({ TransactItems: [...rows, usage, counter] }))
      return { failedRows: new Set() }
    } catch (error) {
      if (error instanceof TransactionCanceledException) {
        const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code)
        const failed = codes.map((code) => code === 'ConditionalCheckFailed')
        const failedRows = new Set(rows.keys().filter((index) => failed[index]))
        const [usageFailed, workspaceFailed] = failed.slice(rows.length)
        if (failedRows.size > 0 || usageFailed || workspaceFailed) return { failedRows, usageFailed, workspaceFailed }
        if (!codes.some((code) => code && retryableCancellations.has(code))) throw error
      } else if (!(error instanceof TransactionInProgressException)) throw error
      throw new CountersChanged(`The objects of ${videoId} could not be counted: too many concurrent changes.`)
    }
  }
  return retry(attempt, {
    ...conflictBackoff(counterAttemptsMax),
    isRetryable: (error) => error instanceof CountersChanged,
  })
}

/** The names of the counted objects of a video that start with `prefix`. */
export async function listObjects(workspaceId: string, videoId: string, prefix: string): Promise<string[]> {
  const { pk, sk } = keys.object(workspaceId, videoId, prefix)
  const skip = sk.length - prefix.length
  const rows = await queryAll<Key>({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': pk, ':prefix': sk },
    ProjectionExpression: 'sk',
    ConsistentRead: true,
  })
  return rows.map((row) => row.sk.slice(skip))
}

/** The bytes of objects of any videos, by their storage keys. One that is not counted adds nothing. */
export async function countedBytes(storageKeys: readonly string[]): Promise<number> {
  const rowKeys = storageKeys.map((key) => {
    const [workspaceId = '', videoId = '', ...name] = key.split('/')
    return keys.object(workspaceId, videoId, name.join('/'))
  })
  return sumOfBytes((await batchGetRows(rowKeys, { ConsistentRead: true })) as unknown as { bytes: number }[])
}

/** Undefined where the video was deleted. */
export async function findVideoUsage(workspaceId: string, videoId: string): Promise<VideoUsage | undefined> {
  const { Item } = await table.send(
    new GetCommand({ TableName: tableName(), Key: keys.usage(workspaceId, videoId), ConsistentRead: true }),
  )
  return Item && { storedBytes: Item.storedBytes, clips: Item.clips }
}

/** Deletes the object rows of a deleted video, whose bytes were returned with it. */
export const deleteObjectRows = (workspaceId: string, videoId: string): Promise<void> =>
  deleteByPrefix(keys.object(workspaceId, videoId, ''))
