/** Woken by the table's stream for every new outbox row: starts pipelines, takes events. */
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda'
import { dispatch } from '../../lib/actions/dispatch.ts'
import { log } from '../../lib/log.ts'

/** Records are done in order; the first that fails is reported, and the mapping gives the batch again from there. */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  for (const { dynamodb } of Records) {
    const [pk, sk] = [dynamodb?.Keys?.pk?.S, dynamodb?.Keys?.sk?.S]
    const sequence = dynamodb?.SequenceNumber
    try {
      if (!pk || !sk) throw new Error('A stream record without keys.')
      await dispatch({ pk, sk })
    } catch (error) {
      log.error('outbox.failed', { pk, sk, error: error as Error })
      return { batchItemFailures: [{ itemIdentifier: sequence ?? '' }] }
    }
  }
  return { batchItemFailures: [] }
}
