/** Nudges that no decision brings: what becomes of one that is meant for many. */
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import type { AutomationWakeUp } from '../domain/core/outbox.ts'
import { table, tableName } from './core/client.ts'
import { automationWakeUpRow } from './core/outbox.ts'

/** All of them or none, at most a hundred; harmless to repeat. */
export async function putWakeUps(workspaceId: string, nudges: readonly AutomationWakeUp[], at: string): Promise<void> {
  if (nudges.length === 0) return
  const rows = nudges.map((nudge) => automationWakeUpRow(workspaceId, nudge, at))
  const TransactItems = rows.map((Item) => ({ Put: { TableName: tableName(), Item } }))
  await table.send(new TransactWriteCommand({ TransactItems }))
}
