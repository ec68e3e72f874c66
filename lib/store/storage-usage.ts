/**
 * Storage usage: each object is counted once, before it is stored, and its bytes are returned when it or its video is
 * deleted.
 */
import { TransactionCanceledException, TransactionInProgressException } from '@aws-sdk/client-dynamodb'
import { GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { retry } from '../async.ts'
import { Superseded } from '../domain/core/failures.ts'
import type { VideoUsage } from '../domain/records/decision.ts'
import { plans } from '../domain/workspaces/plan.ts'
import { refuseFullStorage, storageFull } from '../domain/workspaces/price.ts'
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

/**
 * Counts an object, named relative to the video, unless it is counted already. `share`: optional objects are counted
 * only while at most this share of the plan's storage is used.
 * @throws Refusal `warning-plan-storage` where the plan has no room, `Superseded` where the video was deleted: do not
 * store the object then.
 */
export async function countObject(
  { workspace, videoId }: StorageOwner,
  name: string,
  bytes: number,
  share = 1,
): Promise<void> {
  const limit = plans[workspace.planId].storageBytesMax
  const room = limit === null ? undefined : { bytes: Math.floor(share * limit) - bytes }
  const row = { ...keys.object(workspace.id, videoId, name), bytes }
  const { rowFailed, usageFailed, workspaceFailed } = await changeCounters(workspace.id, videoId, bytes, room, [
    { Put: { TableName: tableName(), Item: row, ConditionExpression: 'attribute_not_exists(pk)' } },
  ])
  if (usageFailed) throw new Superseded(`The video ${videoId} was deleted.`)
  if (rowFailed || !workspaceFailed) return
  // The plan may have changed since the workspace was read.
  refuseFullStorage(await getWorkspace(workspace.id), bytes)
  throw storageFull(limit ?? 0)
}

/** The rows of objects in a transaction of at most 100 items: the two counters are the others. */
export const objectsPerRelease = 98

/**
 * Returns the bytes of deleted objects to the quota, each once, in one transaction. @throws Superseded where the video
 * was deleted, and its bytes with it.
 */
export async function releaseObjects({ workspace, videoId }: StorageOwner, names: readonly string[]): Promise<void> {
  if (names.length > objectsPerRelease) throw new Error(`At most ${objectsPerRelease} objects are released at once.`)
  const rowKeys = names.map((name) => keys.object(workspace.id, videoId, name))
  // A concurrent release of one of them cancels the transaction; the next one is without that row.
  for (;;) {
    const counted = (await batchGetRows(rowKeys, { ConsistentRead: true })) as unknown as (Key & { bytes: number })[]
    if (counted.length === 0) return
    const bytes = counted.reduce((sum, row) => sum + row.bytes, 0)
    const deletions = counted.map(({ pk, sk }) => ({
      Delete: { TableName: tableName(), Key: { pk, sk }, ConditionExpression: 'attribute_exists(pk)' },
    }))
    const { rowFailed, usageFailed } = await changeCounters(workspace.id, videoId, -bytes, undefined, deletions)
    if (usageFailed) throw new Superseded(`The video ${videoId} was deleted.`)
    if (!rowFailed) return
  }
}

interface FailedConditions {
  rowFailed?: boolean | undefined
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
      return {}
    } catch (error) {
      if (error instanceof TransactionCanceledException) {
        const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code)
        const failed = codes.map((code) => code === 'ConditionalCheckFailed')
        const rowFailed = failed.slice(0, rows.length).includes(true)
        const [usageFailed, workspaceFailed] = failed.slice(rows.length)
        if (rowFailed || usageFailed || workspaceFailed) return { rowFailed, usageFailed, workspaceFailed }
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
