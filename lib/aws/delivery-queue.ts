/** The queues of webhook deliveries, whose messages carry only ids. The only client of SQS. */
import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs'
import { env } from '../env.ts'

/** A queued message. */
export interface DeliveryMessage {
  workspaceId: string
  deliveryId: string
  /** Attempts made when it was enqueued; the worker drops it if the count is outdated. A name in queued messages. */
  attempt: number
  /** It has waited for its receiver, and may be sent. */
  isReserved?: true
}

export interface EnqueueOptions {
  /** A delay beyond the maximum of SQS (15 minutes) is cut; the worker then re-enqueues the message for the rest. */
  delaySeconds: number
  /** Whether to use the queue for slow endpoints. */
  slow: boolean
}

const sqs = new SQSClient({
  maxAttempts: 4,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
})

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html */
const batchMax = 10
const delaySecondsMax = 900

/** Enqueues the messages; throws if SQS rejected one of them. Idempotent, since the worker checks the row. */
export async function enqueueDeliveries(messages: readonly (DeliveryMessage & EnqueueOptions)[]): Promise<void> {
  const [slow, normal] = [messages.filter((message) => message.slow), messages.filter((message) => !message.slow)]
  await Promise.all([sendAll(env.deliveryQueueUrl(), normal), sendAll(env.slowDeliveryQueueUrl(), slow)])
}

async function sendAll(queueUrl: string, messages: readonly (DeliveryMessage & EnqueueOptions)[]): Promise<void> {
  for (let from = 0; from < messages.length; from += batchMax) {
    const entries = messages.slice(from, from + batchMax).map(entryOf)
    const remaining = await send(queueUrl, entries)
    if (remaining.length === 0) continue
    const rejected = await send(queueUrl, remaining)
    if (rejected.length > 0) throw new Error(`SQS rejected ${rejected.length} of ${entries.length} messages.`)
  }
}

/** Returns the entries that SQS rejected: a batch can fail in part. */
async function send(
  QueueUrl: string,
  Entries: SendMessageBatchRequestEntry[],
): Promise<SendMessageBatchRequestEntry[]> {
  const { Failed = [] } = await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }))
  const failed = new Set(Failed.map(({ Id }) => Id))
  return Entries.filter(({ Id }) => failed.has(Id))
}

/** One message group per workspace, so that a busy workspace does not delay the others (SQS fair queues). */
function entryOf({ delaySeconds, slow: _, ...message }: DeliveryMessage & EnqueueOptions, index: number) {
  return {
    Id: String(index),
    MessageBody: JSON.stringify(message),
    MessageGroupId: message.workspaceId,
    // Rounded up: never early.
    DelaySeconds: Math.min(Math.max(Math.ceil(delaySeconds), 0), delaySecondsMax),
  }
}
