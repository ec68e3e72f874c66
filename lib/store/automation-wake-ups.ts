/** Nudges that no decision brings: what becomes of one that is meant for many. */
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import type { Nudge } from '../domain/core/outbox.ts'
import { table, tableName } from './core/client.ts'
import { nudgeRow } from './core/outbox.ts'

/** All of them or none, at most a hundred; harmless to repeat. */
export async function putNudges(workspaceId: string, nudges: readonly Nudge[], at: string): Promise<void> {
  if (nudges.length === 0) return
  const rows = nudges.map((nudge) => nudgeRow(workspaceId, nudge, at))
  const TransactItems = rows.map((Item) => ({ Put: { TableName: tableName(), Item } }))
  await table.send(new TransactWriteCommand({ TransactItems }))
}
