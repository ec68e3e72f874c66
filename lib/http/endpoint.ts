/**
 * The only adapter between HTTP and the handlers: request id, authentication, idempotent replay, parsing, conflict retry,
 * envelope, errors. A handler loads, decides and commits; it must not see a status, a header or an event.
 */
import middy from '@middy/core'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import { retry, withDeadline } from '../async.ts'
import { now } from '../clock.ts'
import { errorLengthsMax, isTransientFault, toErrorResponse } from '../contract/errors.ts'
import type { ParsedRequest, RawRequest } from '../contract/parse-request.ts'
import { parseRequest, warningsOfRepeat } from '../contract/parse-request.ts'
import type { BodyOf, ParamsOf, QueryOf, ReplyOf, Route } from '../contract/route.ts'
import { basePath, isPaid, isRevisedEdit, requestClassesOf } from '../contract/route.ts'
import type { Warning } from '../contract/warnings.ts'
import { Superseded } from '../domain/core/failures.ts'
import { Refusal, type RefusalCode } from '../domain/core/refusal.ts'
import { clip } from '../domain/core/text.ts'
import type { ApiKey } from '../domain/records/api-key.ts'
import { changedVideos, type Decision } from '../domain/records/decision.ts'
import type { IdempotencyScope } from '../domain/records/idempotency-scope.ts'
import type { Video } from '../domain/records/video.ts'
import { refuseOtherRevision, revisionOf } from '../domain/videos/revision.ts'
import { requireAdmin } from '../domain/workspaces/api-key.ts'
import { priceOfDecision, type QuotedPrice, readQuote, refuseOtherPrice } from '../domain/workspaces/quote.ts'
import type { RequestClass } from '../domain/workspaces/request-limits.ts'
import { env } from '../env.ts'
import { log, withLogFields } from '../log.ts'
import { emitMetric } from '../metrics.ts'
import { commit, IdempotencyKeyUsed } from '../store/core/commit.ts'
import { conflictAttemptsMax, conflictBackoff } from '../store/core/conflict-retry.ts'
import { WriteConflict } from '../store/core/write-conflict.ts'
import { bodyHash, replaceStoredResponse } from '../store/idempotency.ts'
import { getWorkspace } from '../store/workspaces.ts'
import type { Caller } from './authenticate.ts'
import { authenticate } from './authenticate.ts'
import type { StoredResponse } from './idempotent-replay.ts'
import { findReplay, idempotencyKey, mismatchHeader } from './idempotent-replay.ts'
import { strongTagsOf } from './if-match.ts'
import { preferredWaitSeconds } from './prefer-header.ts'
import { countRequest, rateLimitHeadersOf } from './rate-limit.ts'

export interface EndpointRequest<Row extends Route> {
  params: ParamsOf<Row>
  query: QueryOf<Row>
  body: BodyOf<Row>
  workspaceId: string
  /** The key of the request, as it was read for it. */
  key: ApiKey
  /** The time of this attempt, ISO 8601. */
  now: string
  /** Identifies the stored response, for a sync job that completes it later; null without an idempotency key. */
  idempotencyScope: IdempotencyScope | null
  /**
   * For a row with `revised`: refuses a video in another revision than `If-Match` names. Returns the video; its revision, or that
   * after the commit, becomes the `ETag`. The commit fails where the video has changed since it was read.
   */
  requireRevision: (video: Video) => Video
  /** The price of the request's `Quote`, which the price must equal. `commit` refuses any other. */
  quote: QuotedPrice | undefined
  /** How long to wait for a job before responding: as the row or the client says, at most as the deployment allows. */
  waitSeconds: number
  /** The URL of the API as the client called it, without a trailing slash. */
  baseUrl: string
  /** Commits a decision together with the stored response of the idempotency key, and returns the reply. */
  commit: (decision: Decision, reply: ReplyOf<Row>) => Promise<ReplyOf<Row>>
  /** Replaces the committed reply, also in the stored response. */
  replaceReply: (reply: ReplyOf<Row>) => Promise<ReplyOf<Row>>
}

/** The state that the middlewares add to the Lambda context. */
interface Call extends Context {
  caller: Caller
  /** Undefined without an idempotency key. */
  idempotencyScope: IdempotencyScope | undefined
  waitSeconds: number
  /** The unparsed request. */
  raw: RawRequest
  /** The stored response of this idempotency key. */
  replay: StoredResponse | undefined
  /** The classes of which a token was taken, or refused, for this request. */
  countedAs: readonly RequestClass[] | undefined
  /** Headers that every response of an authenticated request carries. */
  rateLimitHeaders: Record<string, string> | undefined
}

export type HttpEvent = APIGatewayProxyEventV2
export type HttpResult = APIGatewayProxyStructuredResultV2
type Middleware = middy.MiddlewareObj<HttpEvent, HttpResult, Error, Call>

const headersOf = (event: HttpEvent) => event.headers as Record<string, string | undefined>

/** The gateway sets host and scheme; the local run sets no scheme and has only http. */
const baseUrlOf = (event: HttpEvent) =>
  `${headersOf(event)['x-forwarded-proto'] ?? 'http'}://${event.requestContext.domainName}${basePath}`

/** The Lambda handler, without the middlewares' additions to the context. */
export type HttpHandler = (event: HttpEvent, context: Context) => Promise<HttpResult>

export interface EndpointOptions<Row extends Route> {
  /**
   * Loads the schema that validates the body in place of the row's. For values that depend on the deployment, such as the
   * voices of its narrator: the row, and so the OpenAPI document, only has the built-in ones.
   */
  loadBodySchema?: () => Promise<NonNullable<Row['body']>>
  /** Encrypts the stored response of an idempotency key, for a response that contains a secret. */
  replayCipher?: ReplayCipher
}

interface ReplayCipher {
  encrypt: (body: string, workspaceId: string) => Promise<string>
  decrypt: (stored: string, workspaceId: string) => Promise<string>
}

/** The Lambda handler of a row. */
export function endpoint<const Row extends Route>(
  row: Row,
  run: (request: EndpointRequest<Row>) => Promise<ReplyOf<Row>>,
  { loadBodySchema, replayCipher }: EndpointOptions<Row> = {},
): HttpHandler {
  const chain = middy<HttpEvent, HttpResult, Error, Call>()
    .use(responseMiddleware(row.signature))
    .use(authenticationMiddleware(row))
    .use(replayMiddleware(row, replayCipher))
    .use(rateLimitMiddleware(row))
    .handler(async (event, call) => {
      if (call.replay) return toHttpResult(withWarnings(call.replay, () => warningsOfRepeat(row, call.raw)))
      const input = parseRequest(loadBodySchema ? { ...row, body: await loadBodySchema() } : row, call.raw)
      const quote = await quotedPrice(row, event, call, input)
      const ifMatch = isRevisedEdit(row) ? strongTagsOf(headersOf(event)) : undefined
      const answer = () =>
        runWithConflictRetry(row, call, { quote, ifMatch, replayCipher }, (commitDeps, at) =>
          run({
            params: input.params as ParamsOf<Row>,
            query: input.query as QueryOf<Row>,
            body: input.body as BodyOf<Row>,
            workspaceId: call.caller.workspaceId,
            key: call.caller.key,
            now: at,
            waitSeconds: call.waitSeconds,
            baseUrl: baseUrlOf(event),
            idempotencyScope: call.idempotencyScope ?? null,
            quote,
            ...commitDeps,
          }),
        )
      const deadlineMs = call.getRemainingTimeInMillis() - responseMs
      const response = await withDeadline(answer(), deadlineMs, serviceIsSlow)
      return toHttpResult(withWarnings(response, () => input.warnings))
    })
  return withRequestLog(chain as unknown as HttpHandler)
}

/** The price that the header `Quote` of a paid action promises. */
async function quotedPrice(
  row: Route,
  event: HttpEvent,
  { caller: { workspaceId } }: Call,
  { params, body }: ParsedRequest,
): Promise<QuotedPrice | undefined> {
  const id = isPaid(row) ? headersOf(event).quote : undefined
  if (id === undefined) return undefined
  const { mediaSecret } = await getWorkspace(workspaceId)
  return readQuote(id, mediaSecret, [row.signature, params, body], now())
}

/** Left of the time limit of the function for the response, which the gateway would replace by one without an envelope. */
const responseMs = 1_500

const serviceIsSlow = () =>
  new Refusal(
    'unavailable',
    'The request takes too long. It may still succeed: retry after the time in `Retry-After`.',
    {
      headers: { 'Retry-After': '5' },
    },
  )

/** Adds the request id to all log lines of the request. */
export const withRequestLog =
  (handler: HttpHandler): HttpHandler =>
  (event, context) =>
    withLogFields({ requestId: requestIdOf(event) }, () => handler(event, context))

/** The gateway's id, cut to the bound that the contract gives it. */
const requestIdOf = ({ requestContext }: HttpEvent) => clip(requestContext.requestId, errorLengthsMax.requestId)

/** The `$default` route: 401 without a valid key, else the given refusal. */
export function defaultEndpoint(refuse: (method: string, path: string) => Refusal): HttpHandler {
  const chain = middy<HttpEvent, HttpResult, Error, Call>()
    .use(responseMiddleware('$default'))
    .use(authenticationMiddleware())
    .use(rateLimitMiddleware())
    .handler(async (event) => {
      throw refuse(event.requestContext.http.method, event.rawPath)
    })
  return withRequestLog(chain as unknown as HttpHandler)
}

/** Sets `X-Request-Id`, turns errors into responses and logs the request. */
export function responseMiddleware<Own extends Context & Pick<Call, 'caller' | 'rateLimitHeaders'> = Call>(
  signature: string,
  errorResult = refusalResult,
): middy.MiddlewareObj<HttpEvent, HttpResult, Error, Own> {
  const finish = (event: HttpEvent, call: Own, result: HttpResult, error?: unknown) => {
    const requestId = requestIdOf(event)
    const { timeEpoch } = event.requestContext
    log.info('request', {
      route: signature,
      status: result.statusCode,
      requestId,
      workspaceId: call.caller?.workspaceId,
      keyId: call.caller?.keyId,
      milliseconds: Date.now() - timeEpoch,
      ...(error instanceof Refusal && refusalFields(error)),
    })
    return { ...result, headers: { ...result.headers, ...call.rateLimitHeaders, 'X-Request-Id': requestId } }
  }
  return {
    after: (request) => {
      request.response = finish(request.event, request.context, request.response!)
    },
    onError: (request) => {
      const requestId = requestIdOf(request.event)
      const result = errorResult(request.error, requestId)
      if (result.statusCode! >= 500) {
        // A 503 asks for a retry, and the alarm on failed requests does not count it.
        const level = result.statusCode === 503 ? 'warn' : 'error'
        log[level]('fault', { route: signature, requestId, error: request.error })
        if (isTransientFault(request.error)) emitMetric({ name: 'Faults', value: 1, by: { what: 'api' } })
      }
      request.response = finish(request.event, request.context, result, request.error)
    },
  }
}

/** What was refused, and where in the request: never its message, which may repeat what was sent. */
function refusalFields({ code, extras: { details } }: Refusal): { code: RefusalCode; path?: string } {
  const path = details?.[0]?.path
  // A key that no contract would have may hold anything.
  const name = (sent: string) => (/^\w{1,40}$/.test(sent) ? sent : '…')
  return { code, ...(path !== undefined && { path: path.split('.').map(name).join('.') }) }
}

function refusalResult(error: unknown, requestId: string): HttpResult {
  const { status, headers, body } = toErrorResponse(error, requestId)
  return toHttpResult({ status, headers, body: JSON.stringify(body) })
}

/** Precedes the replay: a stored response is shown only to a key that may make the request. */
const authenticationMiddleware = (row?: Route): Middleware => ({
  before: async ({ event, context }) => {
    context.caller = await authenticate(headersOf(event))
    if (row?.scope) requireAdmin(context.caller.key)
  },
})

async function findDecryptedReplay(
  workspaceId: string,
  scope: IdempotencyScope,
  at: string,
  cipher: ReplayCipher | undefined,
): Promise<StoredResponse | undefined> {
  const replay = await findReplay(workspaceId, scope, at)
  return replay && cipher ? { ...replay, body: await cipher.decrypt(replay.body, workspaceId) } : replay
}

/** Reads the raw request, and the stored response of its idempotency key. */
function replayMiddleware(row: Route, cipher: ReplayCipher | undefined): Middleware {
  return {
    before: async ({ event, context }) => {
      const body = event.body ?? ''
      context.raw = {
        params: event.pathParameters ?? {},
        query: event.queryStringParameters ?? {},
        body: event.isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body,
      }
      context.waitSeconds = Math.min(preferredWaitSeconds(headersOf(event), row.waitSeconds ?? 0), env.waitSecondsMax())
      const key = row.idempotent ? idempotencyKey(headersOf(event)) : undefined
      if (key === undefined) return
      const { method } = event.requestContext.http
      const scope = { method, path: event.rawPath, key, bodyHash: bodyHash(context.raw.body) }
      context.idempotencyScope = scope
      context.replay = await findDecryptedReplay(context.caller.workspaceId, scope, now(), cipher)
    },
  }
}

/**
 * After the replay: a replayed response counts as a read, whatever the request. Without a row it is one, too, and where
 * the search for a replay fails.
 */
function rateLimitMiddleware(row?: Route): Middleware {
  const refusalOf = (call: Call, classes: readonly RequestClass[]) => {
    call.countedAs = classes
    return countRequest(call.caller.workspaceId, classes, Date.parse(now()))
  }
  const classesOf = ({ replay }: Call) => (row && !replay ? requestClassesOf(row) : (['reads'] as const))
  const addHeaders = async ({ context: { caller, countedAs }, context }: { context: Call }) => {
    if (countedAs) context.rateLimitHeaders = await rateLimitHeadersOf(caller.workspaceId, countedAs, Date.parse(now()))
  }
  return {
    before: ({ context }) => {
      const refusal = refusalOf(context, classesOf(context))
      if (refusal) throw refusal
    },
    after: addHeaders,
    onError: async (request) => {
      const { context } = request
      if (context.caller && !context.countedAs) request.error = refusalOf(context, ['reads']) ?? request.error
      await addHeaders(request)
    },
  }
}

type CommitDeps<Row extends Route> = Pick<EndpointRequest<Row>, 'requireRevision' | 'commit' | 'replaceReply'>

/** What bounds the effect of the request, by its headers, and hides its stored response. */
interface Terms {
  quote: QuotedPrice | undefined
  /** The revisions of which the video must have one; undefined for any. */
  ifMatch: readonly string[] | undefined
  replayCipher: ReplayCipher | undefined
}

/** Runs the handler. Retries on optimistic-lock conflicts: it loads and decides again. */
async function runWithConflictRetry<Row extends Route>(
  row: Row,
  { caller: { workspaceId }, idempotencyScope: scope }: Call,
  { quote, ifMatch, replayCipher }: Terms,
  run: (commitDeps: CommitDeps<Row>, at: string) => Promise<ReplyOf<Row>>,
): Promise<StoredResponse> {
  const status = row.status ?? 200
  /** Of the last reply: a committed one, of up to 6 MB, is also the response. */
  let last: { reply: unknown; response: StoredResponse } | undefined
  const responseOf = (reply: unknown): StoredResponse => {
    if (!last || last.reply !== reply) last = { reply, response: { status, headers: {}, body: envelope(row, reply) } }
    return last.response
  }
  const attempt = async (): Promise<StoredResponse> => {
    const at = now()
    let video: Video | undefined
    try {
      const requireRevision = (read: Video) => {
        if (ifMatch) refuseOtherRevision(read, ifMatch)
        video = read
        return read
      }
      const commitReply = async (decision: Decision, reply: ReplyOf<Row>) => {
        refuseOtherPrice(quote, priceOfDecision(decision))
        const { body: shown } = responseOf(reply)
        const body = scope && replayCipher ? await replayCipher.encrypt(shown, workspaceId) : shown
        await commit(decision, scope && { ...scope, workspaceId, status, body, at })
        video &&= changedVideos(decision).find(({ id }) => id === video?.id)
        return reply
      }
      const replaceReply = async (reply: ReplyOf<Row>) => {
        if (scope) await replaceStoredResponse(workspaceId, scope, responseOf(reply).body)
        return reply
      }
      const response = responseOf(await run({ requireRevision, commit: commitReply, replaceReply }, at))
      if (row.revised && !video) throw new Error(`The handler of ${row.signature} does not call requireRevision.`)
      return video ? { ...response, headers: { ETag: revisionOf(video) } } : response
    } catch (error) {
      if (!isConflict(error) && !(error instanceof Refusal)) throw error
      // A concurrent duplicate may have committed first: its response wins, also over a refusal that its effects cause.
      const replay = scope && (await findDecryptedReplay(workspaceId, scope, at, replayCipher))
      if (replay) return replay
      throw error
    }
  }
  return retry(attempt, { ...conflictBackoff(conflictAttemptsMax), isRetryable: isConflict }).catch((error) => {
    if (!isConflict(error)) throw error
    throw new Refusal(
      'unavailable',
      'Many requests are changing this record at once. Retry after the time in `Retry-After`.',
      {
        headers: { 'Retry-After': '1' },
      },
    )
  })
}

/** `Superseded`: the video was deleted while the handler worked on it; the next attempt responds with 404. */
const isConflict = (error: unknown) =>
  error instanceof WriteConflict || error instanceof IdempotencyKeyUsed || error instanceof Superseded

/** Lambda responses are limited to 6 MB, measured as a JSON string. A longer one would fail after the handler. */
const responseBytesMax = 6_000_000
/** Escaping turns one character into at most six (`\u0000`): shorter bodies need no check. */
const uncheckedLengthMax = responseBytesMax / 6

function envelope(row: Route, reply: unknown): string {
  const body = JSON.stringify(row.paged ? reply : { data: reply })
  if (body.length > uncheckedLengthMax && Buffer.byteLength(JSON.stringify(body)) > responseBytesMax)
    throw new Refusal(
      'payload-too-large',
      'The response would exceed 6 MB. Request fewer records, or include fewer timelines.',
    )
  return body
}

/**
 * Warnings are those of the request, so they are not stored with its response, which a worker may complete. The first
 * response to another body has none.
 */
function withWarnings(response: StoredResponse, warningsOf: () => Warning[]): StoredResponse {
  const warnings = mismatchHeader in response.headers ? [] : warningsOf()
  if (warnings.length === 0) return response
  return { ...response, body: `${response.body.slice(0, -1)},"warnings":${JSON.stringify(warnings)}}` }
}

const toHttpResult = ({ status, headers, body }: StoredResponse): HttpResult => ({
  statusCode: status,
  headers: { 'Content-Type': 'application/json', ...headers },
  body,
})
