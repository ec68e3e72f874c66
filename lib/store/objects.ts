/** The objects of a video in storage: each is counted once, before it is stored, and given back when the video is removed. */
import { TransactionCanceledException, TransactionInProgressException } from '@aws-sdk/client-dynamodb'
import { BatchWriteCommand, GetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import type { Holdings } from '../domain/decision.ts'
import { Superseded } from '../domain/job.ts'
import { plans } from '../domain/plan.ts'
import type { Workspace } from '../domain/workspace.ts'
import { refuseFullStorage, storageFull } from '../domain/workspace.ts'
import { table, tableName } from './client.ts'
import { decidedAgain } from './failures.ts'
import { keys } from './keys.ts'
import { pauseAfter } from './races.ts'
import { getWorkspace } from './workspaces.ts'

/** Whose object it is: an object belongs to the video that made it and is removed with it. */
export interface Owner {
  workspace: Pick<Workspace, 'id' | 'mediaSecret' | 'planId'>
  videoId: string
}

/** Objects of one workspace meet at its counter. */
const racesMax = 12

/**
 * Counts an object, named by its place under the video, unless it is counted already. Throws `warning-plan-storage` where the
 * plan has no room for it, `Superseded` where the video is gone: then nothing may be stored.
 */
export async function countObject({ workspace, videoId }: Owner, name: string, bytes: number): Promise<void> {
  const limit = plans[workspace.planId].storageBytesMax
  for (let race = 0; race < racesMax; race++) {
    try {
      await table.send(
        new TransactWriteCommand({
          TransactItems: [
            {
              Put: {
                TableName: tableName(),
                Item: { ...keys.object(workspace.id, videoId, name), bytes },
                ConditionExpression: 'attribute_not_exists(pk)',
              },
            },
            {
              Update: {
                TableName: tableName(),
                Key: keys.holdings(workspace.id, videoId),
                UpdateExpression: 'SET storedBytes = storedBytes + :bytes',
                ConditionExpression: 'attribute_exists(pk)',
                ExpressionAttributeValues: { ':bytes': bytes },
              },
            },
            {
              Update: {
                TableName: tableName(),
                Key: keys.workspace(workspace.id),
                UpdateExpression: 'SET storageUsedBytes = storageUsedBytes + :bytes',
                ...(limit === null ? {} : { ConditionExpression: 'storageUsedBytes <= :room' }),
                ExpressionAttributeValues: { ':bytes': bytes, ...(limit === null ? {} : { ':room': limit - bytes }) },
              },
            },
          ],
        }),
      )
      return
    } catch (error) {
      if (error instanceof TransactionCanceledException) {
        const [counted, gone, full] = (error.CancellationReasons ?? []).map(
          ({ Code }) => Code === 'ConditionalCheckFailed',
        )
        if (gone) throw new Superseded(`The video ${videoId} is gone.`)
        if (counted) return
        // The plan may have changed since the workspace was read.
        if (full) {
          refuseFullStorage(await getWorkspace(workspace.id), bytes)
          throw storageFull(limit ?? 0)
        }
        if (!(error.CancellationReasons ?? []).some(({ Code }) => Code && decidedAgain.has(Code))) throw error
      } else if (!(error instanceof TransactionInProgressException)) throw error
      await pauseAfter(race)
    }
  }
  throw new Error(`The object ${name} of ${videoId} could not be counted: the workspace kept changing.`)
}

/** What a video holds, or undefined where it is gone. */
export async function findHoldings(workspaceId: string, videoId: string): Promise<Holdings | undefined> {
  const { Item } = await table.send(
    new GetCommand({ TableName: tableName(), Key: keys.holdings(workspaceId, videoId), ConsistentRead: true }),
  )
  return Item && { storedBytes: Item.storedBytes, clips: Item.clips }
}

/** Forgets the objects of a removed video, whose bytes were given back with it; 25 rows at a time. */
export async function forgetObjects(workspaceId: string, videoId: string): Promise<void> {
  const { pk, sk } = keys.object(workspaceId, videoId, '')
  for (;;) {
    const { Items = [] } = await table.send(
      new QueryCommand({
        TableName: tableName(),
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :objects)',
        ExpressionAttributeValues: { ':pk': pk, ':objects': sk },
        ProjectionExpression: 'pk, sk',
        ConsistentRead: true,
        Limit: 25,
      }),
    )
    if (Items.length === 0) return
    await table.send(
      new BatchWriteCommand({
        RequestItems: {
          [tableName()]: Items.map((Key) => ({ DeleteRequest: { Key: Key as Record<string, string> } })),
        },
      }),
    )
  }
}
