/** Counts the capacity units that DynamoDB reports for the calls of a function. */
import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb'
import { table } from '../lib/store/core/client.ts'

export interface Units {
  read: number
  write: number
  /** Calls to DynamoDB. */
  calls: number
}

let counting: Units | undefined

const writes = new Set([
  'PutItemCommand',
  'UpdateItemCommand',
  'DeleteItemCommand',
  'TransactWriteItemsCommand',
  'TransactWriteCommand',
])

// Requests the consumed capacity with every command.
table.middlewareStack.add(
  (next, context) => async (call) => {
    if (!counting) return next(call)
    const input = { ...call.input, ReturnConsumedCapacity: 'TOTAL' }
    const result = await next({ ...call, input })
    const { ConsumedCapacity: consumed } = result.output as { ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] }
    const units = [consumed ?? []].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0)
    counting.calls += 1
    counting[writes.has(String(context.commandName)) ? 'write' : 'read'] += units
    return result
  },
  { step: 'initialize', name: 'countCapacity', priority: 'high' },
)

/** Not reentrant; the handlers must run in this process. */
export async function countCapacity(work: () => Promise<void>): Promise<Units> {
  const units: Units = { read: 0, write: 0, calls: 0 }
  counting = units
  try {
    await work()
  } finally {
    counting = undefined
  }
  return units
}
