/** The queues behind webhook deliveries: messages that only say which row to look at. The one door to SQS. */
import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs'
import { env } from '../env.ts'

export interface DeliveryMessage {
  workspaceId: string
  deliveryId: string
  /** How many attempts were made by now: whoever comes after another one was made has nothing to do. */
  attempt: number
  /** Above what SQS can wait (15 minutes) the worker is woken early, and sends on to the rest. */
  delaySeconds: number
  /** Whether it goes where the deliveries to slow endpoints wait. */
  slow: boolean
}

const sqs = new SQSClient({
  maxAttempts: 4,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
})

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html */
const batchMax = 10
const delaySecondsMax = 900

/** Wakes the delivery worker once for each. Throws where SQS did not take one of them; to repeat is harmless. */
export async function enqueueDeliveries(wakes: readonly DeliveryMessage[]): Promise<void> {
  const [slow, usual] = [wakes.filter((wake) => wake.slow), wakes.filter((wake) => !wake.slow)]
  await Promise.all([sendAll(env.deliveryQueueUrl(), usual), sendAll(env.slowDeliveryQueueUrl(), slow)])
}

async function sendAll(queueUrl: string, wakes: readonly DeliveryMessage[]): Promise<void> {
  for (let from = 0; from < wakes.length; from += batchMax) {
    const entries = wakes.slice(from, from + batchMax).map(entryOf)
    const remaining = await send(queueUrl, entries)
    if (remaining.length === 0) continue
    const rejected = await send(queueUrl, remaining)
    if (rejected.length > 0) throw new Error(`SQS did not take ${rejected.length} of ${entries.length} messages.`)
  }
}

/** Answers the entries that were not taken: SQS decides on each by itself. */
async function send(
  QueueUrl: string,
  Entries: SendMessageBatchRequestEntry[],
): Promise<SendMessageBatchRequestEntry[]> {
  const { Failed = [] } = await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }))
  const failed = new Set(Failed.map(({ Id }) => Id))
  return Entries.filter(({ Id }) => failed.has(Id))
}

/** Messages of one workspace form a group, so that one with many does not keep the others waiting (fair queues). */
function entryOf({ workspaceId, deliveryId, attempt, delaySeconds }: DeliveryMessage, index: number) {
  return {
    Id: String(index),
    MessageBody: JSON.stringify({ workspaceId, deliveryId, attempt }),
    MessageGroupId: workspaceId,
    // Up, so that nobody is woken before the time.
    DelaySeconds: Math.min(Math.max(Math.ceil(delaySeconds), 0), delaySecondsMax),
  }
}
