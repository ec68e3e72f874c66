/**
 * The one adapter between HTTP and the handlers: request id, authentication before anything else, idempotent replay,
 * parsing, the envelope, errors. A handler loads, decides and commits; it never sees a status, a header or an event.
 */
import middy from '@middy/core'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import { retry } from '../async.ts'
import { now } from '../clock.ts'
import { toErrorResponse } from '../contract/errors.ts'
import { basePath } from '../contract/match-path.ts'
import type { RawRequest } from '../contract/parse-request.ts'
import { parseRequest } from '../contract/parse-request.ts'
import type { BodyOf, ParamsOf, QueryOf, ReplyOf, Route } from '../contract/route.ts'
import { Superseded } from '../domain/core/failures.ts'
import { Refusal } from '../domain/core/refusal.ts'
import type { Decision } from '../domain/records/decision.ts'
import type { IdempotentRequest } from '../domain/records/sync-job.ts'
import { log, withLogFields } from '../log.ts'
import { commit, IdempotencyKeyUsed } from '../store/core/commit.ts'
import { conflictAttemptsMax, conflictBackoff } from '../store/core/conflict-retry.ts'
import { WriteConflict } from '../store/core/write-conflict.ts'
import type { IdempotencyScope } from '../store/idempotency.ts'
import { bodyHash, replaceStoredResponse } from '../store/idempotency.ts'
import type { Caller } from './authenticate.ts'
import { authenticate } from './authenticate.ts'
import type { StoredResponse } from './idempotent-replay.ts'
import { findReplay, idempotencyKey } from './idempotent-replay.ts'
import { preferredWaitSeconds } from './prefer-header.ts'

export interface EndpointRequest<Row extends Route> {
  params: ParamsOf<Row>
  query: QueryOf<Row>
  body: BodyOf<Row>
  workspaceId: string
  /** The time at which this request is decided. */
  now: string
  /** Where the answer has to be kept that a retry gets, for an action that is settled later; null without a key. */
  answerScope: IdempotentRequest | null
  /** How long the answer may wait for what was begun. */
  waitSeconds: number
  /** Where the client found this API, without a slash at the end. */
  baseUrl: string
  /** Writes a decision together with the answer that a retry will get, and gives that answer back. */
  commit: (decision: Decision, reply: ReplyOf<Row>) => Promise<ReplyOf<Row>>
  /** Takes a newer answer in the place of the committed one, for this request and for its retries. */
  replaceReply: (reply: ReplyOf<Row>) => Promise<ReplyOf<Row>>
}

/** What the middlewares learn about a call. */
interface Call extends Context {
  caller: Caller
  scope: IdempotencyScope | undefined
  waitSeconds: number
  /** The parts of the request as text. */
  raw: RawRequest
  /** The answer that was given for this idempotency key before. */
  replay: StoredResponse | undefined
}

export type HttpEvent = APIGatewayProxyEventV2
export type HttpResult = APIGatewayProxyStructuredResultV2
type Middleware = middy.MiddlewareObj<HttpEvent, HttpResult, Error, Call>

const headersOf = (event: HttpEvent) => event.headers as Record<string, string | undefined>

/** The gateway tells by which name it was asked, and puts the scheme in front of it; the local run has none but http. */
const baseUrlOf = (event: HttpEvent) =>
  `${headersOf(event)['x-forwarded-proto'] ?? 'http'}://${event.requestContext.domainName}${basePath}`

/** What Lambda calls: what a call learns on its way is nobody's business outside. */
export type HttpHandler = (event: HttpEvent, context: Context) => Promise<HttpResult>

/** The Lambda handler of a row. `offeredBody` is its body where that depends on what the deployment offers at the moment. */
export function endpoint<const Row extends Route>(
  row: Row,
  run: (request: EndpointRequest<Row>) => Promise<ReplyOf<Row>>,
  currentBodySchema?: () => Promise<NonNullable<Row['body']>>,
): HttpHandler {
  const chain = middy<HttpEvent, HttpResult, Error, Call>()
    .use(responseMiddleware(row.signature))
    .use(authenticationMiddleware)
    .use(replayMiddleware(row))
    .handler(async (event, call) => {
      if (call.replay) return toHttpResult(call.replay)
      const input = parseRequest(currentBodySchema ? { ...row, body: await currentBodySchema() } : row, call.raw)
      return toHttpResult(
        await runWithConflictRetry(row, call, (doors, at) =>
          run({
            params: input.params as ParamsOf<Row>,
            query: input.query as QueryOf<Row>,
            body: input.body as BodyOf<Row>,
            workspaceId: call.caller.workspaceId,
            now: at,
            waitSeconds: call.waitSeconds,
            baseUrl: baseUrlOf(event),
            answerScope: answerScopeOf(call),
            ...doors,
          }),
        ),
      )
    })
  return withRequestLog(chain as unknown as HttpHandler)
}

/** By its id all lines of a request are found; the last one says who asked. */
const withRequestLog =
  (handler: HttpHandler): HttpHandler =>
  (event, context) =>
    withLogFields({ requestId: event.requestContext.requestId }, () => handler(event, context))

/** The `$default` route: a 401 without a key, like every path, then whatever `refuse` throws. */
export function defaultEndpoint(refuse: (method: string, path: string) => Refusal): HttpHandler {
  const chain = middy<HttpEvent, HttpResult, Error, Call>()
    .use(responseMiddleware('$default'))
    .use(authenticationMiddleware)
    .handler(async (event) => {
      throw refuse(event.requestContext.http.method, event.rawPath)
    })
  return withRequestLog(chain as unknown as HttpHandler)
}

/** Puts the request id on every answer, turns what was thrown into the error envelope and writes the line of the request. */
export function responseMiddleware(signature: string, refused = refusalResult): Middleware {
  const finish = (event: HttpEvent, call: Call, result: HttpResult) => {
    const { requestId, timeEpoch } = event.requestContext
    log.info('request', {
      route: signature,
      status: result.statusCode,
      requestId,
      workspaceId: call.caller?.workspaceId,
      keyId: call.caller?.keyId,
      milliseconds: Date.now() - timeEpoch,
    })
    return { ...result, headers: { ...result.headers, 'X-Request-Id': requestId } }
  }
  return {
    after: (request) => {
      request.response = finish(request.event, request.context, request.response!)
    },
    onError: (request) => {
      const { requestId } = request.event.requestContext
      const result = refused(request.error, requestId)
      if (result.statusCode! >= 500) log.error('fault', { route: signature, requestId, error: request.error })
      request.response = finish(request.event, request.context, result)
    },
  }
}

function refusalResult(error: unknown, requestId: string): HttpResult {
  const { status, headers, body } = toErrorResponse(error, requestId)
  return toHttpResult({ status, headers, body: JSON.stringify(body) })
}

const authenticationMiddleware: Middleware = {
  before: async ({ event, context }) => {
    context.caller = await authenticate(headersOf(event))
  },
}

/** Reads what came, and the answer to replay where this key was answered before. */
function replayMiddleware(row: Route): Middleware {
  return {
    before: async ({ event, context }) => {
      const body = event.body ?? ''
      context.raw = {
        params: event.pathParameters ?? {},
        query: event.queryStringParameters ?? {},
        body: event.isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body,
      }
      context.waitSeconds = preferredWaitSeconds(headersOf(event), row.waitSeconds ?? 0)
      const key = row.idempotent ? idempotencyKey(headersOf(event)) : undefined
      if (key === undefined) return
      const { method } = event.requestContext.http
      context.scope = { workspaceId: context.caller.workspaceId, method, path: event.rawPath, key }
      context.replay = await findReplay(context.scope, context.raw.body, now())
    },
  }
}

function answerScopeOf({ scope, raw }: Call): IdempotentRequest | null {
  if (!scope) return null
  const { method, path, key } = scope
  return { method, path, key, bodyHash: bodyHash(raw.body) }
}

type CommitDeps<Row extends Route> = Pick<EndpointRequest<Row>, 'commit' | 'replaceReply'>

/** Runs the handler; where its decision lost a race it loads and decides again. */
async function runWithConflictRetry<Row extends Route>(
  row: Row,
  { scope, raw }: Call,
  run: (doors: CommitDeps<Row>, at: string) => Promise<ReplyOf<Row>>,
): Promise<StoredResponse> {
  const status = row.status ?? 200
  const answerOf = (reply: unknown): StoredResponse => ({ status, headers: {}, body: envelope(row, reply) })
  const attempt = async (): Promise<StoredResponse> => {
    const at = now()
    try {
      const commitReply = async (decision: Decision, reply: ReplyOf<Row>) => {
        const { body } = answerOf(reply)
        await commit(decision, scope && { ...scope, bodyHash: bodyHash(raw.body), status, body, at })
        return reply
      }
      const replaceReply = async (reply: ReplyOf<Row>) => {
        if (scope) await replaceStoredResponse(scope, answerOf(reply).body)
        return reply
      }
      return answerOf(await run({ commit: commitReply, replaceReply }, at))
    } catch (error) {
      if (!isConflict(error) && !(error instanceof Refusal)) throw error
      // A twin of this request may have been first: its answer holds, also where what it did makes us refuse.
      const replay = scope && (await findReplay(scope, raw.body, at))
      if (replay) return replay
      throw error
    }
  }
  return retry(attempt, { ...conflictBackoff(conflictAttemptsMax), isRetryable: isConflict }).catch((error) => {
    if (!isConflict(error)) throw error
    throw new Refusal('unavailable', 'This record is being changed by many requests at once. Try again.', {
      headers: { 'Retry-After': '1' },
    })
  })
}

/** `Superseded`: the video was deleted while the handler worked on it; the next attempt responds with 404. */
const isConflict = (error: unknown) =>
  error instanceof WriteConflict || error instanceof IdempotencyKeyUsed || error instanceof Superseded

/** A function answers with at most 6 MB, as a JSON string: what is longer would be a fault on its way out. */
const responseBytesMax = 6_000_000
/** Escaping may at most make six characters of one. */
const uncheckedLengthMax = responseBytesMax / 6

function envelope(row: Route, reply: unknown): string {
  const body = JSON.stringify(row.paged ? reply : { data: reply })
  if (body.length > uncheckedLengthMax && Buffer.byteLength(JSON.stringify(body)) > responseBytesMax)
    throw new Refusal('payload-too-large', 'The answer would be longer than 6 MB: ask for less at once.')
  return body
}

const toHttpResult = ({ status, headers, body }: StoredResponse): HttpResult => ({
  statusCode: status,
  headers: { 'Content-Type': 'application/json', ...headers },
  body,
})
