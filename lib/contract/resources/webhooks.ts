/** Webhook endpoints and their deliveries as clients see them. */
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
  /** When a delivery was acknowledged last. */
  lastDeliveryAt: v.nullable(timestamp),
  /** Failed attempts in a row. */
  failureCount: count,
  disabledReason: v.nullable(v.string()),
})
export type WebhookResource = v.InferOutput<typeof webhook>

/** The signing secret is told once. */
export const newWebhook = v.object({ ...webhook.entries, secret: v.string() })
export type NewWebhookResource = v.InferOutput<typeof newWebhook>

export const webhookRemoval = v.object({ ok: v.literal(true), droppedDeliveries: count })

/** How a test delivery ended; `responseStatus` is null where nobody answered, and then `error` says why. */
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
  /** The envelope that was posted. */
  payload: anyEventEnvelope,
})
export type DeliveryResource = v.InferOutput<typeof delivery>
