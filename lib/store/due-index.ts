/** The due index: rows that have to be processed at a time. */
import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { table, tableName } from './core/client.ts'
import type { DueLane, Key } from './core/keys.ts'
import { dueIndex, duePartitions, dueSort, keys } from './core/keys.ts'
import { queryRows } from './core/query.ts'
import { conditionFailed } from './core/write-conflict.ts'

/**
 * Keys of the rows that were due before `now`, oldest first, at most `perShard` of each shard. Default: the lanes of
 * the sweeper.
 */
export async function listDue(now: string, perShard: number, lanes?: readonly DueLane[]): Promise<Key[]> {
  const shards = await Promise.all(
    duePartitions(lanes).map((shard) =>
      table.send(
        new QueryCommand({
          TableName: tableName(),
          IndexName: dueIndex.name,
          KeyConditionExpression: '#shard = :shard AND #due < :now',
          ExpressionAttributeNames: { '#shard': dueIndex.partition, '#due': dueIndex.sort },
          ExpressionAttributeValues: { ':shard': shard, ':now': now },
          Limit: perShard,
        }),
      ),
    ),
  )
  return shards.flatMap(({ Items }) => (Items ?? []).map(({ pk, sk }) => ({ pk, sk })))
}

/** The videos and sync jobs of a workspace with an open job: each is in the due index. Reads that index of the deployment. */
export async function listOpenJobs(workspaceId: string): Promise<Key[]> {
  const own = keys.video(workspaceId, '').pk
  const found: Key[] = []
  for (const shard of duePartitions(['others']))
    for await (const { pk, sk } of queryRows<Key>({
      IndexName: dueIndex.name,
      KeyConditionExpression: '#shard = :shard',
      ExpressionAttributeNames: { '#shard': dueIndex.partition },
      ExpressionAttributeValues: { ':shard': shard },
    }))
      if (pk.startsWith(own)) found.push({ pk, sk })
  return found
}

/** Moves the due time of a row; a row that is not due any more is unchanged. */
export async function postpone({ pk, sk }: Key, at: string): Promise<void> {
  try {
    await table.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: { pk, sk },
        UpdateExpression: 'SET #due = :at',
        ConditionExpression: 'attribute_exists(#due)',
        ExpressionAttributeNames: { '#due': dueIndex.sort },
        ExpressionAttributeValues: { ':at': dueSort(at, sk) },
      }),
    )
  } catch (error) {
    if (!conditionFailed(error)) throw error
  }
}
