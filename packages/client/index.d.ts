/** The client of the Reelsmith API. The operations and their records are in `types.d.ts`, generated from the route table. */
import type { ApiWarning, ErrorResponse, OperationId, Operations, Paging, Video } from './types.js'

export type * from './types.js'

export interface ClientOptions {
  /** Includes the version segment: `https://api.example.com/v1`. Default: `REELSMITH_BASE_URL`. */
  baseUrl?: string | undefined
  /** Default: `REELSMITH_API_KEY`. */
  apiKey?: string | undefined
  /** With the key of an organization: the workspace to act on. */
  workspaceId?: string | undefined
  /** Called for each warning of a response: names and values that were ignored and are probably typing errors. */
  onWarning?: ((warning: ApiWarning, operation: OperationId) => void) | undefined
  /** Attempts of a call, the first included; default 5. */
  attemptsMax?: number | undefined
  fetch?: typeof fetch | undefined
  sleep?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined
}

export interface CallOptions {
  headers?: Record<string, string> | undefined
  signal?: AbortSignal | undefined
}
export interface Idempotent {
  /** Default: a new key for each call, the same in each of its attempts. */
  idempotencyKey?: string | undefined
}
export interface Revised {
  /** The `etag` of an earlier response: the edit is refused with `precondition-failed` if the video has changed since. */
  ifMatch?: string | undefined
}
export interface Quoted {
  /** The id of a quote: the call costs what was quoted, or is refused with `quote-expired`. */
  quote?: string | undefined
}
export interface Waiting {
  /** Seconds to wait for the job before the response, 0 to 25. */
  waitSeconds?: number | undefined
}

/** The promise of a result. */
export interface Call<Data> extends Promise<Data> {
  /** The result with what else the response says. */
  withResponse(): Promise<ApiResponse<Data>>
}
/** The promise of the first page; iterated, all records of this page and of those after it. */
export interface ListCall<Item, Position = Paging> extends Call<Page<Item, Position>>, AsyncIterable<Item> {}

export interface Page<Item, Position = Paging> {
  data: Item[]
  paging: Position
  warnings?: ApiWarning[]
}

export interface ApiResponse<Data> {
  data: Data
  warnings: ApiWarning[]
  status: number
  requestId: string
  /** This is the stored response of an earlier request with the same idempotency key. */
  isReplayed: boolean
  /** The revision of the video, for `ifMatch`; null where the operation shows none. */
  etag: string | null
  headers: Headers
}

export interface WaitOptions {
  /** The status to wait for, or a condition. Default `ready`. */
  until?: Video['status'] | ((video: Video) => boolean) | undefined
  /** Default 600,000. */
  timeoutMs?: number | undefined
  /** The first pause between two reads, default 500; each pause is 1.5 times the last. */
  minIntervalMs?: number | undefined
  /** The longest pause, default 10,000. */
  maxIntervalMs?: number | undefined
  signal?: AbortSignal | undefined
}

export interface Client extends Operations {
  /** Reads a video until it has a status or meets a condition. @throws ReelsmithError `video-failed` or `timeout`. */
  waitFor(video: string | Pick<Video, 'id'>, options?: WaitOptions): Promise<Video>
}

/** @throws TypeError where neither the options nor the environment have the address and the key. */
export declare function createClient(options?: ClientOptions): Client

/**
 * Besides the codes of the service: `network-error` (no response; status 0), `unreadable-answer` (a proxy responded instead of the
 * service), `idempotency-mismatch` (the key was used before with another body; the response is that of the first request), and
 * of `waitFor` `video-failed` and `timeout` (status 0).
 */
export type ErrorCode =
  | ErrorResponse['error']['code']
  | 'network-error'
  | 'unreadable-answer'
  | 'idempotency-mismatch'
  | 'video-failed'
  | 'timeout'

export type ApiErrorBody = Omit<ErrorResponse['error'], 'code'> & { code: ErrorCode }

/** Every failure of a call. An aborted call throws the reason of its signal instead. */
export declare class ReelsmithError extends Error {
  constructor(problem: ApiErrorBody, more?: { retryAfterMs?: number | undefined; cause?: unknown; video?: Video })
  /** The HTTP status; 0 without a response. */
  readonly status: number
  readonly code: ErrorCode
  readonly requestId: string
  readonly details: ApiErrorBody['details']
  readonly action: ApiErrorBody['action']
  readonly blocked: ApiErrorBody['blocked']
  readonly blockers: ApiErrorBody['blockers']
  readonly validEvents: ApiErrorBody['validEvents']
  /** From the `Retry-After` header. */
  readonly retryAfterMs: number | undefined
  /** Of `video-failed` and `timeout`: the video as it was read last. */
  readonly video: Video | undefined
}
