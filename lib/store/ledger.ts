/** The ledger of a workspace, which `core/commit.ts` writes. */
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import type { LedgerEntry } from '../domain/core/credits.ts'
import { firstIdAt } from '../domain/core/id.ts'
import { nextMonthAt } from '../domain/workspaces/workspace.ts'
import { table, tableName } from './core/client.ts'
import { keys } from './core/keys.ts'
import { type Query, queryRows } from './core/query.ts'

/** A busy deployment of one's own has no limit of runs; a request has one of time. */
export const ledgerEntriesMax = 10_000

/**
 * The newest 10,000 entries of the runs that were accepted in a month (`2026-11`), and its grants, newest first. An entry of another month
 * is never read: the ids of runs sort by their time.
 */
export async function listLedgerEntries(workspaceId: string, month: string): Promise<LedgerEntry[]> {
  const { pk, sk } = keys.ledger(workspaceId, month, 'grant')
  const start = `${month}-01T00:00:00.000Z`
  const [runs, { Item: grant }] = await Promise.all([
    readEntries({
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
      ExpressionAttributeValues: {
        ':pk': pk,
        ':first': firstIdAt('run', start),
        ':last': firstIdAt('run', nextMonthAt(start)),
      },
      ScanIndexForward: false,
      ConsistentRead: true,
    }),
    table.send(new GetCommand({ TableName: tableName(), Key: { pk, sk }, ConsistentRead: true })),
  ])
  const entries = grant ? [...runs, grant as LedgerEntry] : runs
  // Stable: of one time, what ends a run stays before what began it.
  return entries.toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : order[b.kind] - order[a.kind]))
}

async function readEntries(query: Query): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = []
  for await (const entry of queryRows<LedgerEntry>(query)) {
    entries.push(entry)
    if (entries.length === ledgerEntriesMax) break
  }
  return entries
}

const order: Record<LedgerEntry['kind'], number> = { grant: 0, reserve: 1, capture: 2, release: 2 }
