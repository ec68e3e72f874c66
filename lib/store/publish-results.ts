/** The result of one account of a publication, stored while the others are still in progress. */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { PublishResult } from '../domain/records/jobs.ts'
import type { Video } from '../domain/records/video.ts'
import { table, tableName } from './core/client.ts'
import { keys } from './core/keys.ts'
import { conditionFailed } from './core/write-conflict.ts'

/**
 * A best-effort update outside the version of the record, its `updatedAt` and the indexes: it conflicts with no
 * decision, and the end of the run writes all results again. No effect where the run has ended or the result is stored
 * already.
 */
export async function recordPublishResult(
  { workspaceId, id, publish }: Video,
  { accountId, platform, ...outcome }: PublishResult,
): Promise<void> {
  const index = publish?.results.findIndex((result) => result.accountId === accountId) ?? -1
  if (!publish || index < 0) return
  const result = `publish.results[${index}]`
  const isPublished = outcome.status === 'COMPLETED'
  try {
    await table.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: keys.video(workspaceId, id),
        UpdateExpression: `SET ${result} = :result${isPublished ? ', publish.platforms = list_append(publish.platforms, :platform)' : ''}`,
        ConditionExpression: `publish.runId = :run AND publish.#status = :processing AND ${result}.accountId = :account AND ${result}.#status = :processing`,
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':run': publish.runId,
          ':processing': 'PROCESSING',
          ':account': accountId,
          ':result': { accountId, platform, ...outcome },
          ...(isPublished ? { ':platform': [platform] } : {}),
        },
      }),
    )
  } catch (error) {
    if (!conditionFailed(error)) throw error
  }
}
