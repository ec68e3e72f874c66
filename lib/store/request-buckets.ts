/** The request buckets of a workspace that all instances share. */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { table, tableName } from './core/client.ts'
import { keys, ttlAttribute } from './core/keys.ts'
import { conditionFailed } from './core/write-conflict.ts'

/** A bucket that is full is as good as none. */
const retentionSeconds = 3_600

/**
 * Takes tokens that are worth `ms` milliseconds of refilling, and returns the instant at which the bucket is full again.
 * `seen` is that instant as this instance knows it: it decides which of two conditional writes is likely to succeed.
 */
export async function takeFromBucket(
  { workspaceId, requestClass }: { workspaceId: string; requestClass: string },
  ms: number,
  seen: number,
  now: number,
): Promise<number> {
  // DynamoDB has no maximum: a bucket that is being refilled gets its instant moved, a full one gets a new instant.
  const writes = [
    { set: 'fullAt = fullAt + :ms', condition: 'fullAt > :now', values: { ':ms': ms, ':now': now } },
    {
      set: 'fullAt = :fullAt',
      condition: 'attribute_not_exists(fullAt) OR fullAt <= :now',
      values: { ':fullAt': now + ms, ':now': now },
    },
  ]
  if (seen <= now) writes.reverse()
  for (const { set, condition, values } of [...writes, ...writes])
    try {
      const { Attributes } = await table.send(
        new UpdateCommand({
          TableName: tableName(),
          Key: keys.requestBucket(workspaceId, requestClass),
          UpdateExpression: `SET ${set}, ${ttlAttribute} = :until`,
          ConditionExpression: condition,
          ExpressionAttributeValues: { ...values, ':until': Math.floor(now / 1000) + retentionSeconds },
          ReturnValues: 'UPDATED_NEW',
        }),
      )
      return Attributes!.fullAt as number
    } catch (error) {
      if (!conditionFailed(error)) throw error
    }
  return seen
}
