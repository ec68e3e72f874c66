/** Writes a decision: everything that it says in one transaction, or nothing. */
import { isDeepStrictEqual } from 'node:util'
import { TransactionCanceledException, TransactionInProgressException } from '@aws-sdk/client-dynamodb'
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import type { Charge, Decision } from '../domain/decision.ts'
import { table, tableName } from './client.ts'
import type { IdempotencyRecord } from './idempotency.ts'
import { idempotencyPut } from './idempotency.ts'
import { keys } from './keys.ts'
import { eventRow, startRow } from './outbox.ts'
import type { Row } from './rows.ts'
import { countedAs, videoRow } from './rows.ts'

type Action = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

/** The record, or a counter, is no longer what the decision was made on: load and decide again. */
export class LostRace extends Error {
  override name = 'LostRace'
}

/** Another request with the same idempotency key was first: replay its answer. */
export class AlreadyAnswered extends Error {
  override name = 'AlreadyAnswered'
}

/**
 * One TransactWriteItems: the record on its version, the workspace's counters, the ledger, the outbox and, where the request
 * carried a key, the answer to replay. Throws `LostRace` or `AlreadyAnswered` where nothing was written.
 */
export async function commit(decision: Decision, answer?: IdempotencyRecord): Promise<void> {
  const actions = [
    ...(answer ? [idempotencyPut(answer)] : []),
    recordWrite(decision),
    ...workspaceUpdate(decision),
    ...decision.charges.map((charge) => ledgerPut(decision.workspaceId, charge, decision.change.after.updatedAt)),
    ...[
      ...decision.events.map((event) => eventRow(decision.workspaceId, event)),
      ...decision.starts.map((start) => startRow(decision.workspaceId, start, decision.change.after.updatedAt)),
    ].map(insert),
  ]
  try {
    await table.send(new TransactWriteCommand({ TransactItems: actions }))
  } catch (error) {
    if (error instanceof TransactionInProgressException) throw new LostRace('The same transaction is under way.')
    if (!(error instanceof TransactionCanceledException)) throw error
    const reasons = error.CancellationReasons ?? []
    if (answer && reasons[0]?.Code === 'ConditionalCheckFailed') throw new AlreadyAnswered(answer.path)
    if (reasons.some(({ Code }) => Code && decidedAgain.has(Code)))
      throw new LostRace(`A commit on ${decision.change.after.id} lost a race.`)
    throw error
  }
}

/** Why a transaction may be cancelled that is worth deciding again: a lost race, or too much at once. */
const decidedAgain = new Set([
  'ConditionalCheckFailed',
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
])

const insert = (row: Row): Action => ({
  Put: { TableName: tableName(), Item: row, ConditionExpression: 'attribute_not_exists(pk)' },
})

/** A new record is put; a known one is updated in the attributes that the decision changed, and in no other. */
function recordWrite({ change: { before, after } }: Decision): Action {
  if (!before) return insert(videoRow(after))
  const { pk, sk, ...old } = videoRow(before)
  const next: Record<string, unknown> = videoRow(after)
  const names = [...new Set([...Object.keys(old), ...Object.keys(next)])].filter(
    (name) => name !== 'pk' && name !== 'sk',
  )
  const changed = names.filter((name) => !isDeepStrictEqual(old[name], next[name]))
  const set = changed.filter((name) => next[name] !== undefined)
  const removed = changed.filter((name) => next[name] === undefined)
  const clause = (keyword: string, parts: string[]) => (parts.length ? `${keyword} ${parts.join(', ')} ` : '')
  return {
    Update: {
      TableName: tableName(),
      Key: { pk, sk },
      UpdateExpression:
        clause(
          'SET',
          set.map((name) => `#${name} = :${name}`),
        ) +
        clause(
          'REMOVE',
          removed.map((name) => `#${name}`),
        ),
      ConditionExpression: '#version = :seen',
      ExpressionAttributeNames: Object.fromEntries(
        [...new Set([...changed, 'version'])].map((name) => [`#${name}`, name]),
      ),
      ExpressionAttributeValues: {
        ':seen': before.version,
        ...Object.fromEntries(set.map((name) => [`:${name}`, next[name]])),
      },
    },
  }
}

/** What the workspace record must learn: how many videos stand where, what was charged. Nothing where nothing changed. */
function workspaceUpdate({ workspaceId, change, charges }: Decision): Action[] {
  const sets: string[] = []
  const conditions: string[] = []
  const names: Record<string, string> = {}
  const values: Record<string, unknown> = {}

  const [from, to] = [countedAs(change.before), countedAs(change.after)]
  if (from !== to) {
    names['#counts'] = 'videoCounts'
    values[':zero'] = 0
    values[':one'] = 1
    if (from) {
      names['#from'] = from
      sets.push('#counts.#from = if_not_exists(#counts.#from, :zero) - :one')
    }
    if (to) {
      names['#to'] = to
      sets.push('#counts.#to = if_not_exists(#counts.#to, :zero) + :one')
    }
  }

  charges.forEach(({ kind, credits, metered, generation }, index) => {
    const amount = `:credits${index}`
    if (kind === 'capture' || metered) values[amount] = credits
    if (kind === 'capture') sets.push(`creditsUsed = creditsUsed + ${amount}`)
    if (kind === 'release' && metered) sets.push(`creditsBalance = creditsBalance + ${amount}`)
    if (kind === 'reserve' && metered) {
      sets.push(`creditsBalance = creditsBalance - ${amount}`)
      conditions.push(`creditsBalance >= ${amount}`)
    }
    if (generation) {
      values[':month'] = generation.month
      values[':generation'] = 1
      if (generation.first) {
        sets.push('generationsMonth = :month', 'generationsUsed = :generation')
        conditions.push('generationsMonth < :month')
      } else {
        sets.push('generationsUsed = generationsUsed + :generation')
        conditions.push('generationsMonth = :month')
        if (generation.limit !== null) {
          values[':limit'] = generation.limit
          conditions.push('generationsUsed < :limit')
        }
      }
    }
  })

  if (sets.length === 0) return []
  return [
    {
      Update: {
        TableName: tableName(),
        Key: keys.workspace(workspaceId),
        UpdateExpression: `SET ${sets.join(', ')}`,
        ConditionExpression: ['attribute_exists(pk)', ...conditions].join(' AND '),
        ...(Object.keys(names).length ? { ExpressionAttributeNames: names } : {}),
        ...(Object.keys(values).length ? { ExpressionAttributeValues: values } : {}),
      },
    },
  ]
}

/** Ledger entries are never changed; the cause is their key, so that a run is charged once. */
const ledgerPut = (workspaceId: string, { kind, runId, credits, metered }: Charge, at: string): Action =>
  insert({ ...keys.ledger(workspaceId, runId, kind), kind, runId, credits, metered, at })
