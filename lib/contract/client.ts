/** The typed client, for browsers and Node: one method for each row of the route table; it repeats by itself what may be. */
import type * as v from 'valibot'
import type { ErrorBody } from './errors.ts'
import type { VideoResource } from './resources/index.ts'
import type { Page, ParamsOf, Route, Schema } from './route.ts'
import { splitSignature } from './route.ts'
import * as routes from './routes.ts'

export interface ClientOptions {
  /** Ends in the version segment: `https://api.example.com/v1`. */
  baseUrl: string
  apiKey: string
  /** The workspace to act on, of an organization whose key this is. */
  workspaceId?: string | undefined
  fetch?: typeof fetch | undefined
  sleep?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined
  attemptsMax?: number | undefined
}

/** Pages are for browsers. */
type Rows = {
  [Name in keyof typeof routes as (typeof routes)[Name] extends { isPublic: true }
    ? never
    : Name]: (typeof routes)[Name]
}
type Optional = Record<never, never>

/** Fields stand flat, nested under their key, or partly so; an array stands bare or under one of its keys. */
type BodyInput<Row> = Row extends { body: infer Body extends Schema }
  ? v.InferInput<Body> | InsideOf<Row, v.InferInput<Body>>
  : never
type InsideOf<Row, Fields> = Row extends { nestedUnder: infer Key extends string }
  ? Partial<Fields> & { [Name in Key]: Fields }
  : Row extends { arrayUnder: readonly (infer Key extends string)[] }
    ? { [Name in Key]: { [Only in Name]: Fields } }[Key]
    : never
/** A query value is given as it is meant (a number, a list of names) or as the text that is sent. */
type QueryInput<Row> = Row extends { query: infer Query extends Schema }
  ? Either<v.InferInput<Query>, v.InferOutput<Query>>
  : never
type Either<Text, Meant> = {
  [Name in keyof Text]?: Text[Name] | (Name extends keyof Meant ? Meant[Name] : never) | undefined
}

type Part<Name extends string, Value> = [Value] extends [never]
  ? unknown
  : Optional extends Value
    ? { [Key in Name]?: Value | undefined }
    : { [Key in Name]: Value }

interface CallOptions {
  headers?: Record<string, string> | undefined
  signal?: AbortSignal | undefined
}

/** What a call of a row takes. */
export type CallInput<Row extends Route> = CallOptions &
  Part<'params', keyof ParamsOf<Row> extends never ? never : ParamsOf<Row>> &
  Part<'query', QueryInput<Row>> &
  Part<'body', BodyInput<Row>> &
  (Row extends { idempotent: true } ? { idempotencyKey?: string | undefined } : unknown)
type CallArguments<Row extends Route> =
  Optional extends CallInput<Row> ? [wish?: CallInput<Row>] : [wish: CallInput<Row>]

type ResultOf<Row extends Route> = Row extends { paged: true }
  ? Page<v.InferOutput<Row['returns']>>
  : v.InferOutput<Row['returns']>
type ItemOf<Row extends Route> = v.InferOutput<Row['returns']> extends readonly (infer Item)[] ? Item : never
type PagedName = { [Name in keyof Rows]: Rows[Name] extends { paged: true } ? Name : never }[keyof Rows]

export type Client = { [Name in keyof Rows]: (...wish: CallArguments<Rows[Name]>) => Promise<ResultOf<Rows[Name]>> } & {
  /** Every record of a list, read page by page while it is walked through. */
  pages: { [Name in PagedName]: (...wish: CallArguments<Rows[Name]>) => AsyncGenerator<ItemOf<Rows[Name]>, void> }
  /** Asks for a video until its status, or a question of yours, is as wanted; a job that fails ends it with `VideoFailed`. */
  waitFor: (id: string, until?: Until, how?: { timeoutMs?: number; signal?: AbortSignal }) => Promise<VideoResource>
}

type Until = VideoResource['status'] | ((video: VideoResource) => boolean)

export type ApiError = Omit<ErrorBody['error'], 'code'> & {
  code: ErrorBody['error']['code'] | 'unreadable-answer'
  blockers?: { id: string; label: string }[]
  validEvents?: string[]
}

/** The service said no, or somebody in front of it did: then the code is `unreadable-answer`. */
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
  /** When the service asked to come again, if it did. */
  readonly retryAfterMs: number | undefined

  constructor({ message, ...problem }: ApiError, retryAfterMs?: number) {
    super(message)
    this.retryAfterMs = retryAfterMs
    Object.assign(this, problem)
  }
}

/** A job of a video that was waited for has failed; the error of its job document says why. */
export class VideoFailed extends Error {
  override name = 'VideoFailed'
  readonly video: VideoResource

  constructor(video: VideoResource) {
    super(`Video ${video.id} failed: ${(video.process?.error ?? video.render?.error)?.message}`)
    this.video = video
  }
}

/** What the methods take once the types have done their work. */
interface AnyCallInput extends CallOptions {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  idempotencyKey?: string
}
type Send = (row: Route, wish: AnyCallInput) => Promise<unknown>

export function createClient(options: ClientOptions): Client {
  const send = sender(options)
  const rows = Object.entries<Route>(routes).filter(([, { isPublic: open }]) => !open)
  const methods = rows.map(([name, row]) => [name, async (wish: AnyCallInput = {}) => send(row, wish)])
  const pages = rows
    .filter(([, { paged }]) => paged)
    .map(([name, row]) => [name, (wish: AnyCallInput = {}) => itemsOf(send, row, wish)])
  const client = { ...Object.fromEntries(methods), pages: Object.fromEntries(pages) } as Client
  client.waitFor = async (id, until = 'ready', { timeoutMs = 600_000, signal } = {}) => {
    const isReached = typeof until === 'function' ? until : (video: VideoResource) => video.status === until
    const deadline = Date.now() + timeoutMs
    for (let intervalMs = 500; ; intervalMs = Math.min(intervalMs * 1.5, 10_000)) {
      const video = await client.getVideo({ params: { id }, signal })
      if (isReached(video)) return video
      if (video.status === 'failed') throw new VideoFailed(video)
      const leftMs = deadline - Date.now()
      if (leftMs <= 0) throw new DOMException(`Video ${id} was not as wanted in ${timeoutMs} ms.`, 'TimeoutError')
      await (options.sleep ?? pause)(Math.min(intervalMs, leftMs), signal)
    }
  }
  return client
}

/** A list may grow while it is read: what moves to a later page by that is given once more. */
async function* itemsOf(send: Send, row: Route, wish: AnyCallInput) {
  let offset = Number(wish.query?.offset ?? 0)
  for (;;) {
    const page = (await send(row, { ...wish, query: { limit: 100, ...wish.query, offset } })) as Page<unknown[]>
    yield* page.data
    offset += page.data.length
    if (page.data.length === 0 || offset >= page.paging.total) return
  }
}

/** Longer than the longest answer: the service gives up after 30 s. */
const attemptMsMax = 35_000
const backoffMsMax = 8_000
/** Who is asked to come again later than this wants to know it now. */
const retryAfterMsMax = 60_000

/** Sends a call and repeats it, always with the same idempotency key, until its answer is final. */
function sender({ baseUrl, apiKey, workspaceId, attemptsMax = 5, sleep = pause, ...options }: ClientOptions): Send {
  const fetchNow = options.fetch ?? ((...request: Parameters<typeof fetch>) => fetch(...request))
  return async (row, { params, query, body, signal, ...wish }) => {
    const { method, path } = splitSignature(row.signature)
    const url = baseUrl.replace(/\/+$/, '') + fillPath(path, params) + queryString(query)
    const key = row.idempotent ? (wish.idempotencyKey ?? crypto.randomUUID()) : undefined
    const headers = {
      Authorization: `Bearer ${apiKey}`,
      ...(workspaceId && { 'X-Service-Workspace': workspaceId }),
      ...(key && { 'Idempotency-Key': key }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...wish.headers,
    }
    const request = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const isIdempotent = method === 'GET' || key !== undefined
    for (let attempt = 1; ; attempt++) {
      const ends = [AbortSignal.timeout(attemptMsMax), ...(signal ? [signal] : [])]
      try {
        const answer = await parseResponse(await fetchNow(url, { ...request, signal: AbortSignal.any(ends) }))
        return row.paged ? answer : answer.data
      } catch (failure) {
        signal?.throwIfAborted()
        const pauseMs = attempt < attemptsMax ? retryDelay(failure, attempt, isIdempotent) : undefined
        if (pauseMs === undefined) throw failure
        await sleep(pauseMs, signal)
      }
    }
  }
}

/** How long to wait before the next attempt; undefined where the failure is final. */
function retryDelay(failure: unknown, attempt: number, mayRepeat: boolean): number | undefined {
  const backoffMs = Math.min(250 * 2 ** attempt, backoffMsMax) * (0.5 + Math.random() / 2)
  // Nobody answered: without a key, whatever was asked for may have been done all the same.
  if (!(failure instanceof ReelsmithError)) return mayRepeat ? backoffMs : undefined
  const { status, code, retryAfterMs } = failure
  if (retryAfterMs !== undefined && retryAfterMs > retryAfterMsMax) return undefined
  const isRetryRequested =
    status === 429 || code === 'idempotency-in-progress' || (status === 503 && retryAfterMs !== undefined)
  const isTransient = mayRepeat && [500, 502, 503, 504].includes(status)
  return isRetryRequested || isTransient ? Math.max(retryAfterMs ?? 0, backoffMs) : undefined
}

async function parseResponse(response: Response): Promise<{ data: unknown }> {
  const body = jsonOf(await response.text()) as { data: unknown; error?: ApiError } | undefined | null
  if (response.ok && body?.data !== undefined) return body
  const { status, headers } = response
  const requestId = headers.get('x-request-id') ?? ''
  const message = `The answer ${status} is not one of the service.`
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

/** Fills the braces of a path. An empty id or dots would make another path of it. */
function fillPath(path: string, params: Record<string, string> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (!value || /^\.{1,2}$/.test(value)) throw new TypeError(`"${value}" cannot be the ${name} of ${path}.`)
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
