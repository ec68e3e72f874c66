/** The objects of a video in storage: each is counted once, before it is stored, and given back when it or its video is removed. */
import { TransactionCanceledException, TransactionInProgressException } from '@aws-sdk/client-dynamodb'
import { GetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { Superseded } from '../domain/core/failures.ts'
import type { VideoUsage } from '../domain/records/decision.ts'
import { plans } from '../domain/workspaces/plan.ts'
import { refuseFullStorage, storageFull } from '../domain/workspaces/price.ts'
import type { Workspace } from '../domain/workspaces/workspace.ts'
import { table, tableName } from './core/client.ts'
import { backOffWithJitter } from './core/conflict-retry.ts'
import { deleteByPrefix } from './core/delete-by-prefix.ts'
import { keys } from './core/keys.ts'
import { retryableCancellations } from './core/write-conflict.ts'
import { getWorkspace } from './workspaces.ts'

/** Whose object it is: an object belongs to the video that made it and is removed with it. */
export interface StorageOwner {
  workspace: Pick<Workspace, 'id' | 'mediaSecret' | 'planId'>
  videoId: string
}

/** Objects of one workspace meet at its counter. */
const conflictAttemptsMax = 12

/**
 * Counts an object, named by its place under the video, unless it is counted already. Throws `warning-plan-storage` where the
 * plan has no room for it, `Superseded` where the video is gone: then nothing may be stored. What could be done without is counted
 * only as long as no more than a `share` of the plan's storage is used.
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
  const {
    rowFailed,
    holdingsFailed: usageFailed,
    workspaceFailed,
  } = await changeCounters(workspace.id, videoId, bytes, room, {
    Put: { TableName: tableName(), Item: row, ConditionExpression: 'attribute_not_exists(pk)' },
  })
  if (usageFailed) throw new Superseded(`The video ${videoId} is gone.`)
  if (rowFailed || !workspaceFailed) return
  // The plan may have changed since the workspace was read.
  refuseFullStorage(await getWorkspace(workspace.id), bytes)
  throw storageFull(limit ?? 0)
}

/** Gives back the bytes of an object that was removed from storage, once. `Superseded` where the video is gone, its bytes with it. */
export async function releaseObject({ workspace, videoId }: StorageOwner, name: string): Promise<void> {
  const Key = keys.object(workspace.id, videoId, name)
  const { Item } = await table.send(new GetCommand({ TableName: tableName(), Key, ConsistentRead: true }))
  if (!Item) return
  const { holdingsFailed: usageFailed } = await changeCounters(workspace.id, videoId, -Item.bytes, undefined, {
    Delete: { TableName: tableName(), Key, ConditionExpression: 'attribute_exists(pk)' },
  })
  if (usageFailed) throw new Superseded(`The video ${videoId} is gone.`)
}

type Action = NonNullable<ConstructorParameters<typeof TransactWriteCommand>[0]['TransactItems']>[number]

interface Conditions {
  rowFailed?: boolean | undefined
  holdingsFailed?: boolean | undefined
  workspaceFailed?: boolean | undefined
}

/** Changes the row of an object and both counters at once, or nothing: then it answers which conditions did not hold. */
async function changeCounters(
  workspaceId: string,
  videoId: string,
  bytes: number,
  room: { bytes: number } | undefined,
  row: Action,
): Promise<Conditions> {
  const holdings: Action = {
    Update: {
      TableName: tableName(),
      Key: keys.usage(workspaceId, videoId),
      UpdateExpression: 'SET storedBytes = storedBytes + :bytes',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':bytes': bytes },
    },
  }
  const counter: Action = {
    Update: {
      TableName: tableName(),
      Key: keys.workspace(workspaceId),
      UpdateExpression: 'SET storageUsedBytes = storageUsedBytes + :bytes',
      ...(room && { ConditionExpression: 'storageUsedBytes <= :room' }),
      ExpressionAttributeValues: { ':bytes': bytes, ...(room && { ':room': room.bytes }) },
    },
  }
  for (let race = 0; race < conflictAttemptsMax; race++) {
    try {
      await table.send(new TransactWriteCommand({ TransactItems: [row, holdings, counter] }))
      return {}
    } catch (error) {
      if (error instanceof TransactionCanceledException) {
        const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code)
        const [rowFailed, usageFailed, workspaceFailed] = codes.map((code) => code === 'ConditionalCheckFailed')
        if (rowFailed || usageFailed || workspaceFailed)
          return { rowFailed, holdingsFailed: usageFailed, workspaceFailed }
        if (!codes.some((code) => code && retryableCancellations.has(code))) throw error
      } else if (!(error instanceof TransactionInProgressException)) throw error
      await backOffWithJitter(race)
    }
  }
  throw new Error(`The objects of ${videoId} could not be counted: the workspace kept changing.`)
}

/** The names of the counted objects of a video that begin with `prefix`. */
export async function listObjects(workspaceId: string, videoId: string, prefix: string): Promise<string[]> {
  const { pk, sk } = keys.object(workspaceId, videoId, prefix)
  const skip = sk.length - prefix.length
  const names: string[] = []
  let cursor: Record<string, unknown> | undefined
  do {
    const { Items, LastEvaluatedKey } = await table.send(
      new QueryCommand({
        TableName: tableName(),
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':pk': pk, ':prefix': sk },
        ProjectionExpression: 'sk',
        ConsistentRead: true,
        ...(cursor && { ExclusiveStartKey: cursor }),
      }),
    )
    names.push(...(Items ?? []).map((row) => String(row.sk).slice(skip)))
    cursor = LastEvaluatedKey
  } while (cursor)
  return names
}

/** What a video holds, or undefined where it is gone. */
export async function findVideoUsage(workspaceId: string, videoId: string): Promise<VideoUsage | undefined> {
  const { Item } = await table.send(
    new GetCommand({ TableName: tableName(), Key: keys.usage(workspaceId, videoId), ConsistentRead: true }),
  )
  return Item && { storedBytes: Item.storedBytes, clips: Item.clips }
}

/** Forgets the objects of a removed video, whose bytes were given back with it. */
export const deleteObjectRows = (workspaceId: string, videoId: string): Promise<void> =>
  deleteByPrefix(keys.object(workspaceId, videoId, ''))
