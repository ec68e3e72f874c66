/** What waits longer than it should: the sweeper's reading list. */
import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { table, tableName } from './core/client.ts'
import type { DueLane, Key } from './core/keys.ts'
import { dueIndex, duePartitions } from './core/keys.ts'
import { conditionFailed } from './core/write-conflict.ts'

/** Keys of the rows that were due before `now`, oldest first, at most `perShard` of each shard; without `lanes` what the sweeper looks at. */
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

/** Looks at a row again at another time; one that no longer waits is left alone. */
export async function postpone({ pk, sk }: Key, at: string): Promise<void> {
  try {
    await table.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: { pk, sk },
        UpdateExpression: 'SET #due = :at',
        ConditionExpression: 'attribute_exists(#due)',
        ExpressionAttributeNames: { '#due': dueIndex.sort },
        ExpressionAttributeValues: { ':at': `${at}#${sk}` },
      }),
    )
  } catch (error) {
    if (!conditionFailed(error)) throw error
  }
}
