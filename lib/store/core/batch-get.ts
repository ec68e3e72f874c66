/** Reads many records at once. */
import { setTimeout as delay } from 'node:timers/promises'
import { BatchGetCommand } from '@aws-sdk/lib-dynamodb'
import { table, tableName } from './client.ts'
import type { Key } from './keys.ts'

const keysPerBatch = 100
const batchPauseMs = 50

/** The rows of these keys that are there, in no order. */
export async function batchGetRows(keys: readonly Key[]): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = []
  let wanted = [...keys]
  for (let refusals = 0; wanted.length > 0; ) {
    const { Responses, UnprocessedKeys } = await table.send(
      new BatchGetCommand({ RequestItems: { [tableName()]: { Keys: wanted.slice(0, keysPerBatch) } } }),
    )
    found.push(...(Responses?.[tableName()] ?? []))
    const left = (UnprocessedKeys?.[tableName()]?.Keys ?? []) as Key[]
    wanted = [...left, ...wanted.slice(keysPerBatch)]
    if (left.length > 0) await delay(Math.random() * batchPauseMs * 2 ** Math.min(++refusals, 5))
  }
  return found
}
