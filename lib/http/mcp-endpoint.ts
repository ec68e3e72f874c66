/**
 * The adapter between HTTP and the MCP server: authentication, request limits, and the requests that tools make. A tool runs the handler
 * of its route with the caller's own credentials, so that nothing about it is implemented twice. The URL may hold a key: it is never
 * logged or passed on.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import middy from '@middy/core'
import type { Context } from 'aws-lambda'
import { now } from '../clock.ts'
import { nestingDepthMax } from '../contract/parse-request.ts'
import { basePath } from '../contract/route.ts'
import { nestingDepth } from '../contract/schemas.ts'
import { Refusal } from '../domain/core/refusal.ts'
import { env } from '../env.ts'
import { log } from '../log.ts'
import type { ToolDeps } from '../mcp/call-tool.ts'
import { handleMcp } from '../mcp/handler.ts'
import { instructions, productTools } from '../mcp/product-tools.ts'
import type { CallRoute, RouteRequest } from '../mcp/route-request.ts'
import { createServer } from '../mcp/server.ts'
import { selectTools } from '../mcp/tool-list.ts'
import { getWorkspace } from '../store/workspaces.ts'
import { withWaitPermit } from '../use-cases/sync-jobs/wait-permit.ts'
import { authenticate, type Caller } from './authenticate.ts'
import { type HttpEvent, type HttpHandler, type HttpResult, responseMiddleware, withRequestLog } from './endpoint.ts'
import { countRequest, rateLimitHeadersOf } from './rate-limit.ts'

/** The path under the base URL. */
const mcpPath = '/mcp'

/** Loads the handler of a route by its file under `functions/api`. */
export type LoadHandlers = Readonly<Record<string, () => Promise<{ handler: HttpHandler }>>>

interface Call extends Context {
  /** As the function got it: each route adds its own state. */
  given: Context
  caller: Caller
  /** By a route, or as a read. */
  isCounted: boolean
  /** A fault of the service, not a refusal. */
  hasFailed: boolean
  rateLimitHeaders: Record<string, string> | undefined
}

type Middleware = middy.MiddlewareObj<HttpEvent, HttpResult, Error, Call>

/** `version` is that of the service. The conformance suite replaces `create` to add the tools that it calls. */
export function mcpEndpoint(handlers: LoadHandlers, version: string, create = createServer): HttpHandler {
  const chain = middy<HttpEvent, HttpResult, Error, Call>()
    .use(responseMiddleware<Call>(`POST ${mcpPath}`))
    .use(limitMiddleware)
    .handler(async (event, call) => {
      const connection = connectionOf(event)
      call.caller = await authenticate(connection.credentials)
      if (hasForeignOrigin(event)) return foreignOrigin
      const { method } = event.requestContext.http
      if (method !== 'POST')
        throw new Refusal('method-not-allowed', `${mcpPath} does not take ${method}. Allowed: POST.`, {
          headers: { Allow: 'POST' },
        })
      const tools = selectTools(connection.options)
      const text = event.isBase64Encoded ? Buffer.from(event.body ?? '', 'base64').toString() : (event.body ?? '')
      const body = parsed(text)
      const { workspaceId, keyId } = call.caller
      const deps: Omit<ToolDeps, 'tools'> = {
        callRoute: routeCaller(event, call, connection, handlers),
        loadSecret: async () => (await getWorkspace(workspaceId)).mediaSecret,
        withWaitPermit: (work) => withWaitPermit(workspaceId, ({ tryAcquire }) => work(tryAcquire)),
        waitSecondsMax: env.waitSecondsMax(),
        caller: `${workspaceId}/${keyId}`,
        requestId: event.requestContext.requestId,
        now: () => Date.parse(now()),
        sleep: (milliseconds) => delay(milliseconds),
        mintKey: randomUUID,
      }
      const provider = productTools(tools, deps)
      const onFault = (error: unknown) => {
        call.hasFailed = true
        log.error('fault', { route: `POST ${mcpPath}`, error })
      }
      const description = { version, instructions, onFault }
      const response = await handleMcp(protocolRequest(event, text), body, (isModern) =>
        create(provider, description, isModern),
      )
      return resultOf(response, call)
    })
  const start = chain as unknown as HttpHandler
  return withRequestLog((event, given) => start(event, { ...given, given } as Context))
}

interface Connection {
  /** The headers that identify the caller. */
  credentials: Record<string, string | undefined>
  /** The rest of the query. */
  options: Record<string, string | undefined>
}

/**
 * A connection is identified by its headers, or by `key` and `workspaceId` of its URL where the client cannot send headers.
 * The header counts where both are sent; two workspaces that differ are refused.
 */
function connectionOf({ headers, queryStringParameters = {} }: HttpEvent): Connection {
  const { key, workspaceId, ...options } = queryStringParameters
  const authorization = headers.authorization ?? (key === undefined ? undefined : `Bearer ${key}`)
  const inHeader = headers['x-service-workspace']
  // No workspace has this id, so that authentication refuses it like any other that is not the caller's.
  const workspace = inHeader !== undefined && workspaceId !== undefined && inHeader !== workspaceId ? '-' : inHeader
  return { credentials: { authorization, 'x-service-workspace': workspace ?? workspaceId }, options }
}

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * A page of another site must not reach the service through a browser. On this machine also under another name of it (DNS
 * rebinding): a request from the machine itself must name it.
 */
function hasForeignOrigin({ headers, requestContext }: HttpEvent): boolean {
  const host = hostnameOf(`http://${headers.host ?? requestContext.domainName}`)
  const origin = headers.origin === undefined ? host : hostnameOf(headers.origin)
  const isLocal = ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(requestContext.http.sourceIp)
  const isLoopback = (name: string | undefined) => name !== undefined && loopbackNames.has(name)
  return isLocal ? !isLoopback(host) || !isLoopback(origin) : origin !== host
}

/** The specification asks for this status, which no refusal of the API has. */
const foreignOrigin: HttpResult = {
  statusCode: 403,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: null,
    error: { code: -32_000, message: 'The headers Host and Origin must name this server.' },
  }),
}

function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined
}

/**
 * The body as JSON; undefined where it is not, which the protocol answers itself.
 * @throws Refusal `invalid-request` for one that is nested more deeply than any body of a route.
 */
function parsed(text: string): unknown {
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch {
    return undefined
  }
  if (nestingDepth(message, nestingDepthMax) > nestingDepthMax)
    throw new Refusal('invalid-request', `The message must be nested at most ${nestingDepthMax} levels deep.`)
  return message
}

/**
 * Routes count their own requests. A message that ran none, refusals included, is a read: it is counted after it, when this is
 * known, and costs nothing before.
 */
const limitMiddleware: Middleware = {
  after: async ({ context }) => {
    const refusal = countUncounted(context)
    if (refusal) throw refusal
    await addLimitHeaders(context)
  },
  onError: async (request) => {
    const { context } = request
    if (!context.caller) return
    request.error = countUncounted(context) ?? request.error
    await addLimitHeaders(context)
  },
}

function countUncounted(call: Call): Refusal | undefined {
  if (call.isCounted) return undefined
  call.isCounted = true
  return countRequest(call.caller.workspaceId, ['reads'], Date.parse(now()))
}

async function addLimitHeaders(call: Call): Promise<void> {
  call.rateLimitHeaders ??= await rateLimitHeadersOf(call.caller.workspaceId, ['reads'], Date.parse(now()))
}

/** Makes requests to routes as the gateway would, with the credentials of the connection. */
const routeCaller =
  (event: HttpEvent, call: Call, { credentials }: Connection, handlers: LoadHandlers): CallRoute =>
  async (request) => {
    const load = handlers[request.handler]
    if (!load) throw new Error(`The MCP function does not have the route ${request.handler}.`)
    const { handler } = await load()
    const context = { ...call.given, getRemainingTimeInMillis: () => call.given.getRemainingTimeInMillis() }
    call.isCounted = true
    const { statusCode = 200, headers = {}, body = '{}' } = await handler(toEvent(event, credentials, request), context)
    // A 503 asks for a retry.
    if (statusCode >= 500 && statusCode !== 503) call.hasFailed = true
    const texts = Object.entries(headers).map(([name, value]) => [name, String(value)] as const)
    call.rateLimitHeaders = Object.fromEntries(texts.filter(([name]) => name.startsWith('RateLimit')))
    const lower = texts.map(([name, value]) => [name.toLowerCase(), value] as const)
    return { status: statusCode, headers: Object.fromEntries(lower), body: JSON.parse(body) }
  }

/** The event of API Gateway for the request of a tool. */
function toEvent(
  event: HttpEvent,
  credentials: Connection['credentials'],
  { method, path, params, query, body, headers }: RouteRequest,
): HttpEvent {
  const rawPath = (
    basePath + path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  ).replace(/\/$/, '')
  const routeKey = `${method} ${(basePath + path).replace(/\/$/, '')}`
  const { host, 'x-forwarded-proto': scheme } = event.headers
  const sent = { host, 'x-forwarded-proto': scheme, ...credentials, ...headers, 'content-type': 'application/json' }
  const given = Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const { requestContext } = event
  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString: new URLSearchParams(query).toString(),
    headers: Object.fromEntries(given),
    queryStringParameters: query,
    pathParameters: params,
    requestContext: { ...requestContext, routeKey, http: { ...requestContext.http, method, path: rawPath } },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    isBase64Encoded: false,
  }
}

/** The request as far as the protocol reads it: no query and no credentials. A header of other characters than Latin-1 is no header. */
function protocolRequest({ headers }: HttpEvent, body: string): Request {
  const isRead = (entry: [string, string | undefined]): entry is [string, string] =>
    /^(accept|content-type|mcp-.+)$/.test(entry[0]) && /^[\t\x20-\xff]*$/.test(entry[1] ?? '\n')
  return new Request(`http://localhost${basePath}${mcpPath}`, {
    method: 'POST',
    headers: Object.entries(headers).filter(isRead),
    body,
  })
}

/** A fault has a status of its own, whatever the message says: the alarm counts statuses. */
async function resultOf(response: Response, { hasFailed }: Call): Promise<HttpResult> {
  const type = response.headers.get('content-type')
  return {
    statusCode: hasFailed ? 500 : response.status,
    ...(type && { headers: { 'Content-Type': type } }),
    body: await response.text(),
  }
}
