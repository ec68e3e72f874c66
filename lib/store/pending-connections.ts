/** Pending OAuth connections: one row each, consumed once. */
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import type { PendingConnection } from '../domain/accounts/pending-connection.ts'
import { table, tableName } from './core/client.ts'
import { keys, ttlAttribute } from './core/keys.ts'

/** The record's `expiresAt` is stored as `endsAt`: the TTL attribute has the same name. */
const rowOf = ({ expiresAt, ...pending }: PendingConnection) => ({
  ...pending,
  endsAt: expiresAt,
  [ttlAttribute]: Math.ceil(Date.parse(expiresAt) / 1000),
})

export async function putPendingConnection(stateHash: string, pending: PendingConnection): Promise<void> {
  await table.send(
    new PutCommand({
      TableName: tableName(),
      Item: { ...keys.pendingConnection(stateHash), ...rowOf(pending) },
      ConditionExpression: 'attribute_not_exists(pk)',
    }),
  )
}

/** Deletes and returns it, so that only one caller gets it. */
export async function consumePendingConnection(stateHash: string): Promise<PendingConnection | undefined> {
  const { Attributes } = await table.send(
    new DeleteCommand({ TableName: tableName(), Key: keys.pendingConnection(stateHash), ReturnValues: 'ALL_OLD' }),
  )
  if (!Attributes) return undefined
  const { pk: _pk, sk: _sk, [ttlAttribute]: _until, endsAt: expiresAt, ...pending } = Attributes
  return { ...pending, expiresAt } as PendingConnection
}
