/** The sealed tokens of accounts: read by those who post and look up, renewed by one process at a time. */
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { Account } from '../domain/records/account.ts'
import type { SealedTokens } from '../domain/records/tokens.ts'
import { table, tableName } from './core/client.ts'
import { type Key, keys } from './core/keys.ts'
import { recordOf, tokensRow } from './core/rows.ts'
import { conditionFailed } from './core/write-conflict.ts'

export const findTokens = ({ workspaceId, id }: Pick<Account, 'workspaceId' | 'id'>) =>
  findTokensByKey(keys.tokens(workspaceId, id))

/** The tokens in the row that the due index names; undefined where they are gone. */
export async function findTokensByKey({ pk, sk }: Key): Promise<SealedTokens | undefined> {
  const { Item } = await table.send(new GetCommand({ TableName: tableName(), Key: { pk, sk }, ConsistentRead: true }))
  return Item && recordOf<SealedTokens>(Item)
}

/** Makes the caller the one who renews this pair. Undefined where somebody else does or did. */
export function leaseTokens(pair: SealedTokens, until: string, now: string): Promise<SealedTokens | undefined> {
  return updateIf(pair, {
    UpdateExpression: 'SET leaseUntil = :until',
    ConditionExpression: '#version = :seen AND (leaseUntil = :none OR leaseUntil <= :now)',
    ExpressionAttributeValues: { ':until': until, ':none': null, ':now': now },
  })
}

/** Moves the end of one's own lease; undefined where it is nobody's or somebody else's by now. */
export function setLeaseEnd(leased: SealedTokens, until: string): Promise<SealedTokens | undefined> {
  return updateIf(leased, {
    UpdateExpression: 'SET leaseUntil = :until',
    ConditionExpression: '#version = :seen AND leaseUntil = :mine',
    ExpressionAttributeValues: { ':until': until, ':mine': leased.leaseUntil },
  })
}

/**
 * Puts a pair in the place of the one that it was got for, and ends the lease. Undefined where that one is not there any more. It does not
 * ask for the lease: a pair that came late is the only one there is, since the platform may have taken back the other.
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

/** Puts off when somebody looks at a pair, as long as it is this one. */
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

/** One update and no transaction: a writer that meets another one waits, where a transaction would be given up. */
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
