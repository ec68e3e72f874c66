// The event source mapping between a queue and a function: batches, partial failures, several batches at a time.
// https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html

import { setTimeout as delay } from 'node:timers/promises'
import { DeleteMessageBatchCommand, type Message, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import type { SQSBatchResponse, SQSMessageAttribute, SQSRecord } from 'aws-lambda'
import { awsClientConfig } from '../aws-client-config.ts'
import { invokeLambda, type LambdaHandler, type LambdaLimits } from '../emulators/lambda.ts'
import { queueArn } from '../emulators/sqs.ts'
import type { Log } from '../log.ts'

interface QueueMappingOptions {
  readonly endpoint: string
  readonly queueUrl: string
  readonly handler: LambdaHandler
  readonly limits: LambdaLimits
  /** Messages per batch, at most 10, and batches at a time (MaximumConcurrency). */
  readonly batching: { readonly batchSize: number; readonly concurrency: number }
  /** Of the machine: `wait` comes before a request for messages, `charge` runs a batch. Default: all of it. */
  readonly share?: {
    readonly wait: () => Promise<void>
    readonly charge: (batch: () => Promise<void>) => Promise<void>
  }
  readonly log: Log
}

const POLL_SECONDS = 20
const BACKOFF_MS = 500

/**
 * Delivers until the signal aborts. Resolves once batches in flight are done. One poller feeds all invocations and pauses at the
 * concurrency limit, so that waiting messages stay visible. A message that the function does not handle stays in the queue: its
 * visibility timeout and redrive policy decide when it is retried or moved to the dead letter queue.
 */
export async function runQueueMapping(options: QueueMappingOptions, signal: AbortSignal): Promise<void> {
  const client = new SQSClient(awsClientConfig(options.endpoint))
  const { share = { wait: async () => {}, charge: (batch) => batch() } } = options
  const inFlight = new Set<Promise<void>>()
  while (!signal.aborted) {
    if (inFlight.size >= options.batching.concurrency) {
      await Promise.race(inFlight)
      continue
    }
    try {
      await share.wait()
      const messages = await receive(client, options, signal)
      if (messages.length === 0) continue
      const delivering = share
        .charge(() => deliver(messages, client, options))
        .finally(() => inFlight.delete(delivering))
      inFlight.add(delivering)
    } catch (error) {
      if (signal.aborted) break
      options.log(`polling the queue of ${options.limits.name} failed, retrying`, error)
      await delay(BACKOFF_MS, undefined, { signal }).catch(() => {})
    }
  }
  await Promise.all(inFlight)
  client.destroy()
}

async function receive(client: SQSClient, options: QueueMappingOptions, signal: AbortSignal): Promise<Message[]> {
  const command = new ReceiveMessageCommand({
    QueueUrl: options.queueUrl,
    MaxNumberOfMessages: Math.min(options.batching.batchSize, 10),
    WaitTimeSeconds: POLL_SECONDS,
    MessageSystemAttributeNames: ['All'],
    MessageAttributeNames: ['All'],
  })
  const { Messages = [] } = await client.send(command, { abortSignal: signal })
  return Messages
}

async function deliver(messages: readonly Message[], client: SQSClient, options: QueueMappingOptions): Promise<void> {
  const handled = await attempt(messages, options)
  if (handled.length === 0) return
  const Entries = handled.map((message, at) => ({ Id: String(at), ReceiptHandle: message.ReceiptHandle }))
  try {
    await client.send(new DeleteMessageBatchCommand({ QueueUrl: options.queueUrl, Entries }))
  } catch (error) {
    options.log(`deleting messages that ${options.limits.name} handled failed; they will be delivered again`, error)
  }
}

/** The handled messages: all except reported failures; none if the function throws or reports an unknown id. */
async function attempt(messages: readonly Message[], options: QueueMappingOptions): Promise<readonly Message[]> {
  const { handler, limits, queueUrl, log } = options
  const arn = queueArn(queueUrl.split('/').at(-1)!)
  try {
    const event = { Records: messages.map((message) => toRecord(message, arn)) }
    const response = (await invokeLambda(handler, event, limits)) as SQSBatchResponse | null
    const failed = new Set(response?.batchItemFailures?.map((failure) => failure.itemIdentifier))
    if (failed.size > 0) log(`${limits.name} reported ${failed.size} of ${messages.length} messages as failed`)
    const remaining = messages.filter((message) => !failed.has(message.MessageId!))
    return remaining.length === messages.length - failed.size ? remaining : []
  } catch (error) {
    log(`${limits.name} failed on ${messages.length} messages`, error)
    return []
  }
}

function toRecord(message: Message, eventSourceARN: string): SQSRecord {
  return {
    messageId: message.MessageId!,
    receiptHandle: message.ReceiptHandle!,
    body: message.Body ?? '',
    attributes: message.Attributes as unknown as SQSRecord['attributes'],
    messageAttributes: Object.fromEntries(
      Object.entries(message.MessageAttributes ?? {}).map(([name, { StringValue, BinaryValue, DataType }]) => [
        name,
        {
          dataType: DataType as SQSMessageAttribute['dataType'],
          ...(StringValue !== undefined && { stringValue: StringValue }),
          ...(BinaryValue !== undefined && { binaryValue: Buffer.from(BinaryValue).toString('base64') }),
        },
      ]),
    ),
    md5OfBody: message.MD5OfBody ?? '',
    eventSource: 'aws:sqs',
    eventSourceARN,
    awsRegion: 'us-east-1',
  }
}
