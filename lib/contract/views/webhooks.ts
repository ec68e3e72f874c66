/** Converts webhook endpoints and deliveries to their resources. Only `newWebhookView` shows the secret. */
import type { Delivery } from '../../domain/records/delivery.ts'
import type { Webhook } from '../../domain/records/webhook.ts'
import type { TestEventEnvelope } from '../resources/events.ts'
import type { DeliveryResource, NewWebhookResource, WebhookResource } from '../resources/webhooks.ts'

export const webhookView = (webhook: Webhook): WebhookResource => ({
  id: webhook.id,
  url: webhook.url,
  events: webhook.events,
  enabled: webhook.enabled,
  createdAt: webhook.createdAt,
  updatedAt: webhook.updatedAt,
  lastDeliveryAt: webhook.lastDeliveryAt,
  failureCount: webhook.failureCount,
  disabledReason: webhook.disabledReason,
})

export const newWebhookView = (webhook: Webhook, secret: string): NewWebhookResource => ({
  ...webhookView(webhook),
  secret,
})

export const deliveryView = (delivery: Delivery): DeliveryResource => ({
  id: delivery.id,
  webhookId: delivery.webhookId,
  event: delivery.event,
  url: delivery.url,
  status: delivery.status,
  attempts: delivery.attempts,
  responseStatus: delivery.responseStatus,
  lastError: delivery.lastError,
  nextAttemptAt: delivery.nextAttemptAt,
  createdAt: delivery.createdAt,
  deliveredAt: delivery.deliveredAt,
  payload: JSON.parse(delivery.payload) as DeliveryResource['payload'],
})

/** The body of a test delivery. */
export const testEventEnvelopeView = (
  { id, workspaceId }: Pick<Webhook, 'id' | 'workspaceId'>,
  now: string,
): TestEventEnvelope => ({
  event: 'webhook.test',
  workspaceId,
  createdAt: now,
  data: { message: 'This is a test of your webhook endpoint.', webhookId: id },
})
