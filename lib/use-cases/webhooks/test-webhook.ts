/**
 * Sends a test delivery: one signed request while the caller waits, not logged and not counted as a delivery. Called by
 * the test route.
 */
import type { WebhookTest } from '../../contract/resources/webhooks.ts'
import { testEventEnvelopeView } from '../../contract/views/webhooks.ts'
import { mintId } from '../../domain/core/mint-id.ts'
import type { Webhook } from '../../domain/records/webhook.ts'
import { describeFailure } from '../../domain/webhooks/delivery-attempts.ts'
import type { EgressDeps } from '../../egress/request.ts'
import { sendWebhook } from './send-webhook.ts'

/** Returns the outcome, whatever the endpoint does, and also where it is disabled. */
export async function testWebhook(webhook: Webhook, now: string, deps?: EgressDeps): Promise<WebhookTest> {
  const { url } = webhook
  const envelope = testEventEnvelopeView(webhook, now)
  const { event } = envelope
  const messageId = mintId('evt', now)
  const startedAt = performance.now()
  const outcome = await sendWebhook(
    { webhook, url, event, body: JSON.stringify(envelope), deliveryId: null, messageId },
    deps,
  )
  const durationMs = Math.round(performance.now() - startedAt)
  const error = describeFailure(outcome)
  return { event, url, delivered: error === null, responseStatus: outcome.status, durationMs, error }
}
