/** Signs events as the service signs deliveries, and posts them to a program under development. */
import { createHmac } from 'node:crypto'

/** @import { EventEnvelope, Io } from './types.js' */

/** The timeout of the service's own deliveries. */
const responseMsMax = 8_000

/**
 * The secret of forwarded events: the same for every command with this key, and stored nowhere.
 * @param {string} apiKey
 */
export const forwardSecret = (apiKey) =>
  `whsec_${createHmac('sha256', apiKey).update('reelsmith forwarded events').digest('base64')}`

/**
 * The headers of a delivery, with both signatures (docs/guides/webhooks.md).
 * @param {{ body: string, event: string, id: string, secret: string, atMs: number }} delivery
 * @returns {Record<string, string>}
 */
export function deliveryHeaders({ body, event, id, secret, atMs }) {
  const timestamp = String(Math.floor(atMs / 1000))
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const standard = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'content-type': 'application/json',
    'user-agent': 'Reelsmith-Webhooks',
    'X-Service-Event': event,
    // A test is not logged, hence it has no delivery id.
    ...(event !== 'webhook.test' && { 'X-Service-Delivery': id }),
    'X-Service-Signature': createHmac('sha256', secret).update(body).digest('hex'),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${standard}`,
  }
}

/**
 * Posts an event once. `isReached` is false where the program cannot have got it: no connection was made.
 * @param {{ event: EventEnvelope, id: string, url: string, secret: string }} delivery @param {Pick<Io, 'fetch' | 'now' | 'signal'>} io
 * @returns {Promise<{ isReached: boolean, status?: number, outcome: string }>}
 */
export async function forwardEvent({ event, id, url, secret }, { fetch, now, signal }) {
  const body = JSON.stringify(event)
  const startedMs = now()
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: deliveryHeaders({ body, event: event.event, id, secret, atMs: startedMs }),
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(responseMsMax)]),
    })
    await response.body?.cancel()
    return { isReached: true, status: response.status, outcome: `${response.status} in ${now() - startedMs} ms` }
  } catch (error) {
    signal.throwIfAborted()
    const { cause, message, name } = /** @type {Error & { cause?: NodeJS.ErrnoException }} */ (error)
    if (name === 'TimeoutError') return { isReached: true, outcome: `no response in ${responseMsMax / 1000} s` }
    const code = cause?.code
    return { isReached: !(code && unreached.has(code)), outcome: `no response: ${code ?? message}` }
  }
}

/** Before a connection exists, nothing was sent. */
const unreached = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])
