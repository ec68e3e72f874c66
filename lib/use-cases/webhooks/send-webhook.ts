/** One signed post to a webhook endpoint, and how it ended. */
import { SealBroken, unseal } from '../../aws/sealing.ts'
import { now } from '../../clock.ts'
import type { Webhook } from '../../domain/records/webhook.ts'
import { acknowledgeMs, type Outcome } from '../../domain/webhooks/delivery.ts'
import { signedHeaders } from '../../domain/webhooks/signature.ts'
import { secretContext } from '../../domain/webhooks/webhook.ts'
import { AddressRefused, EgressFailed } from '../../egress/failures.ts'
import type { EgressDoors, EgressRequest } from '../../egress/request.ts'
import { send } from '../../egress/request.ts'
import { log } from '../../log.ts'
import { webhookPolicy } from './webhook-url.ts'

export interface Post {
  webhook: Pick<Webhook, 'id' | 'workspaceId' | 'sealedSecret'>
  url: string
  event: string
  /** The bytes to sign and to send. */
  body: string
  /** Null for a test delivery, which has no row in the log. */
  deliveryId: string | null
  messageId: string
}

/** Never throws for what the receiver does: that is an outcome. */
export async function postWebhook({ webhook, url, ...post }: Post, doors: EgressDoors = {}): Promise<Outcome> {
  try {
    const secret = await unseal(webhook.sealedSecret, secretContext(webhook))
    const answer = await send(requestOf(url, secret, post), webhookPolicy(), doors)
    return { status: answer.status, retryAfter: answer.headers['retry-after'] }
  } catch (error) {
    if (error instanceof AddressRefused) return { status: null, error: error.message }
    if (error instanceof EgressFailed) return { status: null, error: error.message, ours: error.isOurs }
    if (!(error instanceof SealBroken)) throw error
    log.error('secret.broken', { workspaceId: webhook.workspaceId, webhookId: webhook.id, error })
    return {
      status: null,
      error: 'The secret of the endpoint cannot be read any more: make a new endpoint.',
      ours: true,
    }
  }
}

function requestOf(url: string, secret: string, post: Omit<Post, 'webhook' | 'url'>): EgressRequest {
  return {
    url,
    method: 'POST',
    headers: signedHeaders({ ...post, secret, at: now() }),
    body: Buffer.from(post.body),
    deadlineMs: acknowledgeMs,
    // An answer is its status ("any 2xx response"): how its body goes on is nobody's business.
    bytesMax: 0,
  }
}
