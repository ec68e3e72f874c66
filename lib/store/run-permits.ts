/**
 * Permits of the open generations and renders of a workspace, a counting semaphore. A run acquires one while its row is in
 * the outbox, and its release deletes that row in the same transaction: a late request of a worker that died finds no row,
 * and leaves no permit behind that nobody releases.
 */
import { TransactionCanceledException, TransactionInProgressException } from '@aws-sdk/client-dynamodb'
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { type TransactItem, table, tableName } from './core/client.ts'
import { retryOnConflict } from './core/conflict-retry.ts'
import { keys } from './core/keys.ts'
import { retryableCancellations, WriteConflict } from './core/write-conflict.ts'

/** `started`: the run has left the outbox. */
export type RunPermit = 'acquired' | 'none left' | 'started'

/** Idempotent: a run has one permit. @throws WriteConflict */
export async function acquireRunPermit(workspaceId: string, runId: string, max: number): Promise<RunPermit> {
  const [isGone, isFull] = await changePermits([
    {
      ConditionCheck: {
        TableName: tableName(),
        Key: keys.outbox(workspaceId, runId),
        ConditionExpression: 'attribute_exists(pk)',
      },
    },
    {
      Update: {
        TableName: tableName(),
        Key: keys.semaphore(workspaceId, 'runs'),
        UpdateExpression: 'ADD holders :holder',
        ConditionExpression: 'attribute_not_exists(holders) OR size(holders) < :max OR contains(holders, :run)',
        ExpressionAttributeValues: { ':holder': new Set([runId]), ':max': max, ':run': runId },
      },
    },
  ])
  if (isGone) return 'started'
  return isFull ? 'none left' : 'acquired'
}

/** Also deletes the row of the run in the outbox. Does nothing where it has neither. @throws WriteConflict */
export async function releaseRunPermit(workspaceId: string, runId: string): Promise<void> {
  await changePermits([
    { Delete: { TableName: tableName(), Key: keys.outbox(workspaceId, runId) } },
    {
      Update: {
        TableName: tableName(),
        Key: keys.semaphore(workspaceId, 'runs'),
        UpdateExpression: 'DELETE holders :holder',
        ExpressionAttributeValues: { ':holder': new Set([runId]) },
      },
    },
  ])
}

/** For each item whether its condition failed: then nothing was written. */
const changePermits = (TransactItems: TransactItem[]): Promise<boolean[]> =>
  retryOnConflict(async () => {
    try {
      await table.send(new TransactWriteCommand({ TransactItems }))
      return []
    } catch (error) {
      const codes =
        error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []).map(({ Code }) => Code) : []
      const failed = codes.map((code) => code === 'ConditionalCheckFailed')
      if (failed.includes(true)) return failed
      if (
        error instanceof TransactionInProgressException ||
        codes.some((code) => code && retryableCancellations.has(code))
      )
        throw new WriteConflict('The permits of runs met a write conflict.')
      throw error
    }
  })
