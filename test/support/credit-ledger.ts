/** The ledger of a workspace, as it is stored: entries are only ever added. */
import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { CreditUnit } from '../../lib/domain/core/credits.ts'
import { table, tableName } from '../../lib/store/core/client.ts'
import { keys } from '../../lib/store/core/keys.ts'

export interface CreditLedgerEntry {
  kind: string
  runId: string
  credits: number
  unit: CreditUnit
}

export async function creditLedgerOf(workspaceId: string): Promise<CreditLedgerEntry[]> {
  const { Items } = await table.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :ledger',
      ExpressionAttributeValues: { ':ledger': keys.ledger(workspaceId, '', '').pk },
      ConsistentRead: true,
    }),
  )
  return (Items ?? []) as CreditLedgerEntry[]
}
