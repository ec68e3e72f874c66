/** API keys: found by the hash of their secret, listed by their workspace. */
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { PageRange } from '../domain/core/page.ts'
import { notFound } from '../domain/core/refusal.ts'
import type { ApiKey, ApiKeyScope } from '../domain/records/api-key.ts'
import { invalidApiKey } from '../domain/workspaces/api-key.ts'
import { decideNewApiKey, decideRevocation } from '../domain/workspaces/api-key-lifecycle.ts'
import { table, tableName } from './core/client.ts'
import { commit } from './core/commit.ts'
import { retryOnConflict } from './core/conflict-retry.ts'
import type { Key } from './core/keys.ts'
import { keys, listPartitions } from './core/keys.ts'
import { listRows } from './core/list-index.ts'
import { recordOf } from './core/rows.ts'
import { getWorkspace } from './workspaces.ts'

/** A consistent read of the table: a revoked key is refused on the next request. */
export async function findApiKey(hash: string): Promise<ApiKey | undefined> {
  return readKey(keys.apiKey(hash))
}

async function readKey(key: Key): Promise<ApiKey | undefined> {
  const { Item } = await table.send(new GetCommand({ TableName: tableName(), Key: key, ConsistentRead: true }))
  return Item && recordOf<ApiKey>(Item)
}

/** The key of a request as it is now. @throws Refusal `unauthorized` where it was revoked since. */
export async function getActingKey({ hash }: Pick<ApiKey, 'hash'>): Promise<ApiKey> {
  const key = await findApiKey(hash)
  if (!key || key.revokedAt || key.suspendedAt) throw invalidApiKey()
  return key
}

type KeyRow = Key & { id: string }

/** The rows of the list, newest first, revoked keys included. Eventually consistent. */
async function listKeyRows(workspaceId: string): Promise<KeyRow[]> {
  const rows: KeyRow[] = []
  for await (const { pk, sk, id } of listRows<KeyRow>(listPartitions.apiKeys(workspaceId))) rows.push({ pk, sk, id })
  return rows
}

const readKeys = async (rows: readonly KeyRow[]): Promise<ApiKey[]> =>
  (await Promise.all(rows.map(({ pk, sk }) => readKey({ pk, sk })))).filter((key) => key !== undefined)

/** The keys of a workspace, newest first, revoked ones included. */
export const listApiKeys = async (workspaceId: string): Promise<ApiKey[]> => readKeys(await listKeyRows(workspaceId))

export async function listApiKeyPage(
  workspaceId: string,
  { limit, offset }: PageRange,
): Promise<{ keys: ApiKey[]; total: number }> {
  const rows = await listKeyRows(workspaceId)
  return { keys: await readKeys(rows.slice(offset, offset + limit)), total: rows.length }
}

/** A key by id; `not-found` in another workspace. */
export async function getApiKey(workspaceId: string, keyId: string): Promise<ApiKey> {
  const [key] = await readKeys((await listKeyRows(workspaceId)).filter(({ id }) => id === keyId))
  if (!key) throw notFound('key')
  return key
}

/** For the operator. @throws Refusal `limit-reached`, or `conflict` for a suspended workspace. */
export const createApiKey = (key: ApiKey): Promise<void> =>
  retryOnConflict(async () => commit(decideNewApiKey(await getWorkspace(key.workspaceId), key)))

/** For the operator. Revokes a key immediately. Idempotent. */
export const revokeApiKey = (workspaceId: string, keyId: string, now: string): Promise<ApiKey> =>
  retryOnConflict(async () => {
    const key = await getApiKey(workspaceId, keyId)
    const decision = decideRevocation(key, now)
    if (decision) await commit(decision)
    return decision?.key ?? key
  })

/** For the local run, whose key an earlier release may have created. */
export async function setApiKeyScope({ hash }: Pick<ApiKey, 'hash'>, scope: ApiKeyScope): Promise<void> {
  await table.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: keys.apiKey(hash),
      UpdateExpression: 'SET #scope = :scope',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: { '#scope': 'scope' },
      ExpressionAttributeValues: { ':scope': scope },
    }),
  )
}
