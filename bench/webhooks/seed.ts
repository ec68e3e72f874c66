/** Seeds of the webhook benches: workspaces, endpoints, and events without a change of a video. */
import { randomBytes } from 'node:crypto'
import { BatchWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as v from 'valibot'
import { enqueueDeliveries } from '../../lib/aws/delivery-queue.ts'
import { seal } from '../../lib/aws/sealing.ts'
import { eventEnvelopeView } from '../../lib/bound-views/events.ts'
import { now } from '../../lib/clock.ts'
import { createVideoRequest } from '../../lib/contract/requests/videos.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { type DomainEvent, newEvent } from '../../lib/domain/records/event.ts'
import type { Webhook } from '../../lib/domain/records/webhook.ts'
import { createVideo } from '../../lib/domain/videos/create-video.ts'
import { fanOutDeliveries } from '../../lib/domain/webhooks/delivery-attempts.ts'
import { mintWebhookSecret } from '../../lib/domain/webhooks/signature.ts'
import {
  createWebhook,
  receiverHost,
  webhookSecretSealingContext,
} from '../../lib/domain/webhooks/webhook-lifecycle.ts'
import { createWorkspace } from '../../lib/domain/workspaces/workspace.ts'
import { table, tableName } from '../../lib/store/core/client.ts'
import { commit } from '../../lib/store/core/commit.ts'
import { keys } from '../../lib/store/core/keys.ts'
import { deliveryRow } from '../../lib/store/core/rows.ts'
import { getWorkspace, putWorkspace } from '../../lib/store/workspaces.ts'

export interface WorkspaceWithWebhooks {
  workspaceId: string
  webhooks: Webhook[]
}

interface SeedOptions {
  /** Whether the endpoints have acknowledged a delivery before, and are limited as known hosts. */
  areKnown?: boolean
}

/** A workspace with an endpoint per URL. */
export async function seedWorkspace(
  urls: readonly string[],
  { areKnown = false }: SeedOptions = {},
): Promise<WorkspaceWithWebhooks> {
  const workspaceId = mintId('wsp', now())
  const mediaSecret = randomBytes(16).toString('hex')
  const plan = { name: 'Bench', planId: 'self-hosted' as const, organizationId: null, mediaSecret }
  await putWorkspace(createWorkspace({ id: workspaceId, ...plan }, now()))
  const webhooks: Webhook[] = []
  for (const url of urls) {
    const id = mintId('whk', now())
    const sealedSecret = await seal(mintWebhookSecret(), webhookSecretSealingContext({ workspaceId, id }))
    const input = { url, events: ['video.created'] }
    const decision = createWebhook(await getWorkspace(workspaceId), input, { id, sealedSecret }, now())
    await commit(decision)
    if (areKnown) await setAcknowledged(decision.webhook)
    webhooks.push(decision.webhook)
  }
  return { workspaceId, webhooks }
}

const setAcknowledged = ({ workspaceId, id, url }: Webhook) =>
  table.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: keys.webhook(workspaceId, id),
      UpdateExpression: 'SET lastDeliveryAt = :at, acknowledgedHost = :host',
      ExpressionAttributeValues: { ':at': now(), ':host': receiverHost(url) },
    }),
  )

const request = v.parse(createVideoRequest, { prompt: 'Three small habits that make mornings calm' })

/** The event of a new video, with the complete payload. */
function seedEvent(workspaceId: string): DomainEvent {
  const at = now()
  const ids = { videoId: mintId('vid', at), runId: mintId('run', at) }
  const workspaceInput = {
    id: workspaceId,
    name: 'Bench',
    planId: 'self-hosted' as const,
    organizationId: null,
    mediaSecret: '',
  }
  const { video } = createVideo(createWorkspace(workspaceInput, at), request, ids, at)
  return newEvent('video.created', { video }, video.id, at)
}

/** Commits a decision that only emits an event. */
export async function commitEvent(workspaceId: string): Promise<void> {
  const event = seedEvent(workspaceId)
  await commit({ workspaceId, at: event.createdAt, changes: [], charges: [], events: [event], starts: [] })
}

const rowsPerBatch = 25

/**
 * `events` events, already fanned out to every endpoint: writes the rows of their deliveries, then the queue messages.
 */
export async function seedBacklog({ workspaceId, webhooks }: WorkspaceWithWebhooks, events: number): Promise<void> {
  const deliveries = Array.from({ length: events }, (_, index) => {
    const event = seedEvent(workspaceId)
    return fanOutDeliveries(event, JSON.stringify(eventEnvelopeView(workspaceId, event, index + 1)), webhooks)
  }).flat()
  for (let from = 0; from < deliveries.length; from += rowsPerBatch) {
    const Puts = deliveries.slice(from, from + rowsPerBatch).map((one) => ({ PutRequest: { Item: deliveryRow(one) } }))
    await table.send(new BatchWriteCommand({ RequestItems: { [tableName()]: Puts } }))
  }
  await enqueueDeliveries(
    deliveries.map(({ id }) => ({ workspaceId, deliveryId: id, attempt: 0, delaySeconds: 0, slow: false })),
  )
}
