/** Endpoints and events made through the rules and the store, and workers that the test runs on the real queue. */
import { DeleteMessageCommand, type Message, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda'
import { expect, vi } from 'vitest'
import { handler as deliverWebhook } from '../../../functions/workers/deliver-webhook.ts'
import { handler as dispatchOutbox } from '../../../functions/workers/dispatch-outbox.ts'
import type { DeliveryMessage } from '../../../lib/aws/delivery-queue.ts'
import { seal } from '../../../lib/aws/sealing.ts'
import { now } from '../../../lib/clock.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import type { Delivery } from '../../../lib/domain/records/delivery.ts'
import type { DomainEvent, EventType } from '../../../lib/domain/records/event.ts'
import { newEvent } from '../../../lib/domain/records/event.ts'
import type { Webhook } from '../../../lib/domain/records/webhook.ts'
import { mintWebhookSecret } from '../../../lib/domain/webhooks/signature.ts'
import type { WebhookDecision } from '../../../lib/domain/webhooks/webhook-lifecycle.ts'
import { createWebhook, webhookSecretSealingContext } from '../../../lib/domain/webhooks/webhook-lifecycle.ts'
import { env } from '../../../lib/env.ts'
import { table, tableName } from '../../../lib/store/core/client.ts'
import { commit } from '../../../lib/store/core/commit.ts'
import { type Key, keys, outboxPrefix } from '../../../lib/store/core/keys.ts'
import { type DeliveryFilters, listDeliveries } from '../../../lib/store/deliveries.ts'
import { getWebhook } from '../../../lib/store/webhooks.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { videoThatIs } from '../../domain/support/videos.ts'

/** An endpoint of a workspace, and its secret. */
export async function givenEndpoint(workspaceId: string, url: string, events: EventType[] = ['video.created']) {
  const id = mintId('whk', now())
  const secret = mintWebhookSecret()
  const sealedSecret = await seal(secret, webhookSecretSealingContext({ workspaceId, id }))
  await commit(createWebhook(await getWorkspace(workspaceId), { url, events }, { id, sealedSecret }, now()))
  return { id, secret }
}

/** Applies a decision to the current endpoint, as a route does. */
export async function commitEndpointChange(
  workspaceId: string,
  webhookId: string,
  change: (webhook: Webhook) => WebhookDecision,
): Promise<void> {
  await commit(change(await getWebhook(workspaceId, webhookId)))
}

const nothing = { changes: [], charges: [], starts: [] }

/** Event types that concern only a video. */
export type VideoEventType = 'video.created' | 'video.render_completed' | 'video.generation_completed'

/** A video event of the workspace: committed like every event, and not yet dispatched. */
export async function commitVideoEvent(workspaceId: string, type: VideoEventType = 'video.created') {
  const video = { ...videoThatIs.queued(), workspaceId, id: mintId('vid', now()), title: 'Ænglisc 🐈 "quoted"' }
  const event: DomainEvent = newEvent(type, { video }, video.id, now())
  await commit({ ...nothing, workspaceId, at: now(), events: [event] })
  return event
}

/** Dispatches the outbox rows of a workspace, in no particular order, as the table's stream would. */
export async function dispatchAll(workspaceId: string): Promise<void> {
  const Records = (await outboxRowsOf(workspaceId)).map(streamRecord)
  expect(await dispatchOutbox({ Records })).toEqual({ batchItemFailures: [] })
}

/** The ids of the outbox rows that wait for their dispatch. */
export const outboxIdsOf = async (workspaceId: string): Promise<string[]> =>
  (await outboxRowsOf(workspaceId)).map(({ sk }) => sk.slice(outboxPrefix.length))

async function outboxRowsOf(workspaceId: string): Promise<Key[]> {
  const { Items = [] } = await table.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :outbox AND begins_with(sk, :prefix)',
      FilterExpression: 'attribute_exists(duePk)',
      ExpressionAttributeValues: { ':outbox': keys.outbox(workspaceId, '').pk, ':prefix': outboxPrefix },
      ConsistentRead: true,
    }),
  )
  return Items as Key[]
}

/** Dispatches one outbox row, even if it was dispatched before. */
export async function dispatchOnly(workspaceId: string, id: string): Promise<void> {
  const Records = [streamRecord(keys.outbox(workspaceId, id))]
  expect(await dispatchOutbox({ Records })).toEqual({ batchItemFailures: [] })
}

const streamRecord = ({ pk, sk }: Key) => ({
  dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, SequenceNumber: sk },
})

/** The newest deliveries of the log. */
export const deliveryLogOf = async (workspaceId: string, filters: DeliveryFilters = {}): Promise<Delivery[]> =>
  (await listDeliveries(workspaceId, filters, { limit: 100, offset: 0 }, now())).deliveries

export async function onlyDelivery(workspaceId: string): Promise<Delivery> {
  const deliveries = await deliveryLogOf(workspaceId)
  expect(deliveries).toHaveLength(1)
  return deliveries[0]!
}

/** Passes messages to the worker as SQS does; returns the ids of the failed ones. */
export async function deliverMessages(...bodies: string[]): Promise<string[]> {
  const Records = bodies.map((body, index) => ({ messageId: `message-${index}`, body }))
  const { batchItemFailures }: SQSBatchResponse = await deliverWebhook({ Records } as SQSEvent)
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)
}

/** Its attempt waits for no token of the receiver: many tests make more of them than one workspace may. */
export const messageFor = ({ workspaceId, id, attempts }: Delivery): string =>
  JSON.stringify({ workspaceId, deliveryId: id, attempt: attempts, isReserved: true } satisfies DeliveryMessage)

const sqs = new SQSClient()

/** The due wake-ups of a workspace, which wait for no token of their receiver, received from both queues. Those of other workspaces are discarded. */
export async function receiveWakeUps(workspaceId: string): Promise<(DeliveryMessage & { slow: boolean })[]> {
  const queues = [env.deliveryQueueUrl(), env.slowDeliveryQueueUrl()]
  const taken = await Promise.all(
    queues.map(async (queueUrl, index) =>
      (await takeAll(queueUrl)).map(({ Body }) => ({
        ...(JSON.parse(Body!) as DeliveryMessage),
        isReserved: true as const,
        slow: index === 1,
      })),
    ),
  )
  return taken.flat().filter((wake) => wake.workspaceId === workspaceId)
}

async function takeAll(QueueUrl: string): Promise<Message[]> {
  const taken: Message[] = []
  for (;;) {
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }))
    if (Messages.length === 0) return taken
    taken.push(...Messages)
    for (const { ReceiptHandle } of Messages) await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }))
  }
}

/** Processes every due wake-up successfully, and returns these wake-ups. */
export async function processWakeUps(workspaceId: string): Promise<(DeliveryMessage & { slow: boolean })[]> {
  const wakes = await receiveWakeUps(workspaceId)
  expect(await deliverMessages(...wakes.map(({ slow: _slow, ...wake }) => JSON.stringify(wake)))).toEqual([])
  return wakes
}

/** Stops the clock of this process, its queues included, until the test moves it. */
export const freezeClock = () => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })

export const advanceFrozenClock = (seconds: number) => vi.setSystemTime(Date.now() + Math.round(seconds * 1000))
