/** The operator's way back: rows of a table that was restored beside the deployment's own are copied into it. docs/runbook.md says when. */
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { table, tableName } from '../../lib/store/core/client.ts'
import { keys, listPartitions } from '../../lib/store/core/keys.ts'
import { conditionFailed } from '../../lib/store/core/write-conflict.ts'
import { type Command, type Flags, requireFlag } from './command.ts'

const choices = ['missing', 'all'] as const
type Choice = (typeof choices)[number]
type Row = Record<string, unknown>

const atOnce = 25

export const restoreCommands: Record<string, Command> = {
  'table restore': {
    usage: '--from TABLE [--workspace WORKSPACE] [--rows missing|all]',
    run: async (flags) => {
      const rows = choiceOf(flags)
      const told = { from: requireFlag(flags, 'from'), rows, read: 0, written: 0 }
      for await (const page of rowsOf(told.from, flags.workspace)) {
        told.read += page.length
        for (let first = 0; first < page.length; first += atOnce) {
          const written = await Promise.all(page.slice(first, first + atOnce).map((row) => copy(row, rows)))
          told.written += written.filter(Boolean).length
        }
      }
      return told
    },
  },
}

function choiceOf({ rows = 'missing' }: Flags): Choice {
  const choice = choices.find((name) => name === rows)
  if (!choice) throw new Error(`--rows must be one of ${choices.join(', ')}.`)
  return choice
}

/** Page by page; of one workspace also its API keys, which lie outside of its partitions. */
async function* rowsOf(from: string, workspaceId: string | undefined): AsyncGenerator<Row[]> {
  const filter = workspaceId && {
    FilterExpression: 'pk = :own OR begins_with(pk, :below) OR listPk = :keys',
    ExpressionAttributeValues: {
      ':own': keys.workspace(workspaceId).pk,
      ':below': `${keys.workspace(workspaceId).pk}#`,
      ':keys': listPartitions.apiKeys(workspaceId),
    },
  }
  let cursor: Record<string, unknown> | undefined
  do {
    const { Items = [], LastEvaluatedKey } = await table.send(
      new ScanCommand({ TableName: from, ...filter, ...(cursor ? { ExclusiveStartKey: cursor } : {}) }),
    )
    yield Items
    cursor = LastEvaluatedKey
  } while (cursor)
}

/** False where a row of that key is there already, and only missing ones are wanted. */
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

/** Of tokens the newest stay: many platforms end a connection at which older ones are shown. */
function conditionOf({ pk, version }: Row, rows: Choice) {
  if (rows === 'missing') return { ConditionExpression: 'attribute_not_exists(pk)' }
  if (!String(pk).endsWith(tokensPartition)) return {}
  return {
    ConditionExpression: 'attribute_not_exists(pk) OR #version < :version',
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: { ':version': version },
  }
}
