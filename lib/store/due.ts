/** What waits longer than it should: the sweeper's reading list. */
import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import { table, tableName } from './client.ts'
import type { Key } from './keys.ts'
import { dueIndex, duePartitions } from './keys.ts'

/** Keys of the rows that were due before `now`, oldest first, at most `perShard` of each shard. */
export async function listDue(now: string, perShard: number): Promise<Key[]> {
  const shards = await Promise.all(
    duePartitions().map((shard) =>
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
