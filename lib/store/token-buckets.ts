/** The token buckets of a workspace that all instances share. */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { setNewest } from '../bounded-map.ts'
import { msUntilToken, type TokenBucket, tokenMs } from '../domain/core/token-bucket.ts'
import { table, tableName } from './core/client.ts'
import { keys, ttlAttribute } from './core/keys.ts'

export interface BucketName {
  workspaceId: string
  name: string
}

/**
 * Takes tokens that are worth `ms` milliseconds of refilling, also from an empty bucket, and returns the instant at
 * which the bucket is full again. `seen` is that instant as this instance knows it.
 */
export async function countTokens(name: BucketName, ms: number, seen: number, now: number): Promise<number> {
  const { fullAt } = await moveFullAt(name, ms, Number.MAX_SAFE_INTEGER, seen, now)
  return fullAt
}

/**
 * Takes a token. Returns the milliseconds to wait before it may be used: 0 from a bucket that holds one. Takes none, and
 * returns undefined, where that is longer than `waitMsMax`.
 */
export async function takeToken(
  name: BucketName,
  bucket: TokenBucket,
  now: number,
  waitMsMax = 0,
): Promise<number | undefined> {
  const latest = now + bucket.refillMs - tokenMs(bucket) + waitMsMax
  const { fullAt, isTaken } = await moveFullAt(name, tokenMs(bucket), latest, seenFullAt.get(seenKey(name)) ?? now, now)
  setNewest(seenFullAt, seenKey(name), fullAt, seenMax)
  return isTaken ? msUntilToken(fullAt - tokenMs(bucket), bucket, now) : undefined
}

/** When buckets are full again, as this instance last saw them. The least recently used comes first. */
const seenFullAt = new Map<string, number>()
const seenMax = 1_000

const seenKey = ({ workspaceId, name }: BucketName) => `${workspaceId} ${name}`

/**
 * Moves the instant at which a bucket is full again by `ms`, unless it is after `latest`. DynamoDB has no maximum: the
 * instant of a bucket that is being refilled is moved, a full one gets a new instant; `seen` decides which conditional
 * write is tried first.
 */
async function moveFullAt(
  name: BucketName,
  ms: number,
  latest: number,
  seen: number,
  now: number,
): Promise<{ fullAt: number; isTaken: boolean }> {
  const refilling = {
    set: 'fullAt + :ms',
    condition: 'fullAt > :now AND fullAt <= :latest',
    values: { ':latest': latest },
  }
  const full = { set: ':now + :ms', condition: 'attribute_not_exists(fullAt) OR fullAt <= :now', values: {} }
  let fullAt = seen
  for (const write of seen > now ? [refilling, full] : [full, refilling]) {
    const result = await update(name, write, { ':ms': ms, ':now': now })
    if (result.isTaken) return result
    fullAt = result.fullAt
  }
  return { fullAt, isTaken: false }
}

async function update(
  { workspaceId, name }: BucketName,
  { set, condition, values }: { set: string; condition: string; values: Record<string, number> },
  common: { ':ms': number; ':now': number },
): Promise<{ fullAt: number; isTaken: boolean }> {
  try {
    const { Attributes } = await table.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: keys.tokenBucket(workspaceId, name),
        UpdateExpression: `SET fullAt = ${set}, ${ttlAttribute} = :until`,
        ConditionExpression: condition,
        ExpressionAttributeValues: {
          ...common,
          ...values,
          ':until': Math.floor(common[':now'] / 1000) + retentionSeconds,
        },
        ReturnValues: 'UPDATED_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    )
    return { fullAt: Attributes!.fullAt as number, isTaken: true }
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error
    return { fullAt: Number(error.Item?.fullAt?.N ?? common[':now']), isTaken: false }
  }
}

/** A bucket that is full is as good as none; no bucket takes longer to refill. */
const retentionSeconds = 2 * 60 * 60
