/** Verification of webhook deliveries. */
import type { WebhookEvent } from './types.js'

export type { WebhookEvent } from './types.js'

export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>

export interface VerificationOptions {
  /** Maximum age of the signature, default 300: an older delivery may be a replay. */
  toleranceSeconds?: number
  /** Milliseconds since the epoch. */
  now?: () => number
}

export declare class WebhookVerificationError extends Error {
  constructor(reason: WebhookVerificationError['reason'], message: string)
  readonly reason: 'missing-header' | 'bad-signature' | 'too-old' | 'too-new' | 'invalid-body'
}

/**
 * Resolves to the event of a delivery. @throws WebhookVerificationError where the request is not as the service sent it.
 * `payload` is the body before any parsing; `headers` are those of Node, Lambda or a `Request`, case-insensitive.
 */
export declare function verifyWebhook(
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  options?: VerificationOptions,
): Promise<WebhookEvent>
