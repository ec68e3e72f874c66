/**
 * The one door for HTTP to addresses that clients name: webhooks, and assets given by URL. One request is one connection,
 * one deadline and one bounded answer. It follows no redirect, uses no proxy, decompresses nothing and never retries.
 */
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { EgressPolicy } from './address.ts'
import { type Dial, dialAny, openConnection, type Resolve, resolveName } from './connection.ts'
import { codeOf, EgressFailed } from './failures.ts'
import { checkUrl, hostOf } from './url.ts'

/** Node's own default, said here so that no flag of the process changes it. */
const headBytesMax = 16_384

/** Node bounds the head of each interim answer (RFC 9110, section 15.2), but not how many come. */
const interimMax = 32

/**
 * An answer may come in so many times as many bytes as it has: enough for chunks of a single byte. Node bounds what each chunk
 * says about itself, but not the sum: a gigabyte could come with 64 KB of body.
 */
const wireTimesMax = 8

export interface EgressRequest {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: Uint8Array
  /** For everything from the look-up of the name to the last byte of the answer. */
  deadlineMs: number
  /** How much of the answer's body is read. With 0 the answer is complete when its head is, and nothing of the body is waited for. */
  bytesMax: number
}

export interface EgressAnswer {
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
export interface EgressDoors {
  resolve?: Resolve
  connect?: Dial
}

/**
 * Sends one request and reads its answer, whatever its status.
 * Throws `AddressRefused` when the URL or any address behind it is not allowed, else `EgressFailed`.
 */
export async function send(
  request: EgressRequest,
  policy: EgressPolicy,
  { resolve = resolveName, connect = dialAny }: EgressDoors = {},
): Promise<EgressAnswer> {
  const url = checkUrl(request.url, policy)
  const over = new AbortController()
  const answered = openConnection(url, policy, { resolve, connect }, over.signal).then(async ({ stream, address }) => ({
    ...(await exchange(stream, url, request)),
    address,
  }))
  const late = Promise.withResolvers<never>()
  const deadline = setTimeout(
    () => late.reject(new EgressFailed('timeout', `There was no complete answer within ${request.deadlineMs} ms.`)),
    request.deadlineMs,
  )
  try {
    return await Promise.race([answered, late.promise])
  } finally {
    clearTimeout(deadline)
    // However it ended, the connection ends with it.
    over.abort()
  }
}

function exchange(stream: Socket, url: URL, request: EgressRequest): Promise<Omit<EgressAnswer, 'address'>> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(failureOf(error, hostOf(url)))
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
    if (request.body) outgoing.setHeader('content-length', request.body.byteLength)
    outgoing.on('error', fail)
    let interim = 0
    outgoing.on('information', () => {
      if (++interim > interimMax) reject(invalidAnswer(hostOf(url), 'too many interim answers'))
    })
    outgoing.once('upgrade', () => reject(invalidAnswer(hostOf(url), 'an unasked change of protocol')))
    // Reading begins in the same turn, so that no error of the answer comes before somebody listens.
    outgoing.once('response', (response) => void answerOf(response, stream, request.bytesMax).then(resolve, fail))
    outgoing.end(request.body)
  })
}

async function answerOf(
  response: IncomingMessage,
  stream: Socket,
  bytesMax: number,
): Promise<Omit<EgressAnswer, 'address'>> {
  const head = { status: response.statusCode ?? 0, headers: headersOf(response.rawHeaders) }
  if (bytesMax > 0) return { ...head, ...(await bodyOf(response, stream, bytesMax)) }
  // How the rest goes is nobody's business any more.
  response.on('error', () => {}).destroy()
  return { ...head, body: new Uint8Array(), truncated: true }
}

async function bodyOf(response: IncomingMessage, stream: Socket, bytesMax: number) {
  const chunks: Uint8Array[] = []
  const wireBytesMax = wireTimesMax * (headBytesMax + bytesMax)
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
  const code = codeOf(error)
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new EgressFailed('too-large', `The headers of ${host} are longer than ${headBytesMax} bytes.`, error)
  }
  // The errors of Node's HTTP parser.
  if (code.startsWith('HPE_')) return invalidAnswer(host, code, error)
  return new EgressFailed('connection', `The connection to ${host} broke off (${code}).`, error)
}

const invalidAnswer = (host: string, what: string, cause?: unknown) =>
  new EgressFailed('invalid-answer', `The answer of ${host} is not valid HTTP (${what}).`, cause)
