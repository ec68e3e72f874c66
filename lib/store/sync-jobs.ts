/** Sync jobs of a video: the newest run of each kind and target. */
import { DeleteCommand, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { Superseded } from '../domain/core/failures.ts'
import type { SyncJobKind } from '../domain/core/pipeline.ts'
import type { SyncJob } from '../domain/records/sync-job.ts'
import { table, tableName } from './core/client.ts'
import type { Key } from './core/keys.ts'
import { keys, syncJobPrefix } from './core/keys.ts'
import { queryAll } from './core/query.ts'
import { syncJobOf } from './core/row-compatibility.ts'
import { conditionFailed } from './core/write-conflict.ts'

export interface SyncJobKey {
  workspaceId: string
  videoId: string
  kind: SyncJobKind
  target: string
}

export const findSyncJob = ({ workspaceId, videoId, kind, target }: SyncJobKey): Promise<SyncJob | undefined> =>
  findSyncJobByKey(keys.syncJob(workspaceId, videoId, kind, target))

export async function findSyncJobByKey({ pk, sk }: Key): Promise<SyncJob | undefined> {
  const { Item } = await table.send(new GetCommand({ TableName: tableName(), Key: { pk, sk }, ConsistentRead: true }))
  return Item && syncJobOf(Item)
}

/** Claims the next attempt of a run: the next write of any earlier worker fails. */
export async function claimSyncJobAttempt(
  { workspaceId, videoId, kind, target }: SyncJobKey,
  runId: string,
): Promise<SyncJob> {
  try {
    const { Attributes } = await table.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: keys.syncJob(workspaceId, videoId, kind, target),
        UpdateExpression: 'SET attempt = attempt + :one, #version = #version + :one',
        ConditionExpression: 'runId = :run AND #status = :running',
        ExpressionAttributeNames: { '#status': 'status', '#version': 'version' },
        ExpressionAttributeValues: { ':run': runId, ':running': 'RUNNING', ':one': 1 },
        ReturnValues: 'ALL_NEW',
      }),
    )
    return syncJobOf(Attributes!)
  } catch (error) {
    if (!conditionFailed(error)) throw error
    throw new Superseded(`Run ${runId} is no longer the open ${kind} of ${videoId}.`)
  }
}

/** Every sync job of a video: at most one for each kind and target. */
export async function listSyncJobs(workspaceId: string, videoId: string): Promise<SyncJob[]> {
  const { pk } = keys.syncJob(workspaceId, videoId, '', '')
  const rows = await queryAll({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :jobs)',
    ExpressionAttributeValues: { ':pk': pk, ':jobs': syncJobPrefix },
    ConsistentRead: true,
  })
  return rows.map(syncJobOf)
}

/** Deletes a job that has ended; a newer run of it stays, with its reservation. */
export async function deleteSyncJob({ workspaceId, videoId, kind, target, runId }: SyncJob): Promise<void> {
  try {
    await table.send(
      new DeleteCommand({
        TableName: tableName(),
        Key: keys.syncJob(workspaceId, videoId, kind, target),
        ConditionExpression: 'runId = :run AND #status <> :running',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':run': runId, ':running': 'RUNNING' },
      }),
    )
  } catch (error) {
    if (!conditionFailed(error)) throw error
  }
}
