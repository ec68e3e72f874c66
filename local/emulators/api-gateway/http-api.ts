// API Gateway (HTTP API) in front of the Lambda handlers: matches the route, builds the event, enforces the limits of the gateway and
// writes the response. It is independent of the service, and its own errors never contain a stack trace.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { listen, type RunningServer } from '../../listen.ts'
import type { Log } from '../../log.ts'
import { invokeLambda, type LambdaHandler } from '../lambda.ts'
import { requestTarget, toEvent } from './http-event.ts'
import { routeMatcher } from './http-routes.ts'

export interface HttpRoute {
  /** Method and path without the base path, as in the route table: `GET /videos/{id}`. */
  readonly signature: string
  readonly handler: LambdaHandler
}

interface HttpApiOptions {
  readonly port: number
  /** Prefix of every route, `/v1`. The fallback handles every other path. */
  readonly basePath: string
  readonly routes: readonly HttpRoute[]
  /** The `$default` route: every request that no route matches. */
  readonly fallback: LambdaHandler
  readonly log: Log
  /** Handles requests that are not of the gateway, and returns whether it does. */
  readonly pages?: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Runs a request when its client, the headers that identify it, may run one; its body is read after that. Default: at once. Rejects with `TooManyCalls` to refuse it. */
  readonly schedule?: <Result>(client: string, run: () => Promise<Result>) => Promise<Result>
  /** Default: the limit of the gateway. Tests shorten it. */
  readonly timeoutMs?: number
}

// https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
const REQUEST_BYTES_MAX = 10 * 1024 * 1024
const TIMEOUT_MS = 30_000
// https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html: synchronous, each way.
const LAMBDA_BYTES_MAX = 6 * 1024 * 1024
// JSON turns a byte into at most six (`\u0000`): what is shorter, with its headers, needs no measurement.
const UNMEASURED_BYTES_MAX = LAMBDA_BYTES_MAX / 8

// Longer than the idle timeout of common clients, so that the server never closes a connection that a client is about to reuse.
const KEEP_ALIVE_MS = 75_000
const STOP_GRACE_MS = 2_000

/** Serves the routes on 127.0.0.1. On stop, requests in flight have 2 seconds to finish. */
export function startHttpApi(options: HttpApiOptions): Promise<RunningServer> {
  const match = routeMatcher(options.routes.map((route) => toRoute(route, options.basePath)))
  const fallback = { signature: '$default', handler: options.fallback }

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const method = request.method ?? 'GET'
    const body = await readBody(request)
    if (body === undefined) return refuse(response, 413, 'Request Entity Too Large', { connection: 'close' })

    const { rawPath } = requestTarget(request)
    // A path that cannot be decoded names no route.
    const { route, parameters } = (isPercentEncoded(rawPath) && match(method, rawPath)) || {
      route: fallback,
      parameters: {},
    }
    const event = toEvent(request, body, { routeKey: route.signature, parameters })
    if (body.length > UNMEASURED_BYTES_MAX && jsonBytes(event) > LAMBDA_BYTES_MAX)
      return refuse(response, 413, 'Request Entity Too Large')

    response.setHeader('apigw-requestid', event.requestContext.requestId)
    try {
      const limits = { name: route.signature, timeoutMs: options.timeoutMs ?? TIMEOUT_MS }
      write(response, structured(await invokeLambda(route.handler, event, limits)))
    } catch (error) {
      const name = route === fallback ? `${method} ${route.signature}` : route.signature
      options.log(`${name} failed (request ${event.requestContext.requestId})`, error)
      if (error instanceof Error && error.name === 'Sandbox.Timedout') refuse(response, 503, 'Service Unavailable')
      else refuse(response, 500, 'Internal Server Error')
    }
  }

  const { schedule = (_client, run) => run() } = options
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    if (options.pages?.(request, response)) return
    schedule(clientOf(request), () => respond(request, response)).catch((error) => {
      // As the gateway does above its rate limits.
      if (error instanceof Error && error.name === 'TooManyCalls') {
        request.resume()
        return refuse(response, 429, 'Too Many Requests', { 'retry-after': '1' })
      }
      // Only a client that disconnects during its request gets here. A query may hold a key.
      options.log(`${request.method} ${requestTarget(request).rawPath} was aborted by the client`, error)
      response.destroy()
    })
  })
  return listen(server, options.port, STOP_GRACE_MS)
}

/** The key, of the header or the URL, and for the key of an organization the workspace that it acts for. */
const clientOf = (request: IncomingMessage) =>
  `${request.headers.authorization ?? requestTarget(request).rawQueryString} ${String(request.headers['x-service-workspace'] ?? '')}`

/** No route of the gateway ends in a slash: the root of the API is the base path itself. */
function toRoute({ signature, handler }: HttpRoute, basePath: string) {
  const [method = '', path = ''] = signature.split(' ')
  const whole = path === '/' ? basePath : basePath + path
  return { method, path: whole, signature: `${method} ${whole}`, handler }
}

/** The body, or undefined if it exceeds the limit of the gateway; the rest is then read and discarded. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= REQUEST_BYTES_MAX) chunks.push(chunk)
    else chunks.length = 0
  }
  return bytes <= REQUEST_BYTES_MAX ? Buffer.concat(chunks) : undefined
}

function isPercentEncoded(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** A result without a `statusCode` is the JSON body of a 200. */
function structured(result: unknown): APIGatewayProxyStructuredResultV2 {
  const reply = result as APIGatewayProxyStructuredResultV2 | null
  const isLarge = (reply?.body?.length ?? Number.POSITIVE_INFINITY) > UNMEASURED_BYTES_MAX
  if (isLarge && jsonBytes(result) > LAMBDA_BYTES_MAX)
    throw new Error('the response is larger than 6 MB, the limit of Lambda')
  if (typeof reply === 'object' && reply?.statusCode !== undefined) return reply
  return { statusCode: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(result) }
}

function write(response: ServerResponse, reply: APIGatewayProxyStructuredResultV2): void {
  const status = reply.statusCode ?? 200
  if (!Number.isInteger(status) || status < 200 || status > 599) throw new Error(`${status} is not a response status`)
  const body = Buffer.from(reply.body ?? '', reply.isBase64Encoded ? 'base64' : 'utf8')
  if (body.length > 0) response.setHeader('content-type', 'text/plain; charset=utf-8')
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, String(value))
  if (reply.cookies?.length) response.setHeader('set-cookie', reply.cookies)
  response.statusCode = status
  response.end(body)
}

function refuse(response: ServerResponse, status: number, message: string, headers: Record<string, string> = {}): void {
  for (const name of response.getHeaderNames()) if (name !== 'apigw-requestid') response.removeHeader(name)
  response.writeHead(status, { ...headers, 'content-type': 'application/json' })
  response.end(JSON.stringify({ message }))
}
