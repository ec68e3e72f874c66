/** Schemas of webhook endpoints and deliveries in responses. */
import * as v from 'valibot'
import { deliveryStatuses } from '../../domain/records/delivery.ts'
import { eventTypes } from '../../domain/records/event.ts'
import { count, timestamp } from '../schemas.ts'
import { anyEventEnvelope } from './events.ts'

export const webhook = v.object({
  id: v.string(),
  url: v.string(),
  events: v.array(v.picklist(eventTypes)),
  enabled: v.boolean(),
  createdAt: timestamp,
  updatedAt: timestamp,
  /** The time of the last acknowledged delivery. */
  lastDeliveryAt: v.nullable(timestamp),
  /** Consecutive failed attempts. */
  failureCount: count,
  disabledReason: v.nullable(v.string()),
})
export type WebhookResource = v.InferOutput<typeof webhook>

/** Only the response of `createWebhook` holds the signing secret. */
export const newWebhook = v.object({ ...webhook.entries, secret: v.string() })
export type NewWebhookResource = v.InferOutput<typeof newWebhook>

export const webhookRemoval = v.object({ ok: v.literal(true), droppedDeliveries: count })

/** What a replay queues. Without events both sequences are null. */
export const webhookReplay = v.object({
  events: count,
  firstSequence: v.nullable(count),
  lastSequence: v.nullable(count),
})
export type WebhookReplay = v.InferOutput<typeof webhookReplay>

/** The outcome of a test delivery. Without a response, `responseStatus` is null and `error` holds the reason. */
export const webhookTest = v.object({
  event: v.literal('webhook.test'),
  url: v.string(),
  delivered: v.boolean(),
  responseStatus: v.nullable(count),
  durationMs: count,
  error: v.nullable(v.string()),
})
export type WebhookTest = v.InferOutput<typeof webhookTest>

export const delivery = v.object({
  id: v.string(),
  webhookId: v.string(),
  event: v.picklist(eventTypes),
  url: v.string(),
  status: v.picklist(deliveryStatuses),
  attempts: count,
  responseStatus: v.nullable(count),
  lastError: v.nullable(v.string()),
  nextAttemptAt: v.nullable(timestamp),
  createdAt: timestamp,
  deliveredAt: v.nullable(timestamp),
  /** The posted body. */
  payload: anyEventEnvelope,
})
export type DeliveryResource = v.InferOutput<typeof delivery>
