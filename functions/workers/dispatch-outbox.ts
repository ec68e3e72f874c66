/** Triggered by the table's stream for every new outbox row: starts pipelines, fans out events. */
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda'
import { log, withLogFields } from '../../lib/log.ts'
import { emitMetric } from '../../lib/metrics.ts'
import { idsFromKey } from '../../lib/store/core/keys.ts'
import { dispatchOutboxRow } from '../../lib/use-cases/outbox/dispatch-outbox.ts'

/**
 * Records are independent. The first failed one is reported, and the event source mapping retries the batch from there;
 * later records that succeeded are idempotent.
 */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const done = await Promise.all(Records.map(attempt))
  const failed = Records.find((_, index) => !done[index])
  return { batchItemFailures: failed ? [{ itemIdentifier: failed.dynamodb?.SequenceNumber ?? '' }] : [] }
}

function attempt({ dynamodb }: DynamoDBRecord): Promise<boolean> {
  const { pk = '', sk = '' } = { pk: dynamodb?.Keys?.pk?.S, sk: dynamodb?.Keys?.sk?.S }
  return withLogFields({ ...idsFromKey({ pk, sk }), sk }, async () => {
    try {
      if (!pk || !sk) throw new Error('The stream record has no keys.')
      await dispatchOutboxRow({ pk, sk })
      return true
    } catch (error) {
      log.error('outbox.failed', { error })
      emitMetric({ name: 'Faults', value: 1, by: { what: 'outbox' } })
      return false
    }
  })
}
