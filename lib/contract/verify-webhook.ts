/** For subscribers: verifies the signatures and the age of a webhook delivery. Manual: docs/guides/webhooks.md. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { EventType } from '../domain/records/event.ts'
import {
  bodyDigest,
  isWellFormedWebhookSecret,
  type RawBody,
  standardDigest,
  webhookHeaders,
} from '../domain/webhooks/signature.ts'

export interface WebhookEvent {
  event: EventType | 'webhook.test'
  workspaceId: string
  createdAt: string
  /** Increases with each event of a workspace; absent in a test delivery. */
  sequence?: number
  data: Record<string, unknown>
}

export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>

export interface VerificationOptions {
  /** Maximum age of the signature, default 300: an older delivery may be a replay. */
  toleranceSeconds?: number
  /** Milliseconds since the epoch. */
  now?: () => number
}

export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError'
  readonly reason: 'missing-header' | 'bad-signature' | 'too-old' | 'too-new' | 'invalid-body'

  constructor(reason: WebhookVerificationError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * Returns the event of a delivery. @throws WebhookVerificationError where the request is not as the service sent it.
 * `rawBody` is the body before any parsing; `headers` are those of Node, Lambda or a `Request`, case-insensitive.
 */
export function verifyWebhook(
  rawBody: RawBody,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = 300, now = Date.now }: VerificationOptions = {},
): WebhookEvent {
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array))
    throw new WebhookVerificationError('invalid-body', `The body is of type ${typeof rawBody}. ${rawBytesHint}`)
  if (!isWellFormedWebhookSecret(secret))
    throw new WebhookVerificationError('bad-signature', 'The secret is malformed: it must be whsec_ and 44 characters.')
  const header = headerReader(headers)
  const id = header(webhookHeaders.id)
  const timestamp = header(webhookHeaders.timestamp)
  checkSignatures(rawBody, { id, timestamp, header }, secret)
  checkAge(timestamp, toleranceSeconds, now())
  const event = parsed(rawBody)
  if (!isEvent(event)) throw new WebhookVerificationError('invalid-body', 'The body is signed, but it is not an event.')
  checkUnsignedHeaders(event, id, header)
  return event
}

const rawBytesHint = 'Pass the raw bytes of the request, before JSON parsing.'

/** Reads a header. Throws where it is missing. */
type Header = (name: string) => string

function headerReader(headers: WebhookHeaders): Header {
  const entries = isHeaders(headers) ? [...headers] : Object.entries(headers)
  const values = new Map(entries.map(([name, value]) => [name.toLowerCase(), [value ?? []].flat().join(', ')]))
  return (name) => {
    const value = values.get(name.toLowerCase())
    if (!value) throw new WebhookVerificationError('missing-header', `The header ${name} is missing.`)
    return value
  }
}

/** Checks the shape, because other packages have their own `Headers`. */
const isHeaders = (headers: WebhookHeaders): headers is Headers => typeof headers.get === 'function'

/** Both must match. Only the Standard Webhooks signature covers id and time; older subscribers check only the other one. */
function checkSignatures(
  body: RawBody,
  { id, timestamp, header }: { id: string; timestamp: string; header: Header },
  secret: string,
): void {
  const isOfBody = timingSafeEqualText(header(webhookHeaders.signature), bodyDigest(secret, body).toString('hex'))
  const expected = `v1,${standardDigest(secret, { id, timestamp, body }).toString('base64')}`
  const matches = header(webhookHeaders.standardSignature)
    .split(' ')
    .map((given) => timingSafeEqualText(given, expected))
  if (!isOfBody) throw new WebhookVerificationError('bad-signature', mismatchMessage(body))
  if (!matches.includes(true))
    throw new WebhookVerificationError(
      'bad-signature',
      `${webhookHeaders.standardSignature} does not match ${webhookHeaders.id}, ${webhookHeaders.timestamp} and body.`,
    )
}

/** Constant-time comparison. Compares digests, because `timingSafeEqual` requires equal lengths. */
function timingSafeEqualText(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

function mismatchMessage(body: RawBody): string {
  const message = `${webhookHeaders.signature} does not match this body and secret.`
  if (parsed(body) === undefined) return message
  return `${message} The body is valid JSON: either the secret belongs to another endpoint, or the body was parsed and serialised again. ${rawBytesHint}`
}

function checkAge(timestamp: string, toleranceSeconds: number, nowMs: number): void {
  const ageSeconds = Math.floor(nowMs / 1000) - Number(timestamp)
  const refuse = (reason: 'too-old' | 'too-new', word: string) => {
    const seconds = Math.abs(ageSeconds)
    const message = `The delivery was signed ${seconds} s ${word}; the tolerance is ${toleranceSeconds} s. Check the system clock.`
    throw new WebhookVerificationError(reason, message)
  }
  if (ageSeconds < -toleranceSeconds) refuse('too-new', 'in the future')
  // Negated, so that NaN is refused.
  if (!(ageSeconds <= toleranceSeconds)) refuse('too-old', 'ago')
}

/** No signature covers these two headers, but subscribers route and deduplicate by them: they must match the signed values. */
function checkUnsignedHeaders({ event }: WebhookEvent, id: string, header: Header): void {
  if (header(webhookHeaders.event) !== event)
    throw new WebhookVerificationError(
      'bad-signature',
      `${webhookHeaders.event} does not match the event of the signed body.`,
    )
  // A test delivery is not logged, hence it has no delivery id.
  if (event !== 'webhook.test' && header(webhookHeaders.delivery) !== id)
    throw new WebhookVerificationError(
      'bad-signature',
      `${webhookHeaders.delivery} does not match the signed ${webhookHeaders.id}.`,
    )
}

/** Undefined where the body is not JSON. */
function parsed(body: RawBody): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

/** Accepts unknown event types: the service may be newer than this code. */
function isEvent(value: unknown): value is WebhookEvent {
  const { event, workspaceId, createdAt, data } = Object(value) as Partial<Record<keyof WebhookEvent, unknown>>
  const isText = [event, workspaceId, createdAt].every((text) => typeof text === 'string')
  return isText && typeof data === 'object' && data !== null
}
