/**
 * The sealed tokens of accounts: read by publishing and profile look-ups, refreshed by one process at a time under a
 * lease.
 */
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { Account } from '../domain/records/account.ts'
import type { SealedTokens } from '../domain/records/tokens.ts'
import { table, tableName } from './core/client.ts'
import { type Key, keys } from './core/keys.ts'
import { recordOf, tokensRow } from './core/rows.ts'
import { conditionFailed } from './core/write-conflict.ts'

export const findTokens = ({ workspaceId, id }: Pick<Account, 'workspaceId' | 'id'>) =>
  findTokensByKey(keys.tokens(workspaceId, id))

/** By the key of a row of the due index. */
export async function findTokensByKey({ pk, sk }: Key): Promise<SealedTokens | undefined> {
  const { Item } = await table.send(new GetCommand({ TableName: tableName(), Key: { pk, sk }, ConsistentRead: true }))
  return Item && recordOf<SealedTokens>(Item)
}

/** Takes the lease to refresh this pair. Undefined where another process holds it, or the pair was replaced. */
export function leaseTokens(pair: SealedTokens, until: string, now: string): Promise<SealedTokens | undefined> {
  return updateIf(pair, {
    UpdateExpression: 'SET leaseUntil = :until',
    ConditionExpression: '#version = :seen AND (leaseUntil = :none OR leaseUntil <= :now)',
    ExpressionAttributeValues: { ':until': until, ':none': null, ':now': now },
  })
}

/** Moves the end of the caller's lease; undefined where the caller no longer holds it. */
export function setLeaseEnd(leased: SealedTokens, until: string): Promise<SealedTokens | undefined> {
  return updateIf(leased, {
    UpdateExpression: 'SET leaseUntil = :until',
    ConditionExpression: '#version = :seen AND leaseUntil = :mine',
    ExpressionAttributeValues: { ':until': until, ':mine': leased.leaseUntil },
  })
}

/**
 * Replaces a pair by its successor and ends the lease. Undefined where `before` was replaced or deleted. The lease
 * itself is not required: a late successor is the only valid pair, since the platform may have revoked the other one.
 */
export function replaceTokens(before: SealedTokens, after: SealedTokens): Promise<SealedTokens | undefined> {
  const { duePk, dueSk } = tokensRow(after)
  return updateIf(before, {
    UpdateExpression:
      'SET #version = :version, sealed = :sealed, storedAt = :storedAt, accessEndsAt = :endsAt, leaseUntil = :none, dueAt = :dueAt, duePk = :duePk, dueSk = :dueSk',
    ConditionExpression: '#version = :seen',
    ExpressionAttributeValues: {
      ':version': after.version,
      ':sealed': after.sealed,
      ':storedAt': after.storedAt,
      ':endsAt': after.accessEndsAt,
      ':none': null,
      ':dueAt': after.dueAt,
      ':duePk': duePk,
      ':dueSk': dueSk,
    },
  })
}

/** Moves the next check of a pair, unless it was replaced. */
export async function rescheduleTokenCheck(pair: SealedTokens, dueAt: string): Promise<void> {
  await updateIf(pair, {
    UpdateExpression: 'SET dueAt = :dueAt, dueSk = :dueSk',
    ConditionExpression: '#version = :seen',
    ExpressionAttributeValues: { ':dueAt': dueAt, ':dueSk': tokensRow({ ...pair, dueAt }).dueSk },
  })
}

type Update = Pick<
  ConstructorParameters<typeof UpdateCommand>[0],
  'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeValues'
>

/**
 * A single update, not a transaction: concurrent writers wait for each other, where a transaction would be cancelled.
 */
async function updateIf(seen: SealedTokens, update: Update): Promise<SealedTokens | undefined> {
  try {
    const { Attributes } = await table.send(
      new UpdateCommand({
        ...update,
        TableName: tableName(),
        Key: keys.tokens(seen.workspaceId, seen.accountId),
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':seen': seen.version },
        ReturnValues: 'ALL_NEW',
      }),
    )
    return recordOf<SealedTokens>(Attributes!)
  } catch (error) {
    if (conditionFailed(error)) return undefined
    throw error
  }
}
