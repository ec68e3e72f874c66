/** The secret of a webhook endpoint and the two signatures that each delivery carries; they sign the bytes that are sent. */
import { createHmac, randomBytes } from 'node:crypto'

/** The headers of a delivery. The last three are those of Standard Webhooks (standardwebhooks.com). */
export const webhookHeaders = {
  event: 'X-Service-Event',
  delivery: 'X-Service-Delivery',
  signature: 'X-Service-Signature',
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  standardSignature: 'webhook-signature',
} as const

const secretPrefix = 'whsec_'
const secretShape = /^whsec_[A-Za-z0-9+/]{43}=$/

/** What a body is: its exact bytes, or the text that becomes them as UTF-8. */
export type RawBody = string | Uint8Array

/** A new signing secret. It is shown once, in the answer that creates the endpoint. */
export const mintWebhookSecret = (): string => secretPrefix + randomBytes(32).toString('base64')

/** Anything else would make a key that is shorter than it looks, at worst an empty one that everybody knows. */
export const isWellFormedWebhookSecret = (text: string): boolean => secretShape.test(text)

/** The digest in `X-Service-Signature`: of the body alone, keyed by the UTF-8 bytes of the whole secret as it is shown. */
export const bodyDigest = (secret: string, body: RawBody): Buffer => createHmac('sha256', secret).update(body).digest()

/** The digest in `webhook-signature`: of id, time and body, keyed by the bytes whose base64 follows `whsec_`. */
export function standardDigest(secret: string, signed: { id: string; timestamp: string; body: RawBody }): Buffer {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
  return createHmac('sha256', key).update(`${signed.id}.${signed.timestamp}.`).update(signed.body).digest()
}

interface SignedAttempt {
  secret: string
  body: RawBody
  event: string
  /** Null for a test delivery, which has no row in the log. */
  deliveryId: string | null
  /** The delivery's id; a test delivery has one of its own. */
  messageId: string
  /** The time of this attempt, not of the event: receivers refuse what was signed long ago. */
  at: string
}

/** Every header that one attempt to deliver sends. */
export function signedHeaders({
  secret,
  body,
  event,
  deliveryId,
  messageId,
  at,
}: SignedAttempt): Record<string, string> {
  const timestamp = String(Math.floor(Date.parse(at) / 1000))
  const standard = standardDigest(secret, { id: messageId, timestamp, body }).toString('base64')
  return {
    'content-type': 'application/json',
    'user-agent': 'Reelsmith-Webhooks',
    [webhookHeaders.event]: event,
    ...(deliveryId !== null && { [webhookHeaders.delivery]: deliveryId }),
    [webhookHeaders.signature]: bodyDigest(secret, body).toString('hex'),
    [webhookHeaders.id]: messageId,
    [webhookHeaders.timestamp]: timestamp,
    [webhookHeaders.standardSignature]: `v1,${standard}`,
  }
}
