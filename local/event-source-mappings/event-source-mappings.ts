// The event source mappings of the deployed stack: the table's stream and the delivery queues.

import { join } from 'node:path'
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import type { DynamoDBRecord } from 'aws-lambda'
import { awsClientConfig } from '../aws-client-config.ts'
import type { LambdaHandler } from '../emulators/lambda.ts'
import { type Queue, queueArn, queueUrl } from '../emulators/sqs.ts'
import { DELIVERY_QUEUE, type Endpoints, SLOW_DELIVERY_QUEUE } from '../environment.ts'
import type { SharedThread } from '../fair-limit.ts'
import { loadHandler } from '../handlers.ts'
import type { Log } from '../log.ts'
import { isOutboxInsert } from './outbox-filter.ts'
import { runQueueMapping } from './queue.ts'
import { runStreamMapping } from './stream.ts'

/** Longer than the timeout of any deployed function: locally, the state ends a hanging step. */
export const functionTimeoutMs = 15 * 60 * 1000
/** Well below the visibility timeout of a message. */
const deliveryTimeoutMs = 30 * 1000

/** Dead letter queues of the dispatcher and of the delivery worker. */
const outboxDeadLetterQueue = 'dead-outbox'
const deliveryDeadLetterQueue = 'dead-deliveries'

const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: queueArn(deliveryDeadLetterQueue), maxReceiveCount: 5 })
const deliveryQueue = (name: string): Queue => ({ name, attributes: { VisibilityTimeout: '180', RedrivePolicy } })

export const queues: readonly Queue[] = [
  { name: outboxDeadLetterQueue },
  { name: deliveryDeadLetterQueue },
  deliveryQueue(DELIVERY_QUEUE),
  deliveryQueue(SLOW_DELIVERY_QUEUE),
]

/**
 * Concurrent batches per queue. A hanging POST occupies a batch for 8 s, so the first queue absorbs 25 of them a second before others wait
 * (measured); known slow endpoints get few. Locally a batch in flight costs almost nothing.
 */
const concurrency = { [DELIVERY_QUEUE]: 200, [SLOW_DELIVERY_QUEUE]: 5 }

interface EventSourceDeps {
  readonly endpoints: Endpoints
  readonly streamArn: string
  readonly tableVersion: () => number
  readonly directory: string
  readonly thread: SharedThread
  readonly workers: { readonly dispatchOutbox: LambdaHandler; readonly deliverWebhook: LambdaHandler }
  /** Sees every record of the table's stream. */
  readonly onRecord?: ((record: DynamoDBRecord) => void) | undefined
  readonly log: Log
}

export async function loadWorkers(): Promise<EventSourceDeps['workers']> {
  const [dispatchOutbox, deliverWebhook] = await Promise.all([
    loadHandler('workers/dispatch-outbox'),
    loadHandler('workers/deliver-webhook'),
  ])
  return { dispatchOutbox, deliverWebhook }
}

/** Runs the mappings until the signal aborts. Resolves once batches in flight are done. */
export async function runEventSourceMappings(sources: EventSourceDeps, signal: AbortSignal): Promise<void> {
  const deliveries = Object.entries(concurrency).map(([name, limit]) =>
    runDeliveryMapping(sources, name, limit, signal),
  )
  await Promise.all([runOutboxMapping(sources, signal), ...deliveries])
}

async function runOutboxMapping(
  { endpoints, streamArn, tableVersion, directory, workers, onRecord, log }: EventSourceDeps,
  signal: AbortSignal,
) {
  const sqs = new SQSClient(awsClientConfig(endpoints.sqs))
  const giveUp = async (record: DynamoDBRecord) => {
    const MessageBody = JSON.stringify(record)
    await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl(endpoints.sqs, outboxDeadLetterQueue), MessageBody }))
  }
  const options = {
    endpoint: endpoints.dynamodb,
    streamArn,
    tableVersion,
    handler: workers.dispatchOutbox,
    limits: { name: 'dispatch-outbox', timeoutMs: functionTimeoutMs },
    checkpointFile: join(directory, 'dispatch-outbox.checkpoint'),
    batchPolicy: { batchSize: 25, maximumRetryAttempts: 8, filter: isOutboxInsert, onFailure: giveUp },
    onRecord,
    log,
  }
  await runStreamMapping(options, signal)
  sqs.destroy()
}

const runDeliveryMapping = (
  { endpoints, workers, thread, log }: EventSourceDeps,
  name: string,
  limit: number,
  signal: AbortSignal,
) =>
  runQueueMapping(
    {
      endpoint: endpoints.sqs,
      queueUrl: queueUrl(endpoints.sqs, name),
      handler: workers.deliverWebhook,
      limits: { name: 'deliver-webhook', timeoutMs: deliveryTimeoutMs },
      batching: { batchSize: 10, concurrency: limit },
      // Deliveries have the share of one client, so that the events of many do not slow the requests of others.
      share: { wait: () => thread.awaitShare('deliveries'), charge: (batch) => thread.charge('deliveries', batch) },
      log,
    },
    signal,
  )
