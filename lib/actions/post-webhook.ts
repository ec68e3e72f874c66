/** One signed post to a webhook endpoint, and how it ended. */

import { unseal } from '../aws/sealing.ts'
import { now } from '../clock.ts'
import { acknowledgeMs, type Outcome } from '../domain/delivery.ts'
import type { Webhook } from '../domain/webhook.ts'
import { secretContext } from '../domain/webhook.ts'
import { signedHeaders } from '../domain/webhook-signature.ts'
import { AddressRefused, EgressFailed } from '../egress/failures.ts'
import type { EgressDoors } from '../egress/request.ts'
import { send } from '../egress/request.ts'
import { webhookPolicy } from './webhook-address.ts'

/** Of an answer only the status and one header matter. */
const answerBytesMax = 64 * 1024

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
  const secret = await unseal(webhook.sealedSecret, secretContext(webhook))
  const request = {
    url,
    method: 'POST' as const,
    headers: signedHeaders({ ...post, secret, at: now() }),
    body: Buffer.from(post.body),
    deadlineMs: acknowledgeMs,
    bytesMax: answerBytesMax,
  }
  try {
    const { status, headers } = await send(request, webhookPolicy(), doors)
    return { status, retryAfter: headers['retry-after'] }
  } catch (error) {
    if (error instanceof AddressRefused || error instanceof EgressFailed) return { status: null, error: error.message }
    throw error
  }
}
