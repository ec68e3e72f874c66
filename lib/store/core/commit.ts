/** Writes a decision in one transaction: all of it, or nothing. */
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  IdempotentParameterMismatchException,
  TransactionCanceledException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb'
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { backoffMs, retry } from '../../async.ts'
import { now } from '../../clock.ts'
import type { Charge } from '../../domain/core/credits.ts'
import { earliest } from '../../domain/core/time.ts'
import type { ApiKey } from '../../domain/records/api-key.ts'
import type { Decision, RecordChange } from '../../domain/records/decision.ts'
import { endedRuns } from '../../domain/records/decision.ts'
import { measurementsOf } from '../../domain/records/metrics.ts'
import { emitMetric } from '../../metrics.ts'
import type { IdempotencyRecord } from '../idempotency.ts'
import { idempotencyPut } from '../idempotency.ts'
import { slotRecordRow } from '../slot-records.ts'
import { type TransactItem, table, tableName } from './client.ts'
import { expiryOf, keys, ttlAttribute } from './keys.ts'
import {
  allocateEventNumbers,
  automationWakeUpRow,
  deliveryDropRow,
  deliveryReplayRow,
  deliveryWakeUpRow,
  eventRow,
  permitReleaseRow,
  pipelineStartRow,
  slotTimerRow,
  videoPurgeRow,
} from './outbox.ts'
import type { Row } from './rows.ts'
import { counterNameOf, rowOf } from './rows.ts'
import { workspaceUpdate } from './workspace-update.ts'
import { retryableCancellations, WriteConflict } from './write-conflict.ts'

/** Another request with the same idempotency key was committed first: replay its response. */
export class IdempotencyKeyUsed extends Error {
  override name = 'IdempotencyKeyUsed'
}

/**
 * One TransactWriteItems: the records under their versions, the counters of the workspace, the ledger, the outbox and,
 * for a request with an idempotency key, the response to replay.
 * @throws WriteConflict, IdempotencyKeyUsed where nothing was written.
 */
export async function commit(decision: Decision, response?: IdempotencyRecord): Promise<void> {
  const { workspaceId, at, events } = decision
  // Outbox rows are due on the wall clock, also where a test clock is ahead.
  const dueFrom = earliest(at, now())
  const numbers = events.length > 0 ? await allocateEventNumbers(workspaceId, events.length) : []
  const items = [
    ...(response ? [idempotencyPut(response)] : []),
    ...decision.changes.flatMap((change) => recordWrites(workspaceId, change, at)),
    ...(decision.actingKey ? [keyIsValid(decision.actingKey)] : []),
    ...workspaceUpdate(decision),
    ...[
      ...decision.charges.map((charge) => ledgerRow(workspaceId, charge, at)),
      ...renewalRows(decision),
      ...events.map((event, index) => eventRow(workspaceId, event, numbers[index]!, dueFrom)),
      ...decision.starts.map((start) => pipelineStartRow(workspaceId, start, dueFrom)),
      ...(decision.purges ?? []).map((purge) => videoPurgeRow(workspaceId, purge, dueFrom)),
      ...(decision.deliveryWakeUps ?? []).map((wakeUp) => deliveryWakeUpRow(workspaceId, wakeUp, dueFrom)),
      ...(decision.deliveryDrops ?? []).map((drop) => deliveryDropRow(workspaceId, drop, dueFrom)),
      ...(decision.deliveryReplays ?? []).map((replay) => deliveryReplayRow(workspaceId, replay, dueFrom)),
      ...(decision.automationWakeUps ?? []).map((wakeUp) => automationWakeUpRow(workspaceId, wakeUp, dueFrom)),
      ...(decision.slotTimers ?? []).map((timer) => slotTimerRow(workspaceId, timer, dueFrom)),
    ].map(insert),
    ...releaseRows(decision, dueFrom).map(put),
    // After an automation was created again it may decide on the same slot again: the newer outcome counts.
    ...(decision.slotRecords ?? []).map((slot) => put(slotRecordRow(workspaceId, slot))),
  ]
  if (items.length === 0) return
  try {
    await writeOnce(items)
    for (const measurement of measurementsOf(decision, now())) emitMetric(measurement)
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error
    const reasons = error.CancellationReasons ?? []
    if (response && reasons[0]?.Code === 'ConditionalCheckFailed') throw new IdempotencyKeyUsed(response.path)
    if (reasons.some(({ Code }) => Code && retryableCancellations.has(Code)))
      throw new WriteConflict(`A commit in workspace ${workspaceId} met a write conflict.`)
    throw error
  }
}

/** Longer than DynamoDB works on a transaction whose first request was not answered. */
const repeatPausesMs = backoffMs(6, { first: 200, last: 3_200 })

/**
 * Sends a transaction until its outcome is known; the token makes its repeats one. An attempt without an answer may still
 * be on its way when a repeat is cancelled, and another decision, with new ids, could then take effect as well. After a
 * conflict the same transaction is repeated; after a failed condition its token is spent, so that it never takes effect.
 */
async function writeOnce(items: TransactItem[]): Promise<void> {
  const ClientRequestToken = randomUUID()
  let isRepeat = false
  const isRetryable = (error: unknown) => {
    const isInProgress = error instanceof TransactionInProgressException
    // The SDK repeats a request by itself where it was not answered.
    isRepeat ||= isInProgress || (error instanceof TransactionCanceledException && (error.$metadata.attempts ?? 1) > 1)
    return isInProgress || (isRepeat && isUndecided(error))
  }
  const write = (TransactItems: TransactItem[]) =>
    retry(() => table.send(new TransactWriteCommand({ TransactItems, ClientRequestToken })), {
      pausesMs: repeatPausesMs,
      isRetryable,
    })
  /** False where DynamoDB knows the token of another request: of the transaction itself. */
  const spendToken = async (): Promise<boolean> => {
    try {
      await write([nothingOn(items[0]!)])
      return true
    } catch (error) {
      if (error instanceof IdempotentParameterMismatchException) return false
      throw error
    }
  }
  try {
    await write(items)
  } catch (error) {
    if (!isRepeat || !(error instanceof TransactionCanceledException) || (await spendToken())) throw error
    // It took effect meanwhile, and is acknowledged once more; or it is cancelled again.
    await write(items)
  }
}

/**
 * Changes nothing, in the partition of a write that is allowed. DynamoDB refuses another request under the same token for
 * ten minutes: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
const nothingOn = ({ Put, Update, Delete, ConditionCheck }: TransactItem): TransactItem => {
  const { pk, sk } = (Put?.Item ?? (Update ?? Delete ?? ConditionCheck)?.Key)!
  return {
    ConditionCheck: {
      TableName: tableName(),
      Key: { pk, sk },
      ConditionExpression: 'attribute_exists(pk) OR attribute_not_exists(pk)',
    },
  }
}

/** Cancelled by what passes by itself: the same transaction may succeed. */
const isUndecided = (error: unknown): boolean => {
  if (!(error instanceof TransactionCanceledException)) return false
  const codes = (error.CancellationReasons ?? []).flatMap(({ Code }) => (Code && Code !== 'None' ? Code : []))
  return (
    codes.length > 0 && codes.every((code) => code !== 'ConditionalCheckFailed' && retryableCancellations.has(code))
  )
}

const releaseRows = (decision: Decision, at: string): Row[] => {
  const runIds = endedRuns(decision)
  return runIds.length > 0 ? [permitReleaseRow(decision.workspaceId, runIds, at)] : []
}

const insert = (row: Row): TransactItem => ({
  Put: { TableName: tableName(), Item: row, ConditionExpression: 'attribute_not_exists(pk)' },
})

/** Replaces an existing row: the key of a tombstone is its time, and a test clock stands still. */
const put = (row: Row): TransactItem => ({ Put: { TableName: tableName(), Item: row } })

/** The writes of one change: the row of its record and the counters beside it. */
function recordWrites(workspaceId: string, change: RecordChange, at: string): TransactItem[] {
  const { before, after } = change
  const isDelisted = change.record === 'video' && counterNameOf(change.before) && !counterNameOf(change.after)
  const tombstone = isDelisted ? [put(tombstoneRow(workspaceId, change.before!.id, at))] : []
  if (!after) return [...removal(change), ...tombstone]
  // A sync job starts only on a video that exists; the removal of a video ends the jobs that it finds.
  const isStarted = change.record === 'syncJob' && change.after.status === 'RUNNING'
  const target = isStarted ? [videoExists(workspaceId, change.after.videoId)] : []
  if (before) return [recordUpdate(rowOf(change, before), rowOf(change, after), before), ...target, ...tombstone]
  if (change.record !== 'video') return [insert(rowOf(change, after)), ...target]
  const { id, parentVideoId } = change.after!
  const { source } = change
  const usage = { ...keys.usage(workspaceId, id), storedBytes: source?.bytes ?? 0, clips: 0 }
  return [
    insert(rowOf(change, after)),
    insert(usage),
    ...(source ? [insert({ ...keys.object(workspaceId, id, source.name), bytes: source.bytes })] : []),
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

const keyIsValid = ({ hash }: ApiKey): TransactItem => ({
  ConditionCheck: {
    TableName: tableName(),
    Key: keys.apiKey(hash),
    ConditionExpression: 'revokedAt = :never AND attribute_not_exists(suspendedAt)',
    ExpressionAttributeValues: { ':never': null },
  },
})

/** What must not have changed: the version, or of a key that it is not revoked. */
const guardOf = (before: NonNullable<RecordChange['before']>): [attribute: string, seen: unknown] =>
  'version' in before ? ['version', before.version] : ['revokedAt', null]

/** Updates only the attributes that the decision changed. */
function recordUpdate(
  { pk, sk, ...old }: Row,
  next: Record<string, unknown>,
  before: NonNullable<RecordChange['before']>,
): TransactItem {
  const [guard, seen] = guardOf(before)
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
      ConditionExpression: `#${guard} = :seen`,
      ExpressionAttributeNames: Object.fromEntries([...new Set([...changed, guard])].map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: {
        ':seen': seen,
        ...Object.fromEntries(set.map((name) => [`:${name}`, next[name]])),
      },
    },
  }
}

/**
 * Deletes a record; a video together with its usage, each only in the version that was read, so that the bytes returned
 * to the quota are exact.
 */
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

/** A clip can be created only while its source exists. */
const clipsUpdate = (workspaceId: string, videoId: string, more: 1 | -1): TransactItem => ({
  Update: {
    TableName: tableName(),
    Key: keys.usage(workspaceId, videoId),
    UpdateExpression: 'SET clips = clips + :more',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':more': more },
  },
})

/** How long a tombstone is stored. A cached video index that is older has to be rebuilt. */
export const tombstoneDays = 30

const tombstoneRow = (workspaceId: string, videoId: string, at: string): Row => ({
  ...keys.tombstone(workspaceId, at, videoId),
  videoId,
  [ttlAttribute]: expiryOf(at, tombstoneDays * 24 * 60 * 60),
})

/** Ledger entries are immutable; their key is their cause, so that a run is charged once. */
const ledgerRow = (workspaceId: string, { kind, runId, credits, unit, metered }: Charge, at: string): Row => ({
  ...keys.ledger(workspaceId, runId, kind),
  kind,
  runId,
  credits,
  unit,
  metered,
  at,
})

/** The monthly credits are granted once. */
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
