/**
 * The only HTTP client for URLs that clients name: webhook endpoints and assets given by URL; platforms and providers
 * use it as well. One request has one connection, one deadline and one bounded response. No redirects, no proxy, no
 * decompression, no retries.
 */
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { checkUrl, type EgressPolicy, hostOf } from './address-policy.ts'
import { type Dial, dialAny, openConnection, type Resolve, resolveName } from './connection.ts'
import { EgressFailed, errorCodeOf } from './failures.ts'

/** Node's default, set here so that no process flag changes it. */
const headBytesMax = 16_384

/** Node limits the size of each interim response (RFC 9110, section 15.2), but not their number. */
const interimResponsesMax = 32

/**
 * Limit of bytes on the wire per byte of response: enough for chunks of a single byte. Node limits the extensions of
 * each chunk, but not their sum: a gigabyte could arrive with 64 KB of body.
 */
const wireOverheadFactorMax = 8

export interface EgressRequest {
  url: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers: Record<string, string>
  body?: Uint8Array | StreamedBody
  /**
   * Called when the connection is open, before the first byte is sent: a failure before this call reached no receiver.
   */
  onConnected?: () => void
  /** From the DNS lookup to the last byte of the response. */
  deadlineMs: number
  /** Aborts the request with the reason of the signal. */
  signal?: AbortSignal
  /** How much of the response body is read. With 0 the response is complete with its headers. */
  bytesMax: number
}

/** A streamed body: read once the connection is open, with backpressure. */
interface StreamedBody {
  /** Must equal what `read` yields, or the request fails. */
  bytes: number
  read: () => AsyncIterable<Uint8Array>
}

export interface EgressResponse {
  status: number
  /** By lower-case name; repeated ones are joined with `, ` (RFC 9110, section 5.2). */
  headers: Record<string, string>
  body: Uint8Array
  /** Whether the body exceeded `bytesMax` or the limit of bytes on the wire: it is cut, and the rest was not read. */
  truncated: boolean
  /** The remote IP address. */
  address: string
}

/** The network; tests replace it. */
export interface EgressDeps {
  resolve?: Resolve
  connect?: Dial
}

/**
 * Sends one request and reads its response, whatever the status. Throws `AddressRefused` when the URL or a resolved
 * address is not allowed, `BodyReadFailed` when a streamed body cannot be read, else `EgressFailed`.
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
    () => timeout.reject(new EgressFailed('timeout', `No complete response within ${request.deadlineMs} ms.`)),
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
    // Closes the connection in every case.
    abort.abort()
  }
}

function exchange(stream: Socket, url: URL, request: EgressRequest): Promise<Omit<EgressResponse, 'address'>> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(error instanceof BodyReadFailed ? error : failureOf(error, hostOf(url)))
    // `createConnection` bypasses the agent: no keep-alive, no sharing, no proxy.
    const outgoing = httpRequest({
      createConnection: () => stream,
      method: request.method,
      path: url.pathname + url.search,
      // Without it, any encoding would be acceptable (RFC 9110, section 12.5.3), and none is decoded here.
      headers: { 'accept-encoding': 'identity', ...request.headers },
      setHost: false,
      maxHeaderSize: headBytesMax,
    })
    outgoing.setHeader('host', url.host)
    if (request.body) outgoing.setHeader('content-length', lengthOf(request.body))
    outgoing.on('error', fail)
    let interim = 0
    outgoing.on('information', () => {
      if (++interim > interimResponsesMax) reject(invalidResponse(hostOf(url), 'too many interim responses'))
    })
    outgoing.once('upgrade', () => reject(invalidResponse(hostOf(url), 'unsolicited protocol upgrade')))
    // Reading starts in the same tick, so that a handler exists before the response can fail.
    let hasResponse = false
    outgoing.once('response', (response) => {
      hasResponse = true
      void readResponse(response, stream, request.bytesMax).then(resolve, fail)
    })
    request.onConnected?.()
    if (!request.body || request.body instanceof Uint8Array) outgoing.end(request.body)
    // A response that arrives before the end of the body counts; later errors of the body are ignored.
    else pipeline(Readable.from(withLengthCheck(request.body)), outgoing).catch((error) => hasResponse || fail(error))
  })
}

/** The body to send could not be read: a fault of neither the receiver nor the network. */
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
    throw new BodyReadFailed('The request body could not be read completely.', { cause: error })
  }
  if (remaining !== 0) throw new BodyReadFailed(`The request body does not have the declared length of ${bytes} bytes.`)
}

async function readResponse(
  response: IncomingMessage,
  stream: Socket,
  bytesMax: number,
): Promise<Omit<EgressResponse, 'address'>> {
  const head = { status: response.statusCode ?? 0, headers: headersOf(response.rawHeaders) }
  if (bytesMax > 0) return { ...head, ...(await readBody(response, stream, bytesMax)) }
  // Errors of the unread rest are ignored.
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

// From the raw headers: `headersDistinct` throws on a header named __proto__ in Node 24.14.0 and earlier
// (CVE-2026-21710).
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
    return new EgressFailed('too-large', `The response headers of ${host} are longer than ${headBytesMax / 1024} KB.`)
  }
  // Errors of Node's HTTP parser hold the raw response (`rawPacket`), which must not be logged: the code is enough.
  if (code.startsWith('HPE_')) return invalidResponse(host, code)
  return new EgressFailed('connection', `The connection to ${host} broke off (${code}).`, error)
}

const invalidResponse = (host: string, what: string) =>
  new EgressFailed('invalid-answer', `The response of ${host} is not valid HTTP (${what}).`)
