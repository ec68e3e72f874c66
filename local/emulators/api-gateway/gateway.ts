// Handles one request: matches the route, builds the event, enforces the limits of the gateway and of Lambda, and invokes the handler. It is
// independent of the service, and its own errors never contain a stack trace. Requests and replies are plain data, which another thread may
// handle.

import { validateHeaderName, validateHeaderValue } from 'node:http'
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import type { Log } from '../../log.ts'
import { invokeLambda, type LambdaHandler } from '../lambda.ts'
import { type ReceivedRequest, requestTarget, toEvent } from './http-event.ts'
import { routeMatcher } from './http-routes.ts'

export interface HttpRoute {
  /** Method and path without the base path, as in the route table: `GET /videos/{id}`. */
  readonly signature: string
  readonly handler: LambdaHandler
  /** Takes requests without a key. */
  readonly isPublic?: true
}

export interface GatewayOptions {
  /** Prefix of every route, `/v1`. The fallback handles every other path. */
  readonly basePath: string
  readonly routes: readonly HttpRoute[]
  /** The `$default` route: every request that no route matches. */
  readonly fallback: LambdaHandler
  readonly log: Log
  /** Default: the limit of the gateway. Tests shorten it. */
  readonly timeoutMs?: number
}

export interface GatewayReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: Uint8Array
  /** A handler that requires a key has accepted the request. */
  readonly isAuthenticated?: true
}

/** Never rejects: what fails is a reply. */
export type Gateway = (request: ReceivedRequest, body: Uint8Array<ArrayBuffer>) => Promise<GatewayReply>

const TIMEOUT_MS = 30_000
// https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html: synchronous, each way.
const LAMBDA_BYTES_MAX = 6 * 1024 * 1024
// JSON turns a byte into at most six (`\u0000`): what is shorter, with its headers, needs no measurement.
const UNMEASURED_BYTES_MAX = LAMBDA_BYTES_MAX / 8

export function createGateway({ basePath, routes, fallback, log, timeoutMs = TIMEOUT_MS }: GatewayOptions): Gateway {
  const match = routeMatcher(routes.map((route) => toRoute(route, basePath)))
  const otherwise: HttpRoute = { signature: '$default', handler: fallback }

  return async (request, body) => {
    const { method } = request
    const { rawPath } = requestTarget(request)
    // A path that cannot be decoded names no route.
    const { route, parameters } = (isPercentEncoded(rawPath) && match(method, rawPath)) || {
      route: otherwise,
      parameters: {},
    }
    const event = toEvent(request, Buffer.from(body.buffer, body.byteOffset, body.byteLength), {
      routeKey: route.signature,
      parameters,
    })
    if (body.length > UNMEASURED_BYTES_MAX && jsonBytes(event) > LAMBDA_BYTES_MAX) return tooLarge()

    const { requestId } = event.requestContext
    const identified = (reply: GatewayReply): GatewayReply => ({
      ...reply,
      headers: { 'apigw-requestid': requestId, ...reply.headers },
    })
    try {
      const reply = toReply(await invokeLambda(route.handler, event, { name: route.signature, timeoutMs }))
      const isAccepted = reply.status < 300 && !route.isPublic
      return identified({ ...reply, ...(isAccepted && { isAuthenticated: true }) })
    } catch (error) {
      const name = route === otherwise ? `${method} ${route.signature}` : route.signature
      log(`${name} failed (request ${requestId})`, error)
      if (error instanceof Error && error.name === 'Sandbox.Timedout')
        return identified(refusal(503, 'Service Unavailable'))
      return identified(refusal(500, 'Internal Server Error'))
    }
  }
}

/** A reply of the gateway itself. */
export const refusal = (status: number, message: string, headers: Record<string, string> = {}): GatewayReply => ({
  status,
  headers: { ...headers, 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ message })),
})

export const tooLarge = (headers?: Record<string, string>): GatewayReply =>
  refusal(413, 'Request Entity Too Large', headers)

/** No route of the gateway ends in a slash: the root of the API is the base path itself. */
function toRoute({ signature, ...route }: HttpRoute, basePath: string) {
  const [method = '', path = ''] = signature.split(' ')
  const whole = path === '/' ? basePath : basePath + path
  return { ...route, method, path: whole, signature: `${method} ${whole}` }
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

/** Throws where the result is no response. */
function toReply(result: unknown): GatewayReply {
  const reply = structured(result)
  const status = reply.statusCode ?? 200
  if (!Number.isInteger(status) || status < 200 || status > 599) throw new Error(`${status} is not a response status`)
  const body = Buffer.from(reply.body ?? '', reply.isBase64Encoded ? 'base64' : 'utf8')
  const headers: Record<string, string | string[]> = {}
  if (body.length > 0) headers['content-type'] = 'text/plain; charset=utf-8'
  for (const [name, value] of Object.entries(reply.headers ?? {})) headers[name.toLowerCase()] = String(value)
  if (reply.cookies?.length) headers['set-cookie'] = reply.cookies
  for (const [name, value] of Object.entries(headers)) {
    validateHeaderName(name)
    for (const one of [value].flat()) validateHeaderValue(name, one)
  }
  return { status, headers, body }
}
