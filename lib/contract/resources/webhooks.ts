/** Schemas of webhook endpoints and deliveries in responses. */
import * as v from 'valibot'
import { boundedText, listOf, urlLengthMax } from '../../domain/core/bounded.ts'
import { deliveryStatuses } from '../../domain/records/delivery.ts'
import { eventTypes } from '../../domain/records/event.ts'
import { webhookSecretPattern } from '../../domain/webhooks/signature.ts'
import { count, message, recordId, timestamp } from '../schemas.ts'
import { anyEventEnvelope } from './events.ts'

export const webhook = v.object({
  id: recordId,
  url: boundedText(urlLengthMax),
  events: listOf(v.picklist(eventTypes), eventTypes.length),
  enabled: v.boolean(),
  createdAt: timestamp,
  updatedAt: timestamp,
  /** The time of the last acknowledged delivery. */
  lastDeliveryAt: v.nullable(timestamp),
  /** Consecutive failed attempts. */
  failureCount: count,
  disabledReason: v.nullable(message),
})
export type WebhookResource = v.InferOutput<typeof webhook>

/** Only the response of `createWebhook` holds the signing secret. */
export const newWebhook = v.object({
  ...webhook.entries,
  secret: v.pipe(v.string(), v.regex(webhookSecretPattern)),
})
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
  url: boundedText(urlLengthMax),
  delivered: v.boolean(),
  responseStatus: v.nullable(count),
  durationMs: count,
  error: v.nullable(message),
})
export type WebhookTest = v.InferOutput<typeof webhookTest>

export const delivery = v.object({
  id: recordId,
  webhookId: recordId,
  event: v.picklist(eventTypes),
  url: boundedText(urlLengthMax),
  status: v.picklist(deliveryStatuses),
  attempts: count,
  responseStatus: v.nullable(count),
  lastError: v.nullable(message),
  nextAttemptAt: v.nullable(timestamp),
  createdAt: timestamp,
  deliveredAt: v.nullable(timestamp),
  /** The posted body. */
  payload: anyEventEnvelope,
})
export type DeliveryResource = v.InferOutput<typeof delivery>
