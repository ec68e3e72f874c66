/** The type of a row of the route table: what a route takes, returns, refuses and may access. Data only, no behaviour. */
import type * as v from 'valibot'
import type { RefusalCode } from '../domain/core/refusal.ts'
import type { RequestClass } from '../domain/workspaces/request-limits.ts'

/** The version segment that every path of the API starts with. */
export const basePath = '/v1'

export type Schema = v.GenericSchema

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Signature = `${Method} /${string}`

/** What the function of a route may access besides the rows it reads. `lib/infra/iam` maps each to IAM statements. */
export type RoutePermission =
  | 'write'
  | 'timelines'
  | 'scripts'
  | 'storeTimelines'
  | 'storeVisuals'
  | 'startPipeline'
  | 'upload'
  | 'receive'
  | 'videoIndex'
  | 'seal'
  | 'sealKeys'
  | 'unseal'
  | 'connect'
  | 'voices'
  | 'previews'
  | 'sealConsent'
  | 'unsealConsent'
  | 'wait'

export interface Route {
  signature: Signature
  /** File under `functions/api`, without its extension. */
  handler: string
  /** The OpenAPI tag, where it is not the folder of the handler. */
  tag?: string
  summary: string
  /** OpenAPI description of the operation: what its schemas cannot express. Markdown. */
  description?: string
  /** Schema of the response's `data`. */
  returns: Schema
  /** Query parameters as they arrive: strings. */
  query?: Schema
  /** OpenAPI fields of query parameters, by name. */
  parameters?: Readonly<Record<string, object>>
  body?: Schema
  /** JSON-schema keywords of the body that valibot checks in code, such as `anyOf`. */
  bodySchema?: object
  /** An example of the body. The example of the response is in `openapi/examples`. */
  bodyExample?: unknown
  /** The fields of the body may be flat or nested under this key. */
  nestedUnder?: 'brief' | 'config'
  /** The body is an array: bare, or under one of these keys. */
  arrayUnder?: readonly [string, ...string[]]
  /** Maximum size of the body, where it is not the default of 256 KB. */
  bodyBytesMax?: number
  /** 201 creates a record with an id, 202 queues a job on an existing record; the default is 200. */
  status?: 200 | 201 | 202
  /** Serves an HTML page without authentication: the URL carries a one-time state. */
  isPublic?: true
  /** Takes a key with this scope. */
  scope?: 'admin'
  /** Responds with the revision of the video as `ETag`. An edit accepts `If-Match`, too. */
  revised?: true
  /** Accepts an `Idempotency-Key`. */
  idempotent?: boolean
  /** Default number of seconds to wait for a job; the client overrides it with `Prefer: wait=N` (0 to 25). */
  waitSeconds?: number
  /** Responds with `{ data, paging }`: a page of a list, or with `cursor` the next part of a log. */
  paged?: true | 'cursor'
  permissions?: RoutePermission[]
  /** Codes that the handler refuses with, besides those that follow from the row (`refusal-codes.ts`). */
  refuses?: RefusalCode[]
}

/** Keeps the literal types of a row, from which a handler's parameters are typed. Rejects unknown fields. */
/* @__NO_SIDE_EFFECTS__ */
export const route = <const Row extends Route>(row: Row & Record<Exclude<keyof Row, keyof Route>, never>): Row => row

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** The names in braces of a row's path. */
export type ParamsOf<Row extends Route> = { [Name in NamesIn<Row['signature']>]: string }

export type QueryOf<Row extends Route> = Row extends { query: infer Query extends Schema }
  ? v.InferOutput<Query>
  : undefined

export type BodyOf<Row extends Route> = Row extends { body: infer Body extends Schema }
  ? v.InferOutput<Body>
  : undefined

/** What a handler returns: the data, or a page of it. */
export type ReplyOf<Row extends Route> = Row extends { paged: true }
  ? Page<v.InferInput<Row['returns']>>
  : Row extends { paged: 'cursor' }
    ? CursorPage<v.InferInput<Row['returns']>>
    : v.InferInput<Row['returns']>

export interface Page<Data> {
  data: Data
  paging: { limit: number; offset: number; total: number }
}

export interface CursorPage<Data> {
  data: Data
  paging: { limit: number; nextAfter: number; lastSequence: number; missed: boolean }
}

/** Splits `GET /videos/{id}` into method and path. */
export function splitSignature(signature: Signature): { method: Method; path: string } {
  const space = signature.indexOf(' ')
  return { method: signature.slice(0, space) as Method, path: signature.slice(space + 1) }
}

/** A paid action commits, and may lack credits; a quote of one commits nothing. */
export const isPaid = ({ permissions = [], refuses = [] }: Route): boolean =>
  permissions.includes('write') && refuses.includes('warning-no-credits')

/** An edit of a video, which `If-Match` may bind to the revision that the client has read. */
export const isRevisedEdit = ({ revised, signature }: Route): boolean =>
  revised === true && !signature.startsWith('GET ')

/** The request limits that a request of this route counts against. */
export function requestClassesOf(row: Route): readonly RequestClass[] {
  if (row.signature.startsWith('GET ')) return ['reads']
  return isPaid(row) ? ['writes', 'paid'] : ['writes']
}

/** The parameters of a path: `id` and `sceneId` of `/videos/{id}/scenes/{sceneId}`. */
export const pathParameterNames = ({ signature }: Route): string[] =>
  [...signature.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
