/** Suspends, resumes and deletes a workspace together with its keys, in one transaction. For the operator. */
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import type { ApiKey } from '../domain/records/api-key.ts'
import type { SuspensionDecision } from '../domain/workspaces/suspension.ts'
import { type TransactItem, table, tableName } from './core/client.ts'
import { type Key, keys } from './core/keys.ts'
import { retryableCancellations, WriteConflict } from './core/write-conflict.ts'

/**
 * A key that was created since the keys were read, or that their index does not show yet, fails the write: the workspace
 * counts its keys. After a restore it may count fewer than there are. @throws WriteConflict.
 */
export async function commitSuspension({ before, after, keyCount, keys: changes }: SuspensionDecision): Promise<void> {
  const values = { suspendedAt: after.suspendedAt, deletedAt: after.deletedAt, apiKeysUsed: after.apiKeysUsed }
  const workspace = stateUpdate(keys.workspace(before.id), values, {
    condition: `apiKeysUsed <= :seen AND ${before.suspendedAt ? 'suspendedAt = :since' : 'attribute_not_exists(suspendedAt)'}`,
    values: { ':seen': keyCount, ...(before.suspendedAt && { ':since': before.suspendedAt }) },
  })
  const keyUpdates = changes.map(({ before, after }) => keyUpdate(before, after))
  try {
    await table.send(new TransactWriteCommand({ TransactItems: [workspace, ...keyUpdates] }))
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error
    if (!error.CancellationReasons?.some(({ Code }) => Code && retryableCancellations.has(Code))) throw error
    throw new WriteConflict(`The keys or the state of workspace ${before.id} have just changed. Repeat the command.`)
  }
}

const keyUpdate = (before: ApiKey, { suspendedAt, revokedAt }: ApiKey): TransactItem =>
  stateUpdate(
    keys.apiKey(before.hash),
    { suspendedAt, revokedAt },
    { condition: 'attribute_exists(pk) AND revokedAt = :never', values: { ':never': null } },
  )

/** Sets the attributes that have a value, and removes the others. */
function stateUpdate(
  key: Key,
  attributes: Record<string, unknown>,
  guard: { condition: string; values: Record<string, unknown> },
): TransactItem {
  const names = Object.keys(attributes)
  const set = names.filter((name) => attributes[name] !== undefined)
  const removed = names.filter((name) => attributes[name] === undefined)
  return {
    Update: {
      TableName: tableName(),
      Key: key,
      UpdateExpression: [
        ...(set.length > 0 ? [`SET ${set.map((name) => `${name} = :${name}`).join(', ')}`] : []),
        ...(removed.length > 0 ? [`REMOVE ${removed.join(', ')}`] : []),
      ].join(' '),
      ConditionExpression: guard.condition,
      ExpressionAttributeValues: {
        ...guard.values,
        ...Object.fromEntries(set.map((name) => [`:${name}`, attributes[name]])),
      },
    },
  }
}
