/** Stored responses of idempotency keys. Scope: workspace, method, path and key; retention: 24 hours. */
import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { IdempotencyScope } from '../domain/records/idempotency-scope.ts'
import { table, tableName } from './core/client.ts'
import { epochSeconds, expiryOf, keys, ttlAttribute } from './core/keys.ts'

const ttlSeconds = 24 * 60 * 60

export interface IdempotencyRecord extends IdempotencyScope {
  workspaceId: string
  status: number
  /** The response body as it was sent. */
  body: string
  /** ISO time of the request. */
  at: string
}

const scopeHash = ({ method, path, key }: IdempotencyScope) =>
  createHash('sha256')
    .update(JSON.stringify([method, path, key]))
    .digest('hex')

export const bodyHash = (body: string) => createHash('sha256').update(body).digest('hex')

/** A write for the transaction of the request. Its condition fails where the key was used within 24 hours. */
export function idempotencyPut(record: IdempotencyRecord) {
  const { workspaceId, at, body, ...stored } = record
  return {
    Put: {
      TableName: tableName(),
      Item: {
        ...keys.idempotency(workspaceId, scopeHash(record)),
        ...stored,
        // A row is limited to 400 KB; the response of a sync job on thousands of words may be larger.
        body: gzipSync(body),
        at,
        [ttlAttribute]: expiryOf(at, ttlSeconds),
      },
      ConditionExpression: `attribute_not_exists(pk) OR ${ttlAttribute} <= :now`,
      ExpressionAttributeValues: { ':now': epochSeconds(at) },
    },
  }
}

/**
 * Replaces the stored body before the first request of a key has been answered. A retry before that gets the earlier
 * body, which says that the work is in progress.
 */
export async function replaceStoredResponse(workspaceId: string, scope: IdempotencyScope, body: string): Promise<void> {
  await table.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: keys.idempotency(workspaceId, scopeHash(scope)),
      UpdateExpression: 'SET body = :body',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':body': gzipSync(body) },
    }),
  )
}

/** Older releases stored it uncompressed. */
const bodyOf = ({ body }: Record<string, unknown>) =>
  typeof body === 'string' ? body : gunzipSync(body as Uint8Array).toString('utf8')

/** Undefined where there is none, or it is older than 24 hours. */
export async function findStoredResponse(
  workspaceId: string,
  scope: IdempotencyScope,
  now: string,
): Promise<Pick<IdempotencyRecord, 'status' | 'body' | 'bodyHash'> | undefined> {
  const { Item } = await table.send(
    new GetCommand({
      TableName: tableName(),
      Key: keys.idempotency(workspaceId, scopeHash(scope)),
      ConsistentRead: true,
    }),
  )
  if (!Item || Item[ttlAttribute] <= epochSeconds(now)) return undefined
  return { status: Item.status, body: bodyOf(Item), bodyHash: Item.bodyHash }
}
