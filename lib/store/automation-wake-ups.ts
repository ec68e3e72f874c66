/** Automation wake-ups outside a decision: the fan-out of one that concerns many automations. */
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import type { AutomationWakeUp } from '../domain/core/outbox.ts'
import { table, tableName } from './core/client.ts'
import { automationWakeUpRow } from './core/outbox.ts'

/** Atomic, at most a hundred. Idempotent. */
export async function putWakeUps(workspaceId: string, wakeUps: readonly AutomationWakeUp[], at: string): Promise<void> {
  if (wakeUps.length === 0) return
  const rows = wakeUps.map((wakeUp) => automationWakeUpRow(workspaceId, wakeUp, at))
  const TransactItems = rows.map((Item) => ({ Put: { TableName: tableName(), Item } }))
  await table.send(new TransactWriteCommand({ TransactItems }))
}
