/** Copies rows of a restored table into the deployment's table. docs/operations/runbook.md says when to use it. */
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { table, tableName } from '../../lib/store/core/client.ts'
import { keys } from '../../lib/store/core/keys.ts'
import { conditionFailed } from '../../lib/store/core/write-conflict.ts'
import { workspaceRowFilter } from '../../lib/store/workspace-rows.ts'
import { type Command, type Flags, requireFlag } from './command.ts'

const choices = ['missing', 'all'] as const
type Choice = (typeof choices)[number]
type Row = Record<string, unknown>

const writesAtOnce = 25

export const restoreCommands: Record<string, Command> = {
  'table restore': {
    usage: '--from TABLE [--workspace WORKSPACE] [--rows missing|all]',
    summary: 'Copies rows of a restored table into the table of the deployment.',
    run: async (flags) => {
      const rows = choiceOf(flags)
      const summary = { from: requireFlag(flags, 'from'), rows, read: 0, written: 0 }
      for await (const page of rowsOf(summary.from, flags.workspace)) {
        summary.read += page.length
        for (let first = 0; first < page.length; first += writesAtOnce) {
          const written = await Promise.all(page.slice(first, first + writesAtOnce).map((row) => copy(row, rows)))
          summary.written += written.filter(Boolean).length
        }
      }
      return summary
    },
  },
}

function choiceOf({ rows = 'missing' }: Flags): Choice {
  const choice = choices.find((name) => name === rows)
  if (!choice) throw new Error(`--rows must be one of ${choices.join(', ')}.`)
  return choice
}

/** Page by page. For one workspace it includes the API keys, which are stored outside its partitions. */
async function* rowsOf(from: string, workspaceId: string | undefined): AsyncGenerator<Row[]> {
  const filter = workspaceId && workspaceRowFilter(workspaceId)
  let cursor: Record<string, unknown> | undefined
  do {
    const { Items = [], LastEvaluatedKey } = await table.send(
      new ScanCommand({ TableName: from, ...filter, ...(cursor ? { ExclusiveStartKey: cursor } : {}) }),
    )
    yield Items
    cursor = LastEvaluatedKey
  } while (cursor)
}

/** Returns false if the row was left alone: it exists and only missing rows are copied, or it holds newer tokens. */
async function copy(Item: Row, rows: Choice): Promise<boolean> {
  try {
    await table.send(new PutCommand({ TableName: tableName(), Item, ...conditionOf(Item, rows) }))
    return true
  } catch (error) {
    if (conditionFailed(error)) return false
    throw error
  }
}

const tokensPartition = keys.tokens('', '').pk.replace('WS#', '')

/** Never replaces tokens with older ones: many platforms revoke a connection when a superseded token is used. */
function conditionOf({ pk, version }: Row, rows: Choice) {
  if (rows === 'missing') return { ConditionExpression: 'attribute_not_exists(pk)' }
  if (!String(pk).endsWith(tokensPartition)) return {}
  return {
    ConditionExpression: 'attribute_not_exists(pk) OR #version < :version',
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: { ':version': version },
  }
}
