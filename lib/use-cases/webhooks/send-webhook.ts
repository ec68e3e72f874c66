/**
 * Sends one signed request to a webhook endpoint and returns its outcome. Called by `attempt-delivery.ts` and
 * `test-webhook.ts`.
 */
import { UnsealFailed, unseal } from '../../aws/sealing.ts'
import { now } from '../../clock.ts'
import type { Webhook } from '../../domain/records/webhook.ts'
import { type DeliveryOutcome, responseTimeoutMs } from '../../domain/webhooks/delivery-attempts.ts'
import { signedHeaders } from '../../domain/webhooks/signature.ts'
import { webhookSecretSealingContext } from '../../domain/webhooks/webhook-lifecycle.ts'
import { endpointPolicy } from '../../egress/address-policy.ts'
import { AddressRefused, EgressFailed } from '../../egress/failures.ts'
import type { EgressDeps, EgressRequest } from '../../egress/request.ts'
import { sendRequest } from '../../egress/request.ts'
import { env } from '../../env.ts'
import { log } from '../../log.ts'

export interface WebhookPost {
  webhook: Pick<Webhook, 'id' | 'workspaceId' | 'sealedSecret'>
  url: string
  event: string
  /** The bytes to sign and to send. */
  body: string
  /** Null for a test delivery, which has no row in the log. */
  deliveryId: string | null
  messageId: string
}

/** Failures of the receiver are outcomes, not errors. */
export async function sendWebhook(
  { webhook, url, ...post }: WebhookPost,
  deps: EgressDeps = {},
): Promise<DeliveryOutcome> {
  try {
    const secret = await unseal(webhook.sealedSecret, webhookSecretSealingContext(webhook))
    const answer = await sendRequest(requestOf(url, secret, post), endpointPolicy(env.allowLoopback()), deps)
    return { status: answer.status, retryAfter: answer.headers['retry-after'] }
  } catch (error) {
    if (error instanceof AddressRefused) return { status: null, error: error.message }
    if (error instanceof EgressFailed) return { status: null, error: error.message, isSenderFault: error.isLocal }
    if (!(error instanceof UnsealFailed)) throw error
    log.error('secret.broken', { workspaceId: webhook.workspaceId, webhookId: webhook.id, error })
    return {
      status: null,
      error: 'The secret of the endpoint cannot be read: delete the endpoint and create a new one.',
      isSenderFault: true,
    }
  }
}

function requestOf(url: string, secret: string, post: Omit<WebhookPost, 'webhook' | 'url'>): EgressRequest {
  return {
    url,
    method: 'POST',
    headers: signedHeaders({ ...post, secret, at: now() }),
    body: Buffer.from(post.body),
    deadlineMs: responseTimeoutMs,
    // Only the status counts ("any 2xx response"): the body is not read.
    bytesMax: 0,
  }
}
