/** Woken by the table's stream for every new outbox row: starts pipelines, fans events out. */
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda'
import { dispatch } from '../../lib/actions/dispatch.ts'
import { log } from '../../lib/log.ts'

/**
 * Nothing here waits for another record. The first that fails is reported, and the mapping gives the batch again from there: what
 * was done behind it is found done.
 */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const done = await Promise.all(Records.map(attempt))
  const failed = Records.find((_, index) => !done[index])
  return { batchItemFailures: failed ? [{ itemIdentifier: failed.dynamodb?.SequenceNumber ?? '' }] : [] }
}

async function attempt({ dynamodb }: DynamoDBRecord): Promise<boolean> {
  const [pk, sk] = [dynamodb?.Keys?.pk?.S, dynamodb?.Keys?.sk?.S]
  try {
    if (!pk || !sk) throw new Error('A stream record without keys.')
    await dispatch({ pk, sk })
    return true
  } catch (error) {
    log.error('outbox.failed', { pk, sk, error: error as Error })
    return false
  }
}
