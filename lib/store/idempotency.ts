/** Answers that a retry with the same idempotency key gets again. Scope: workspace, method, path and key; kept 24 hours. */
import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { table, tableName } from './core/client.ts'
import { keys, ttlAttribute } from './core/keys.ts'

const ttlSeconds = 24 * 60 * 60

export interface IdempotencyScope {
  workspaceId: string
  method: string
  path: string
  key: string
}

export interface IdempotencyRecord extends IdempotencyScope {
  /** SHA-256 of the request body, to tell a replay of another request. */
  bodyHash: string
  status: number
  /** The answer's body as it was sent. */
  body: string
  /** ISO time of the request. */
  at: string
}

const scopeHash = ({ method, path, key }: IdempotencyScope) =>
  createHash('sha256')
    .update(JSON.stringify([method, path, key]))
    .digest('hex')

export const bodyHash = (body: string) => createHash('sha256').update(body).digest('hex')

const epochSeconds = (time: string) => Math.floor(Date.parse(time) / 1000)

/** The write that belongs into the transaction of the action. Its condition fails where the key was used within 24 hours. */
export function idempotencyPut(record: IdempotencyRecord) {
  const { workspaceId, at, body, ...kept } = record
  return {
    Put: {
      TableName: tableName(),
      Item: {
        ...keys.idempotency(workspaceId, scopeHash(record)),
        ...kept,
        // A row has 400 KB; the answer of an action on thousands of words has as many.
        body: gzipSync(body),
        at,
        [ttlAttribute]: epochSeconds(at) + ttlSeconds,
      },
      ConditionExpression: `attribute_not_exists(pk) OR ${ttlAttribute} <= :now`,
      ExpressionAttributeValues: { ':now': epochSeconds(at) },
    },
  }
}

/**
 * Keeps another body for a key, before the first request with it is answered. A retry that did not wait for that answer was given the body
 * before: that the work is under way.
 */
export async function replaceStoredResponse(scope: IdempotencyScope, body: string): Promise<void> {
  await table.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: keys.idempotency(scope.workspaceId, scopeHash(scope)),
      UpdateExpression: 'SET body = :body',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':body': gzipSync(body) },
    }),
  )
}

/** An earlier version kept it as it was sent. */
const bodyOf = ({ body }: Record<string, unknown>) =>
  typeof body === 'string' ? body : gunzipSync(body as Uint8Array).toString('utf8')

/** The answer that was given for this key, or undefined where there is none or it is older than 24 hours. */
export async function findStoredResponse(
  scope: IdempotencyScope,
  now: string,
): Promise<Pick<IdempotencyRecord, 'status' | 'body' | 'bodyHash'> | undefined> {
  const { Item } = await table.send(
    new GetCommand({
      TableName: tableName(),
      Key: keys.idempotency(scope.workspaceId, scopeHash(scope)),
      ConsistentRead: true,
    }),
  )
  if (!Item || Item[ttlAttribute] <= epochSeconds(now)) return undefined
  return { status: Item.status, body: bodyOf(Item), bodyHash: Item.bodyHash }
}
