/** The type of a row of the route table: what a route is called, takes, answers and may touch. */
import type * as v from 'valibot'

export type Schema = v.GenericSchema
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Signature = `${Method} /${string}`

/** What the function of a route may touch beside the rows it reads, in words of the product. */
export type RoutePermission =
  | 'write'
  | 'timelines'
  | 'storeTimelines'
  | 'startPipeline'
  | 'upload'
  | 'receive'
  | 'videoIndex'
  | 'seal'
  | 'unseal'
  | 'connect'
  | 'voices'
  | 'previews'
  | 'sealConsent'
  | 'unsealConsent'

export interface Route {
  signature: Signature
  /** File under `functions/api`, without its ending. */
  handler: string
  /** The group of the operation in the OpenAPI document, where it is not the folder of the handler. */
  tag?: string
  summary: string
  /** What the answer's `data` holds. */
  returns: Schema
  /** Query parameters, as the strings that they are. */
  query?: Schema
  body?: Schema
  /** The body's fields may stand flat or nested under this key. */
  nestedUnder?: 'brief' | 'config'
  /** The body is an array: bare, or under one of these keys. */
  arrayUnder?: readonly [string, ...string[]]
  /** How large a body may be, where that is not the usual 256 KB. */
  bodyBytesMax?: number
  /** 201 where a record with its own id is made, 202 where a job is queued on an existing one, else 200. */
  status?: 200 | 201 | 202
  /** Answers anybody, without a key: a page for a browser. Who may do what is said by what stands in the address. */
  isPublic?: true
  /** Takes an `Idempotency-Key`. */
  idempotent?: boolean
  /** How many seconds the answer waits for what was begun, where the client does not say it (`Prefer: wait=N`, 0 to 25). */
  waitSeconds?: number
  /** Answers `{ data, paging }`. */
  paged?: boolean
  permissions?: RoutePermission[]
}

/** Keeps the literal types of a row, from which a handler's parameters are typed. A field that no row has is an error of types. */
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
/** What a handler gives back: the data, or a whole page. */
export type ReplyOf<Row extends Route> = Row extends { paged: true }
  ? Page<v.InferInput<Row['returns']>>
  : v.InferInput<Row['returns']>

export interface Page<Data> {
  data: Data
  paging: { limit: number; offset: number; total: number }
}

/** `GET /videos/{id}` as its two halves. */
export function splitSignature(signature: Signature): { method: Method; path: string } {
  const space = signature.indexOf(' ')
  return { method: signature.slice(0, space) as Method, path: signature.slice(space + 1) }
}
