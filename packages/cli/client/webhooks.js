/**
 * Verifies the signatures and the age of a webhook delivery with WebCrypto, in Node, browsers and workers.
 * Imports nothing. Types: `webhooks.d.ts`.
 */

/** @import { VerificationOptions, WebhookEvent, WebhookHeaders } from './webhooks.d.ts' */

const names = {
  event: 'X-Service-Event',
  delivery: 'X-Service-Delivery',
  signature: 'X-Service-Signature',
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  standardSignature: 'webhook-signature',
}
const secretShape = /^whsec_[A-Za-z0-9+/]{43}=$/
const rawBytesHint = 'Pass the raw bytes of the request, before JSON parsing.'

export class WebhookVerificationError extends Error {
  /** @override */
  name = 'WebhookVerificationError'

  /** @param {import('./webhooks.d.ts').WebhookVerificationError['reason']} reason @param {string} message */
  constructor(reason, message) {
    super(message)
    this.reason = reason
  }
}

/**
 * Returns the event of a delivery. @throws WebhookVerificationError where the request is not as the service sent it.
 * @param {string | Uint8Array} payload @param {WebhookHeaders} headers @param {string} secret @param {VerificationOptions} [options]
 * @returns {Promise<WebhookEvent>}
 */
export async function verifyWebhook(payload, headers, secret, { toleranceSeconds = 300, now = Date.now } = {}) {
  if (typeof payload !== 'string' && !(payload instanceof Uint8Array))
    throw new WebhookVerificationError('invalid-body', `The body is of type ${typeof payload}. ${rawBytesHint}`)
  if (!secretShape.test(secret))
    throw new WebhookVerificationError('bad-signature', 'The secret is malformed: it must be whsec_ and 44 characters.')
  const header = headerReader(headers)
  const id = header(names.id)
  const timestamp = header(names.timestamp)
  const body = typeof payload === 'string' ? utf8(payload) : payload
  const text = new TextDecoder().decode(body)
  await checkSignatures({ body, text, id, timestamp, header }, secret)
  checkAge(timestamp, toleranceSeconds, now())
  const event = parseJson(text)
  if (!isEvent(event)) throw new WebhookVerificationError('invalid-body', 'The body is signed, but it is not an event.')
  checkUnsignedHeaders(event, id, header)
  return event
}

/** @param {string} text */
const utf8 = (text) => new TextEncoder().encode(text)

/** Reads a header, case-insensitive; throws where it is missing. @param {WebhookHeaders} headers */
function headerReader(headers) {
  // The shape is checked, because other packages have their own `Headers`.
  const isHeaders = typeof headers.get === 'function'
  const entries = isHeaders ? [.../** @type {Headers} */ (headers)] : Object.entries(headers)
  const values = new Map(entries.map(([name, value]) => [name.toLowerCase(), [value ?? []].flat().join(', ')]))
  return (/** @type {string} */ name) => {
    const value = values.get(name.toLowerCase())
    if (!value) throw new WebhookVerificationError('missing-header', `The header ${name} is missing.`)
    return value
  }
}

/**
 * Both must match. Only the Standard Webhooks signature covers id and time; older subscribers check only the other one.
 * @param {{ body: Uint8Array, text: string, id: string, timestamp: string, header: (name: string) => string }} delivery
 * @param {string} secret
 */
async function checkSignatures({ body, text, id, timestamp, header }, secret) {
  const ofBody = hexOf(await hmac(utf8(secret), body))
  const key = Uint8Array.from(atob(secret.slice(6)), (character) => character.charCodeAt(0))
  const prefix = utf8(`${id}.${timestamp}.`)
  const content = new Uint8Array(prefix.length + body.length)
  content.set(prefix)
  content.set(body, prefix.length)
  const standard = `v1,${btoa(String.fromCharCode(...(await hmac(key, content))))}`
  const given = header(names.standardSignature).split(' ')
  if (!isSameText(header(names.signature), ofBody)) throw new WebhookVerificationError('bad-signature', mismatch(text))
  if (!given.map((signature) => isSameText(signature, standard)).includes(true))
    throw new WebhookVerificationError(
      'bad-signature',
      `${names.standardSignature} does not match ${names.id}, ${names.timestamp} and body.`,
    )
}

/** @param {Uint8Array} key @param {Uint8Array} content */
async function hmac(key, content) {
  const { subtle } = crypto
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await subtle.importKey('raw', /** @type {BufferSource} */ (key), algorithm, false, ['sign'])
  return new Uint8Array(await subtle.sign('HMAC', imported, /** @type {BufferSource} */ (content)))
}

/** @param {Uint8Array} bytes */
const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** In constant time for texts of the right length. @param {string} given @param {string} expected */
function isSameText(given, expected) {
  let difference = given.length ^ expected.length
  for (let index = 0; index < expected.length; index++)
    difference |= given.charCodeAt(index % (given.length || 1)) ^ expected.charCodeAt(index)
  return difference === 0
}

/** @param {string} text */
function mismatch(text) {
  const message = `${names.signature} does not match this body and secret.`
  if (parseJson(text) === undefined) return message
  return `${message} The body is valid JSON: either the secret belongs to another endpoint, or the body was parsed and serialised again. ${rawBytesHint}`
}

/** @param {string} timestamp @param {number} toleranceSeconds @param {number} nowMs */
function checkAge(timestamp, toleranceSeconds, nowMs) {
  const ageSeconds = Math.floor(nowMs / 1000) - Number(timestamp)
  const refuse = (/** @type {'too-old' | 'too-new'} */ reason, /** @type {string} */ word) => {
    const seconds = Math.abs(ageSeconds)
    const message = `The delivery was signed ${seconds} s ${word}; the tolerance is ${toleranceSeconds} s. Check the system clock.`
    throw new WebhookVerificationError(reason, message)
  }
  if (ageSeconds < -toleranceSeconds) refuse('too-new', 'in the future')
  // Negated, so that NaN is refused.
  if (!(ageSeconds <= toleranceSeconds)) refuse('too-old', 'ago')
}

/**
 * No signature covers these two headers, but subscribers route and deduplicate by them: they must match the signed values.
 * @param {WebhookEvent} delivered @param {string} id @param {(name: string) => string} header
 */
function checkUnsignedHeaders({ event }, id, header) {
  if (header(names.event) !== event)
    throw new WebhookVerificationError('bad-signature', `${names.event} does not match the event of the signed body.`)
  // A test delivery is not logged, hence it has no delivery id.
  if (event !== 'webhook.test' && header(names.delivery) !== id)
    throw new WebhookVerificationError('bad-signature', `${names.delivery} does not match the signed ${names.id}.`)
}

/** Undefined where the text is not JSON. @param {string} text */
function parseJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Accepts unknown event types: the service may be newer than this code. @param {any} value */
function isEvent(value) {
  const { event, workspaceId, createdAt, data } = Object(value)
  const isText = [event, workspaceId, createdAt].every((text) => typeof text === 'string')
  return isText && typeof data === 'object' && data !== null
}
