/** Woken by the queues of deliveries: makes one attempt for each message. */
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import * as v from 'valibot'
import { deliver } from '../../lib/actions/deliver.ts'
import { log } from '../../lib/log.ts'

const wake = v.object({ workspaceId: v.string(), deliveryId: v.string(), attempt: v.number() })

/** A message that could not be worked on comes again, and is set aside after five times; its row is looked at by the sweeper. */
export async function handler({ Records }: SQSEvent): Promise<SQSBatchResponse> {
  const done = await Promise.all(Records.map(attempt))
  const failed = Records.filter((_, index) => !done[index])
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) }
}

async function attempt({ body, messageId }: SQSRecord): Promise<boolean> {
  try {
    await deliver(v.parse(wake, JSON.parse(body)))
    return true
  } catch (error) {
    log.error('delivery.fault', { messageId, body, error: error as Error })
    return false
  }
}
