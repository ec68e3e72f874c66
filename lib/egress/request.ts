/**
 * The one door for HTTP to addresses that clients name: webhooks, and assets given by URL. One request is one connection,
 * one deadline and one bounded answer. It follows no redirect, uses no proxy, decompresses nothing and never retries.
 */
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { EgressPolicy } from './address-policy.ts'
import { type Dial, dialAny, openConnection, type Resolve, resolveName } from './connection.ts'
import { EgressFailed, errorCodeOf } from './failures.ts'
import { checkUrl, hostOf } from './url.ts'

/** Node's own default, said here so that no flag of the process changes it. */
const headBytesMax = 16_384

/** Node bounds the head of each interim answer (RFC 9110, section 15.2), but not how many come. */
const interimResponsesMax = 32

/**
 * An answer may come in so many times as many bytes as it has: enough for chunks of a single byte. Node bounds what each chunk
 * says about itself, but not the sum: a gigabyte could come with 64 KB of body.
 */
const wireOverheadFactorMax = 8

export interface EgressRequest {
  url: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers: Record<string, string>
  body?: Uint8Array | StreamedBody
  /** Called when the connection stands, before the first byte is written: what failed until then has reached nobody. */
  onConnected?: () => void
  /** For everything from the look-up of the name to the last byte of the answer. */
  deadlineMs: number
  /** Ends it sooner, with the reason of the signal. */
  signal?: AbortSignal
  /** How much of the answer's body is read. With 0 the answer is complete when its head is, and nothing of the body is waited for. */
  bytesMax: number
}

/** A body that is never held as a whole: read when the connection stands, at the pace of the other side. */
export interface StreamedBody {
  /** Exactly as many as `read` gives; with another number the request breaks off. */
  bytes: number
  read: () => AsyncIterable<Uint8Array>
}

export interface EgressResponse {
  status: number
  /** By lower-case name; repeated ones are joined by `, ` (RFC 9110, section 5.2). */
  headers: Record<string, string>
  body: Uint8Array
  /** The body was longer than `bytesMax`, or came in many times as many bytes: it is cut, and the rest was not read. */
  truncated: boolean
  /** The address that answered. */
  address: string
}

/** What tests put in the place of the network. */
export interface EgressDeps {
  resolve?: Resolve
  connect?: Dial
}

/**
 * Sends one request and reads its answer, whatever its status.
 * Throws `AddressRefused` when the URL or any address behind it is not allowed, `BodyFailed` when a streamed body cannot be read, else
 * `EgressFailed`.
 */
export async function sendRequest(
  request: EgressRequest,
  policy: EgressPolicy,
  { resolve = resolveName, connect = dialAny }: EgressDeps = {},
): Promise<EgressResponse> {
  const url = checkUrl(request.url, policy)
  const abort = new AbortController()
  const response = openConnection(url, policy, { resolve, connect }, abort.signal).then(
    async ({ stream, address }) => ({
      ...(await exchange(stream, url, request)),
      address,
    }),
  )
  const timeout = Promise.withResolvers<never>()
  const deadline = setTimeout(
    () => timeout.reject(new EgressFailed('timeout', `There was no complete answer within ${request.deadlineMs} ms.`)),
    request.deadlineMs,
  )
  const stop = () => timeout.reject(request.signal?.reason)
  if (request.signal?.aborted) stop()
  request.signal?.addEventListener('abort', stop)
  try {
    return await Promise.race([response, timeout.promise])
  } finally {
    clearTimeout(deadline)
    request.signal?.removeEventListener('abort', stop)
    // However it ended, the connection ends with it.
    abort.abort()
  }
}

function exchange(stream: Socket, url: URL, request: EgressRequest): Promise<Omit<EgressResponse, 'address'>> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(error instanceof BodyReadFailed ? error : failureOf(error, hostOf(url)))
    // With a connection of its own a request has no agent: nothing is kept alive, nothing is shared, no proxy is asked.
    const outgoing = httpRequest({
      createConnection: () => stream,
      method: request.method,
      path: url.pathname + url.search,
      // Without it, any encoding would be welcome (RFC 9110, section 12.5.3), and we decode none.
      headers: { 'accept-encoding': 'identity', ...request.headers },
      setHost: false,
      maxHeaderSize: headBytesMax,
    })
    outgoing.setHeader('host', url.host)
    if (request.body) outgoing.setHeader('content-length', lengthOf(request.body))
    outgoing.on('error', fail)
    let interim = 0
    outgoing.on('information', () => {
      if (++interim > interimResponsesMax) reject(invalidAnswer(hostOf(url), 'too many interim answers'))
    })
    outgoing.once('upgrade', () => reject(invalidAnswer(hostOf(url), 'an unasked change of protocol')))
    // Reading begins in the same turn, so that no error of the answer comes before somebody listens.
    let isAnswered = false
    outgoing.once('response', (response) => {
      isAnswered = true
      void readResponse(response, stream, request.bytesMax).then(resolve, fail)
    })
    request.onConnected?.()
    if (!request.body || request.body instanceof Uint8Array) outgoing.end(request.body)
    // An answer that comes before the end of the body counts, and what the body runs into from then on does not.
    else pipeline(Readable.from(withLengthCheck(request.body)), outgoing).catch((error) => isAnswered || fail(error))
  })
}

/** What was to be sent could not be read: neither the other side's fault nor that of the way to it. */
class BodyReadFailed extends Error {
  override name = 'BodyFailed'
}

const lengthOf = (body: Uint8Array | StreamedBody) => (body instanceof Uint8Array ? body.byteLength : body.bytes)

async function* withLengthCheck({ bytes, read }: StreamedBody): AsyncGenerator<Uint8Array> {
  let remaining = bytes
  try {
    for await (const chunk of read()) {
      remaining -= chunk.byteLength
      if (remaining < 0) break
      yield chunk
    }
  } catch (error) {
    throw new BodyReadFailed('The body of the request could not be read to its end.', { cause: error })
  }
  if (remaining !== 0)
    throw new BodyReadFailed(`The body of the request has not the ${bytes} bytes that were announced.`)
}

async function readResponse(
  response: IncomingMessage,
  stream: Socket,
  bytesMax: number,
): Promise<Omit<EgressResponse, 'address'>> {
  const head = { status: response.statusCode ?? 0, headers: headersOf(response.rawHeaders) }
  if (bytesMax > 0) return { ...head, ...(await readBody(response, stream, bytesMax)) }
  // How the rest goes is nobody's business any more.
  response.on('error', () => {}).destroy()
  return { ...head, body: new Uint8Array(), truncated: true }
}

async function readBody(response: IncomingMessage, stream: Socket, bytesMax: number) {
  const chunks: Uint8Array[] = []
  const wireBytesMax = wireOverheadFactorMax * (headBytesMax + bytesMax)
  let bytes = 0
  let truncated = false
  for await (const chunk of response) {
    chunks.push(chunk)
    bytes += chunk.length
    truncated = bytes > bytesMax || stream.bytesRead > wireBytesMax
    if (truncated) break
  }
  return { body: Buffer.concat(chunks).subarray(0, bytesMax), truncated }
}

// From the raw ones: `headersDistinct` throws at a header called __proto__ in Node 24.14.0 and before (CVE-2026-21710).
function headersOf(raw: readonly string[]): Record<string, string> {
  const headers = new Map<string, string>()
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index]!.toLowerCase()
    const before = headers.get(name)
    headers.set(name, before === undefined ? raw[index + 1]! : `${before}, ${raw[index + 1]}`)
  }
  return Object.fromEntries(headers)
}

function failureOf(error: unknown, host: string): EgressFailed {
  const code = errorCodeOf(error)
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new EgressFailed('too-large', `The headers of ${host} are longer than ${headBytesMax} bytes.`)
  }
  // Errors of Node's HTTP parser hold what came, as it came (`rawPacket`), and would carry it into a log: their code says enough.
  if (code.startsWith('HPE_')) return invalidAnswer(host, code)
  return new EgressFailed('connection', `The connection to ${host} broke off (${code}).`, error)
}

const invalidAnswer = (host: string, what: string) =>
  new EgressFailed('invalid-answer', `The answer of ${host} is not valid HTTP (${what}).`)
