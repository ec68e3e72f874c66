/** What became of one account of a publication, told while the posts to the others go on. */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { PublishResult } from '../domain/records/jobs.ts'
import type { Video } from '../domain/records/video.ts'
import { table, tableName } from './core/client.ts'
import { keys } from './core/keys.ts'
import { conditionFailed } from './core/write-conflict.ts'

/**
 * Outside the version of the record, its `updatedAt` and the indexes: whoever decides on the video meanwhile loses no race by it, and
 * the end of the run writes all results anew. Changes nothing where the run has ended, or this was told before.
 */
export async function recordPublishResult(
  { workspaceId, id, publish }: Video,
  { accountId, platform, ...told }: PublishResult,
): Promise<void> {
  const index = publish?.results.findIndex((result) => result.accountId === accountId) ?? -1
  if (!publish || index < 0) return
  const result = `publish.results[${index}]`
  const reached = told.status === 'COMPLETED'
  try {
    await table.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: keys.video(workspaceId, id),
        UpdateExpression: `SET ${result} = :told${reached ? ', publish.platforms = list_append(publish.platforms, :platform)' : ''}`,
        ConditionExpression: `publish.runId = :run AND publish.#status = :processing AND ${result}.accountId = :account AND ${result}.#status = :processing`,
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':run': publish.runId,
          ':processing': 'PROCESSING',
          ':account': accountId,
          ':told': { accountId, platform, ...told },
          ...(reached ? { ':platform': [platform] } : {}),
        },
      }),
    )
  } catch (error) {
    if (!conditionFailed(error)) throw error
  }
}
