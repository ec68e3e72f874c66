/** Triggered by the delivery queues: makes one attempt per message. */
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import * as v from 'valibot'
import { log, withLogFields } from '../../lib/log.ts'
import { emitMetric } from '../../lib/metrics.ts'
import { attemptDelivery } from '../../lib/use-cases/webhooks/attempt-delivery.ts'

const deliveryMessage = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    workspaceId: v.string(),
    deliveryId: v.string(),
    attempt: v.number(),
    isReserved: v.exactOptional(v.literal(true)),
  }),
)

/**
 * A failed message is redelivered, and moved to the dead-letter queue after five times; the sweeper recovers its row.
 */
export async function handler({ Records }: SQSEvent): Promise<SQSBatchResponse> {
  const done = await Promise.all(Records.map(attempt))
  const failed = Records.filter((_, index) => !done[index])
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) }
}

function attempt({ body, messageId }: SQSRecord): Promise<boolean> {
  const { output: message, success } = v.safeParse(deliveryMessage, body)
  return withLogFields({ messageId, ...(success && message) }, async () => {
    try {
      if (!success) throw new Error('The message names no delivery.')
      await attemptDelivery(message)
      return true
    } catch (error) {
      log.error('delivery.fault', { error })
      emitMetric({ name: 'Faults', value: 1, by: { what: 'delivery' } })
      return false
    }
  })
}
