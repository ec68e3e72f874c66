/** For subscribers: tells a delivery of the service from anything else that reaches their address. docs/guides/webhooks.md is its manual. */
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
  /** Grows from event to event of a workspace; a test has none. */
  sequence?: number
  data: Record<string, unknown>
}

export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>

export interface VerificationOptions {
  /** How far the time of the attempt may be from now, 300 if not given: an older delivery may be a replay. */
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
 * The event of a delivery, or a `WebhookVerificationError` where anything about the request is not as the service sent it.
 * `rawBody` is what arrived, before any parsing; `headers` are Node's, Lambda's or those of a `Request`, in any case.
 */
export function verifyWebhook(
  rawBody: RawBody,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = 300, now = Date.now }: VerificationOptions = {},
): WebhookEvent {
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array))
    throw new WebhookVerificationError('invalid-body', `The body is ${typeof rawBody}: ${rawBytesHint}`)
  if (!isWellFormedWebhookSecret(secret))
    throw new WebhookVerificationError(
      'bad-signature',
      'The secret is not one of an endpoint: whsec_ and 44 characters.',
    )
  const header = headerReader(headers)
  const id = header(webhookHeaders.id)
  const timestamp = header(webhookHeaders.timestamp)
  checkSignatures(rawBody, { id, timestamp, header }, secret)
  checkAge(timestamp, toleranceSeconds, now())
  const event = parsed(rawBody)
  if (!isEvent(event)) throw new WebhookVerificationError('invalid-body', 'The body is signed, but it is no event.')
  checkUnsignedHeaders(event, id, header)
  return event
}

const rawBytesHint = 'give the raw bytes of the request, as they came and before JSON parsing.'

/** Throws where the header is missing. */
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

/** By its shape: the Headers of another package are as good. */
const isHeaders = (headers: WebhookHeaders): headers is Headers => typeof headers.get === 'function'

/** Both have to match: only the Standard one covers id and time, and only the other one is what older subscribers check. */
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
  if (!isOfBody) throw new WebhookVerificationError('bad-signature', mismatch(body))
  if (!matches.includes(true))
    throw new WebhookVerificationError(
      'bad-signature',
      `${webhookHeaders.standardSignature} is not of this ${webhookHeaders.id}, ${webhookHeaders.timestamp} and body.`,
    )
}

/** Takes the same time whatever is given: digests are compared, so neither length nor the first wrong letter shows. */
function timingSafeEqualText(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

function mismatch(body: RawBody): string {
  const what = `${webhookHeaders.signature} is not the signature of this body with this secret.`
  if (parsed(body) === undefined) return what
  return `${what} The body is whole JSON: either the secret is of another endpoint, or the body was parsed and written again; ${rawBytesHint}`
}

function checkAge(timestamp: string, toleranceSeconds: number, nowMs: number): void {
  const ageSeconds = Math.floor(nowMs / 1000) - Number(timestamp)
  const refuse = (reason: 'too-old' | 'too-new', word: string) => {
    const seconds = Math.abs(ageSeconds)
    const message = `The delivery was signed ${seconds} s ${word}, ${toleranceSeconds} s are allowed. Is the clock right?`
    throw new WebhookVerificationError(reason, message)
  }
  if (ageSeconds < -toleranceSeconds) refuse('too-new', 'ahead')
  // Said so that a time which is no number is refused too.
  if (!(ageSeconds <= toleranceSeconds)) refuse('too-old', 'ago')
}

/** No signature covers these two: whoever routes by the event or deduplicates by the delivery must not be misled. */
function checkUnsignedHeaders({ event }: WebhookEvent, id: string, header: Header): void {
  if (header(webhookHeaders.event) !== event)
    throw new WebhookVerificationError('bad-signature', `${webhookHeaders.event} is not the event of the signed body.`)
  // A test delivery has no row in the log, hence no delivery id.
  if (event !== 'webhook.test' && header(webhookHeaders.delivery) !== id)
    throw new WebhookVerificationError(
      'bad-signature',
      `${webhookHeaders.delivery} is not the signed ${webhookHeaders.id}.`,
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

/** An event that this version does not know is one all the same: the service may be newer. */
function isEvent(value: unknown): value is WebhookEvent {
  const { event, workspaceId, createdAt, data } = Object(value) as Partial<Record<keyof WebhookEvent, unknown>>
  const isText = [event, workspaceId, createdAt].every((text) => typeof text === 'string')
  return isText && typeof data === 'object' && data !== null
}
