/** Writes a decision: everything that it says in one transaction, or nothing. */
import { isDeepStrictEqual } from 'node:util'
import { TransactionCanceledException, TransactionInProgressException } from '@aws-sdk/client-dynamodb'
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { now } from '../../clock.ts'
import type { Charge } from '../../domain/core/credits.ts'
import { earliest, secondsAfter } from '../../domain/core/time.ts'
import type { Decision, RecordChange } from '../../domain/records/decision.ts'
import { measurementsOf } from '../../domain/records/metrics.ts'
import { emitMetric } from '../../metrics.ts'
import type { IdempotencyRecord } from '../idempotency.ts'
import { idempotencyPut } from '../idempotency.ts'
import { slotRecordRow } from '../slot-records.ts'
import { table, tableName } from './client.ts'
import { keys, ttlAttribute } from './keys.ts'
import {
  allocateEventNumbers,
  automationWakeUpRow,
  deliveryDropRow,
  deliveryWakeUpRow,
  eventRow,
  pipelineStartRow,
  slotTimerRow,
  videoPurgeRow,
} from './outbox.ts'
import type { Row } from './rows.ts'
import { counterNameOf, rowOf } from './rows.ts'
import { workspaceUpdate } from './workspace-update.ts'
import { retryableCancellations, WriteConflict } from './write-conflict.ts'

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

/** Another request with the same idempotency key was first: replay its answer. */
export class IdempotencyKeyUsed extends Error {
  override name = 'AlreadyAnswered'
}

/**
 * One TransactWriteItems: the records on their versions, the workspace's counters, the ledger, the outbox and, where the request
 * carried a key, the answer to replay. Throws `LostRace` or `AlreadyAnswered` where nothing was written.
 */
export async function commit(decision: Decision, answer?: IdempotencyRecord): Promise<void> {
  const { workspaceId, at, events } = decision
  // Nothing waits for the clock of a workspace that is ahead.
  const dueFrom = earliest(at, now())
  const numbers = events.length > 0 ? await allocateEventNumbers(workspaceId, events.length) : []
  const actions = [
    ...(answer ? [idempotencyPut(answer)] : []),
    ...decision.changes.flatMap((change) => recordWrites(workspaceId, change, at)),
    ...workspaceUpdate(decision),
    ...[
      ...decision.charges.map((charge) => ledgerRow(workspaceId, charge, at)),
      ...renewalRows(decision),
      ...events.map((event, index) => eventRow(workspaceId, event, numbers[index]!, dueFrom)),
      ...decision.starts.map((start) => pipelineStartRow(workspaceId, start, dueFrom)),
      ...(decision.purges ?? []).map((purge) => videoPurgeRow(workspaceId, purge, dueFrom)),
      ...(decision.deliveryWakeUps ?? []).map((wake) => deliveryWakeUpRow(workspaceId, wake, dueFrom)),
      ...(decision.deliveryDrops ?? []).map((drop) => deliveryDropRow(workspaceId, drop, dueFrom)),
      ...(decision.wakeUps ?? []).map((nudge) => automationWakeUpRow(workspaceId, nudge, dueFrom)),
      ...(decision.slotTimers ?? []).map((alarm) => slotTimerRow(workspaceId, alarm, dueFrom)),
    ].map(insert),
    // An automation may decide on a slot again after it was made anew: the newer outcome counts.
    ...(decision.slotRecords ?? []).map((slot) => put(slotRecordRow(workspaceId, slot))),
  ]
  try {
    await table.send(new TransactWriteCommand({ TransactItems: actions }))
    for (const measured of measurementsOf(decision, now())) emitMetric(measured)
  } catch (error) {
    if (error instanceof TransactionInProgressException) throw new WriteConflict('The same transaction is under way.')
    if (!(error instanceof TransactionCanceledException)) throw error
    const reasons = error.CancellationReasons ?? []
    if (answer && reasons[0]?.Code === 'ConditionalCheckFailed') throw new IdempotencyKeyUsed(answer.path)
    if (reasons.some(({ Code }) => Code && retryableCancellations.has(Code)))
      throw new WriteConflict(`A commit in workspace ${workspaceId} lost a race.`)
    throw error
  }
}

const insert = (row: Row): TransactItem => ({
  Put: { TableName: tableName(), Item: row, ConditionExpression: 'attribute_not_exists(pk)' },
})

/** Under a key that may be there: that of a departure is its time, and the clock of a test workspace stands still. */
const put = (row: Row): TransactItem => ({ Put: { TableName: tableName(), Item: row } })

/** What a change does to the rows of its record, and to what is counted beside it. */
function recordWrites(workspaceId: string, change: RecordChange, at: string): TransactItem[] {
  const { before, after } = change
  const left = change.record === 'video' && counterNameOf(change.before) && !counterNameOf(change.after)
  const departure = left ? [put(tombstoneRow(workspaceId, change.before!.id, at))] : []
  if (!after) return [...removal(change), ...departure]
  // An action is begun on a video that is there: whoever removes the video ends the actions that it finds.
  const isBegun = change.record === 'action' && change.after.status === 'RUNNING'
  const target = isBegun ? [videoExists(workspaceId, change.after.videoId)] : []
  if (before)
    return [recordUpdate(rowOf(change, before), rowOf(change, after), before.version), ...target, ...departure]
  if (change.record !== 'video') return [insert(rowOf(change, after)), ...target]
  const { id, parentVideoId } = change.after!
  const holdings = { ...keys.usage(workspaceId, id), storedBytes: 0, clips: 0 }
  return [
    insert(rowOf(change, after)),
    insert(holdings),
    ...(parentVideoId ? [clipsUpdate(workspaceId, parentVideoId, 1)] : []),
  ]
}

const videoExists = (workspaceId: string, videoId: string): TransactItem => ({
  ConditionCheck: {
    TableName: tableName(),
    Key: keys.video(workspaceId, videoId),
    ConditionExpression: 'attribute_exists(pk)',
  },
})

/** A known record is updated in the attributes that the decision changed, and in no other. */
function recordUpdate({ pk, sk, ...old }: Row, next: Record<string, unknown>, seen: number): TransactItem {
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
        ':seen': seen,
        ...Object.fromEntries(set.map((name) => [`:${name}`, next[name]])),
      },
    },
  }
}

/** Removes a record; a video with what it holds, each only as it was seen: what is returned to the quota is then exact. */
function removal(change: RecordChange): TransactItem[] {
  if (change.after) return []
  const { pk, sk } = rowOf(change, change.before)
  const record: TransactItem = {
    Delete: {
      TableName: tableName(),
      Key: { pk, sk },
      ConditionExpression: '#version = :seen',
      ExpressionAttributeNames: { '#version': 'version' },
      ExpressionAttributeValues: { ':seen': change.before.version },
    },
  }
  if (change.record !== 'video') return [record]
  const { before, holdings, parentIsGone } = change
  const { workspaceId, id, parentVideoId } = before
  return [
    record,
    {
      Delete: {
        TableName: tableName(),
        Key: keys.usage(workspaceId, id),
        ConditionExpression: 'storedBytes = :bytes AND clips = :clips',
        ExpressionAttributeValues: { ':bytes': holdings.storedBytes, ':clips': holdings.clips },
      },
    },
    ...(parentVideoId && !parentIsGone ? [clipsUpdate(workspaceId, parentVideoId, -1)] : []),
  ]
}

/** A clip can be made only of a video that is still there. */
const clipsUpdate = (workspaceId: string, videoId: string, more: 1 | -1): TransactItem => ({
  Update: {
    TableName: tableName(),
    Key: keys.usage(workspaceId, videoId),
    UpdateExpression: 'SET clips = clips + :more',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':more': more },
  },
})

/** How long a departure is remembered: whoever remembers the list for longer has to read it anew. */
export const tombstoneDays = 30

const tombstoneRow = (workspaceId: string, videoId: string, at: string): Row => ({
  ...keys.tombstone(workspaceId, at, videoId),
  videoId,
  [ttlAttribute]: Math.floor(Date.parse(secondsAfter(at, tombstoneDays * 24 * 60 * 60)) / 1000),
})

/** Ledger entries are never changed; the cause is their key, so that a run is charged once. */
const ledgerRow = (workspaceId: string, { kind, runId, credits, unit, metered }: Charge, at: string): Row => ({
  ...keys.ledger(workspaceId, runId, kind),
  kind,
  runId,
  credits,
  unit,
  metered,
  at,
})

/** The month's own credits are given once. */
const renewalRows = ({ workspaceId, renewal, at }: Decision): Row[] =>
  renewal?.credits
    ? [
        {
          ...keys.ledger(workspaceId, renewal.month, 'grant'),
          kind: 'grant',
          credits: renewal.credits,
          unit: 'video',
          metered: true,
          at,
        },
      ]
    : []
