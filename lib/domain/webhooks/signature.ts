/** Signing secrets of webhook endpoints, and the two signatures of each delivery, over the exact bytes that are sent. */
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
/** The form of a secret. */
export const webhookSecretPattern = /^whsec_[A-Za-z0-9+/]{43}=$/

/** A request body: its exact bytes, or its text, encoded as UTF-8. */
export type RawBody = string | Uint8Array

/** A new signing secret, shown once: in the response that creates the endpoint. */
export const mintWebhookSecret = (): string => secretPrefix + randomBytes(32).toString('base64')

/** Another text would decode to a shorter key, at worst to an empty one. */
export const isWellFormedWebhookSecret = (text: string): boolean => webhookSecretPattern.test(text)

/** The digest in `X-Service-Signature`: of the body, keyed by the UTF-8 bytes of the whole secret. */
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
  /** The delivery's id, or a new one for a test delivery. */
  messageId: string
  /** The time of this attempt, not of the event: receivers reject old signatures. */
  at: string
}

/** All headers of one attempt. */
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
