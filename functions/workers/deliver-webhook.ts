/** Woken by the queues of deliveries: makes one attempt for each message. */
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import * as v from 'valibot'
import { log, withLogFields } from '../../lib/log.ts'
import { emitMetric } from '../../lib/metrics.ts'
import { attemptDelivery } from '../../lib/use-cases/webhooks/attempt-delivery.ts'

const deliveryMessage = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ workspaceId: v.string(), deliveryId: v.string(), attempt: v.number() }),
)

/** A message that could not be worked on comes again, and is set aside after five times; its row is looked at by the sweeper. */
export async function handler({ Records }: SQSEvent): Promise<SQSBatchResponse> {
  const done = await Promise.all(Records.map(attempt))
  const failed = Records.filter((_, index) => !done[index])
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) }
}

function attempt({ body, messageId }: SQSRecord): Promise<boolean> {
  const { output: woken, success } = v.safeParse(deliveryMessage, body)
  return withLogFields({ messageId, ...(success && woken) }, async () => {
    try {
      if (!success) throw new Error('A message that names no delivery.')
      await attemptDelivery(woken)
      return true
    } catch (error) {
      log.error('delivery.fault', { error })
      emitMetric({ name: 'Faults', value: 1, by: { what: 'delivery' } })
      return false
    }
  })
}
