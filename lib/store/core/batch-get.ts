/** Reads many records by key, with backoff for keys that DynamoDB left unprocessed. */
import { setTimeout as delay } from 'node:timers/promises'
import { BatchGetCommand } from '@aws-sdk/lib-dynamodb'
import { table, tableName } from './client.ts'
import type { Key } from './keys.ts'

const keysPerBatch = 100
const batchPauseMs = 50

/** The rows that exist, in no order. `ConsistentRead`: also those that were written a moment ago, for twice the price. */
export async function batchGetRows(
  keys: readonly Key[],
  { ConsistentRead = false } = {},
): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = []
  let remaining = [...keys]
  for (let refusals = 0; remaining.length > 0; ) {
    const { Responses, UnprocessedKeys } = await table.send(
      new BatchGetCommand({
        RequestItems: { [tableName()]: { Keys: remaining.slice(0, keysPerBatch), ConsistentRead } },
      }),
    )
    found.push(...(Responses?.[tableName()] ?? []))
    const unprocessed = (UnprocessedKeys?.[tableName()]?.Keys ?? []) as Key[]
    remaining = [...unprocessed, ...remaining.slice(keysPerBatch)]
    if (unprocessed.length > 0) await delay(Math.random() * batchPauseMs * 2 ** Math.min(++refusals, 5))
  }
  return found
}
