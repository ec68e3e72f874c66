/** The typed client for browsers and Node: one method per row of the route table, with retries and idempotency keys. */
import type * as v from 'valibot'
import type { ErrorBody } from './errors.ts'
import type { VideoResource } from './resources/index.ts'
import type { Page, ParamsOf, Route, Schema } from './route.ts'
import { splitSignature } from './route.ts'
import * as routes from './routes.ts'

export interface ClientOptions {
  /** Includes the version segment: `https://api.example.com/v1`. */
  baseUrl: string
  apiKey: string
  /** With the key of an organization: the workspace to act on. */
  workspaceId?: string | undefined
  fetch?: typeof fetch | undefined
  sleep?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined
  attemptsMax?: number | undefined
}

/** All rows but the HTML pages. */
type Rows = {
  [Name in keyof typeof routes as (typeof routes)[Name] extends { isPublic: true }
    ? never
    : Name]: (typeof routes)[Name]
}
type Optional = Record<never, never>

/** Fields are flat, nested under their key, or both; an array is bare or under one of its keys. */
type BodyInput<Row> = Row extends { body: infer Body extends Schema }
  ? v.InferInput<Body> | InsideOf<Row, v.InferInput<Body>>
  : never
type InsideOf<Row, Fields> = Row extends { nestedUnder: infer Key extends string }
  ? Partial<Fields> & { [Name in Key]: Fields }
  : Row extends { arrayUnder: readonly (infer Key extends string)[] }
    ? { [Name in Key]: { [Only in Name]: Fields } }[Key]
    : never
/** A query value is given parsed (a number, a list) or as text. */
type QueryInput<Row> = Row extends { query: infer Query extends Schema }
  ? TextOrParsed<v.InferInput<Query>, v.InferOutput<Query>>
  : never
type TextOrParsed<Text, Parsed> = {
  [Name in keyof Text]?: Text[Name] | (Name extends keyof Parsed ? Parsed[Name] : never) | undefined
}

type Argument<Name extends string, Value> = [Value] extends [never]
  ? unknown
  : Optional extends Value
    ? { [Key in Name]?: Value | undefined }
    : { [Key in Name]: Value }

interface CallOptions {
  headers?: Record<string, string> | undefined
  signal?: AbortSignal | undefined
}

/** The argument of a row's method. */
export type CallInput<Row extends Route> = CallOptions &
  Argument<'params', keyof ParamsOf<Row> extends never ? never : ParamsOf<Row>> &
  Argument<'query', QueryInput<Row>> &
  Argument<'body', BodyInput<Row>> &
  (Row extends { idempotent: true } ? { idempotencyKey?: string | undefined } : unknown)
type CallArguments<Row extends Route> =
  Optional extends CallInput<Row> ? [input?: CallInput<Row>] : [input: CallInput<Row>]

type ResultOf<Row extends Route> = Row extends { paged: true }
  ? Page<v.InferOutput<Row['returns']>>
  : v.InferOutput<Row['returns']>
type ItemOf<Row extends Route> = v.InferOutput<Row['returns']> extends readonly (infer Item)[] ? Item : never
type PagedName = { [Name in keyof Rows]: Rows[Name] extends { paged: true } ? Name : never }[keyof Rows]

export type Client = {
  [Name in keyof Rows]: (...input: CallArguments<Rows[Name]>) => Promise<ResultOf<Rows[Name]>>
} & {
  /** Iterates over all records of a list; fetches page by page. */
  pages: { [Name in PagedName]: (...input: CallArguments<Rows[Name]>) => AsyncGenerator<ItemOf<Rows[Name]>, void> }
  /** Polls a video until it has a status or matches a predicate. @throws VideoFailed where a job fails. */
  waitFor: (id: string, until?: Until, options?: { timeoutMs?: number; signal?: AbortSignal }) => Promise<VideoResource>
}

type Until = VideoResource['status'] | ((video: VideoResource) => boolean)

export type ApiError = Omit<ErrorBody['error'], 'code'> & {
  code: ErrorBody['error']['code'] | 'unreadable-answer' | 'idempotency-mismatch'
  blockers?: { id: string; label: string }[]
  validEvents?: string[]
}

/**
 * An error response. The code is `unreadable-answer` where a proxy or gateway responded instead of the service, and
 * `idempotency-mismatch` where the key was used before with another body: the response is that of the first request.
 */
export class ReelsmithError extends Error {
  override name = 'ReelsmithError'
  declare readonly status: number
  declare readonly code: ApiError['code']
  declare readonly requestId: string
  declare readonly details: ApiError['details']
  declare readonly action: ApiError['action']
  declare readonly blocked: ApiError['blocked']
  declare readonly blockers: ApiError['blockers']
  declare readonly validEvents: ApiError['validEvents']
  /** From the `Retry-After` header. */
  readonly retryAfterMs: number | undefined

  constructor({ message, ...problem }: ApiError, retryAfterMs?: number) {
    super(message)
    this.retryAfterMs = retryAfterMs
    Object.assign(this, problem)
  }
}

/** A job failed while `waitFor` was polling; `video.process.error` or `video.render.error` holds the reason. */
export class VideoFailed extends Error {
  override name = 'VideoFailed'
  readonly video: VideoResource

  constructor(video: VideoResource) {
    super(`Video ${video.id} failed: ${(video.process?.error ?? video.render?.error)?.message}`)
    this.video = video
  }
}

/** The argument of a method, untyped. */
interface AnyCallInput extends CallOptions {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  idempotencyKey?: string
}
type Send = (row: Route, input: AnyCallInput) => Promise<unknown>

export function createClient(options: ClientOptions): Client {
  const send = createSender(options)
  const rows = Object.entries<Route>(routes).filter(([, { isPublic: open }]) => !open)
  const methods = rows.map(([name, row]) => [name, async (input: AnyCallInput = {}) => send(row, input)])
  const pages = rows
    .filter(([, { paged }]) => paged)
    .map(([name, row]) => [name, (input: AnyCallInput = {}) => itemsOf(send, row, input)])
  const client = { ...Object.fromEntries(methods), pages: Object.fromEntries(pages) } as Client
  client.waitFor = async (id, until = 'ready', { timeoutMs = 600_000, signal } = {}) => {
    const isReached = typeof until === 'function' ? until : (video: VideoResource) => video.status === until
    const deadline = Date.now() + timeoutMs
    for (let intervalMs = 500; ; intervalMs = Math.min(intervalMs * 1.5, 10_000)) {
      const video = await client.getVideo({ params: { id }, signal })
      if (isReached(video)) return video
      if (video.status === 'failed') throw new VideoFailed(video)
      const remainingMs = deadline - Date.now()
      if (remainingMs <= 0)
        throw new DOMException(`Video ${id} did not reach the wanted state in ${timeoutMs} ms.`, 'TimeoutError')
      await (options.sleep ?? pause)(Math.min(intervalMs, remainingMs), signal)
    }
  }
  return client
}

/** A list may grow between pages: records that move to a later page are yielded twice. */
async function* itemsOf(send: Send, row: Route, input: AnyCallInput) {
  let offset = Number(input.query?.offset ?? 0)
  for (;;) {
    const page = (await send(row, { ...input, query: { limit: 100, ...input.query, offset } })) as Page<unknown[]>
    yield* page.data
    offset += page.data.length
    if (page.data.length === 0 || offset >= page.paging.total) return
  }
}

/** Above the API Gateway timeout of 30 s. */
const attemptMsMax = 35_000
const backoffMsMax = 8_000
/** A longer `Retry-After` is reported to the caller instead of waited for. */
const retryAfterMsMax = 60_000

/** Sends a call; retries transient failures with exponential backoff, jitter and one idempotency key. */
function createSender({
  baseUrl,
  apiKey,
  workspaceId,
  attemptsMax = 5,
  sleep = pause,
  ...options
}: ClientOptions): Send {
  const fetchResponse = options.fetch ?? ((...request: Parameters<typeof fetch>) => fetch(...request))
  return async (row, { params, query, body, signal, ...input }) => {
    const { method, path } = splitSignature(row.signature)
    const url = baseUrl.replace(/(?<!\/)\/+$/, '') + fillPath(path, params) + queryString(query)
    const key = row.idempotent ? (input.idempotencyKey ?? crypto.randomUUID()) : undefined
    const headers = {
      Authorization: `Bearer ${apiKey}`,
      ...(workspaceId && { 'X-Service-Workspace': workspaceId }),
      ...(key && { 'Idempotency-Key': key }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...input.headers,
    }
    const request = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const isIdempotent = method === 'GET' || key !== undefined
    for (let attempt = 1; ; attempt++) {
      const signals = [AbortSignal.timeout(attemptMsMax), ...(signal ? [signal] : [])]
      try {
        const response = await parseResponse(await fetchResponse(url, { ...request, signal: AbortSignal.any(signals) }))
        return row.paged ? response : response.data
      } catch (failure) {
        signal?.throwIfAborted()
        const pauseMs = attempt < attemptsMax ? retryDelay(failure, attempt, isIdempotent) : undefined
        if (pauseMs === undefined) throw failure
        await sleep(pauseMs, signal)
      }
    }
  }
}

/** Milliseconds until the next attempt; undefined where the failure is permanent. */
function retryDelay(failure: unknown, attempt: number, isIdempotent: boolean): number | undefined {
  const backoffMs = Math.min(250 * 2 ** attempt, backoffMsMax) * (0.5 + Math.random() / 2)
  // No response: the request may have had its effect. Only an idempotent one is retried.
  if (!(failure instanceof ReelsmithError)) return isIdempotent ? backoffMs : undefined
  const { status, code, retryAfterMs } = failure
  if (retryAfterMs !== undefined && retryAfterMs > retryAfterMsMax) return undefined
  const isRetryRequested =
    status === 429 || code === 'idempotency-in-progress' || (status === 503 && retryAfterMs !== undefined)
  const isTransient = isIdempotent && [500, 502, 503, 504].includes(status)
  return isRetryRequested || isTransient ? Math.max(retryAfterMs ?? 0, backoffMs) : undefined
}

async function parseResponse(response: Response): Promise<{ data: unknown }> {
  const body = jsonOf(await response.text()) as { data: unknown; error?: ApiError } | undefined | null
  const { status, headers } = response
  const requestId = headers.get('x-request-id') ?? ''
  if (headers.get('idempotency-mismatch') === 'true') {
    const message = 'This idempotency key was used before with another body. Use a new key for another request.'
    throw new ReelsmithError({ status, code: 'idempotency-mismatch', message, requestId })
  }
  if (response.ok && body?.data !== undefined) return body
  const message = `The response with status ${status} is not from the Reelsmith API.`
  const unreadable: ApiError = { status, code: 'unreadable-answer', message, requestId }
  const retryAfterMs = 1_000 * Number.parseInt(headers.get('retry-after') ?? '', 10)
  throw new ReelsmithError(body?.error?.code ? body.error : unreadable, retryAfterMs || undefined)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Fills the parameters of a path. An empty id, `.` or `..` would change the path. */
function fillPath(path: string, params: Record<string, string> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (!value || /^\.{1,2}$/.test(value)) throw new TypeError(`"${value}" is not a valid ${name} for ${path}.`)
    return encodeURIComponent(value)
  })
}

function queryString(query: Record<string, unknown> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))
  return given.length > 0 ? `?${text}` : ''
}

const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const finish = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', finish)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(finish, milliseconds)
    signal?.addEventListener('abort', finish)
  })
