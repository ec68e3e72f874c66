/** API keys: found by the hash of their secret; created, listed and revoked by the operator. */
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import { GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { notFound, Refusal } from '../domain/core/refusal.ts'
import type { ApiKey } from '../domain/workspaces/api-key.ts'
import { apiKeysMax } from '../domain/workspaces/plan.ts'
import { table, tableName } from './core/client.ts'
import type { Key } from './core/keys.ts'
import { keys, listPartitions } from './core/keys.ts'
import { listRows } from './core/list-index.ts'
import { recordOf } from './core/rows.ts'
import { firstConditionFailed } from './core/write-conflict.ts'

/** A consistent read of the table: a revoked key is refused on the next request. */
export async function findApiKey(hash: string): Promise<ApiKey | undefined> {
  return readKey(keys.apiKey(hash))
}

async function readKey(key: Key): Promise<ApiKey | undefined> {
  const { Item } = await table.send(new GetCommand({ TableName: tableName(), Key: key, ConsistentRead: true }))
  return Item && recordOf<ApiKey>(Item)
}

/** Stores a key and counts it; the 26th of a workspace is refused, also under concurrent calls, and any of a suspended one. */
export async function createApiKey(key: ApiKey): Promise<void> {
  try {
    await table.send(
      new TransactWriteCommand({
        TransactItems: [
          {
            Update: {
              TableName: tableName(),
              Key: keys.workspace(key.workspaceId),
              UpdateExpression: 'SET apiKeysUsed = apiKeysUsed + :one',
              ConditionExpression:
                'attribute_exists(pk) AND attribute_not_exists(suspendedAt) AND apiKeysUsed < :limit',
              ExpressionAttributeValues: { ':one': 1, ':limit': apiKeysMax },
              ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
            },
          },
          {
            Put: {
              TableName: tableName(),
              Item: {
                ...keys.apiKey(key.hash),
                listPk: listPartitions.apiKeys(key.workspaceId),
                listSk: `${key.createdAt}#${key.id}`,
                ...key,
              },
              ConditionExpression: 'attribute_not_exists(pk)',
            },
          },
        ],
      }),
    )
  } catch (error) {
    const reason = error instanceof TransactionCanceledException ? error.CancellationReasons?.[0] : undefined
    if (reason?.Code !== 'ConditionalCheckFailed') throw error
    if (!reason.Item) throw notFound('workspace')
    if ('deletedAt' in reason.Item) throw new Refusal('conflict', 'The workspace is deleted.')
    if ('suspendedAt' in reason.Item) throw new Refusal('conflict', 'The workspace is suspended. Resume it first.')
    throw new Refusal('limit-reached', `A workspace can have at most ${apiKeysMax} API keys. Revoke one first.`)
  }
}

/** The keys of a workspace, newest first, revoked ones included. */
export async function listApiKeys(workspaceId: string): Promise<ApiKey[]> {
  const rows: Key[] = []
  for await (const { pk, sk } of listRows(listPartitions.apiKeys(workspaceId))) rows.push({ pk, sk })
  const found = await Promise.all(rows.map(readKey))
  return found.filter((key) => key !== undefined)
}

/** Revokes a key immediately and decrements the count. Idempotent. */
export async function revokeApiKey(workspaceId: string, keyId: string, now: string): Promise<ApiKey> {
  const key = (await listApiKeys(workspaceId)).find(({ id }) => id === keyId)
  if (!key) throw notFound('key')
  if (key.revokedAt) return key
  try {
    await table.send(
      new TransactWriteCommand({
        TransactItems: [
          {
            Update: {
              TableName: tableName(),
              Key: keys.apiKey(key.hash),
              UpdateExpression: 'SET revokedAt = :now',
              ConditionExpression: 'attribute_exists(pk) AND revokedAt = :never',
              ExpressionAttributeValues: { ':now': now, ':never': null },
            },
          },
          {
            Update: {
              TableName: tableName(),
              Key: keys.workspace(workspaceId),
              UpdateExpression: 'SET apiKeysUsed = apiKeysUsed - :one',
              ExpressionAttributeValues: { ':one': 1 },
            },
          },
        ],
      }),
    )
  } catch (error) {
    // Another call has revoked it.
    if (!firstConditionFailed(error)) throw error
  }
  return { ...key, revokedAt: now }
}
