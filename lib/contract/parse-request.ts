/** Turns the strings of a request into what its row says, or into one 400 that names every wrong place. */
import * as v from 'valibot'
import type { RefusalDetail } from '../domain/core/refusal.ts'
import { notFound, Refusal } from '../domain/core/refusal.ts'
import type { Route, Schema } from './route.ts'
import { findArray, flattenBody, isObject, isObjectOrAbsent, pathInNestedBody } from './schemas.ts'

/** Bodies are at most this large, unless the row says otherwise. */
export const bodyBytesMax = 256 * 1024

export interface RawRequest {
  params: Record<string, string | undefined>
  query: Record<string, string | undefined>
  /** The body as text; empty where there is none. */
  body: string
}

export interface ParsedRequest {
  params: Record<string, string>
  query: unknown
  body: unknown
}

export function parseRequest(row: Route, raw: RawRequest): ParsedRequest {
  const bytesMax = row.bodyBytesMax ?? bodyBytesMax
  // A row without a body does not read what is sent with it.
  if (row.body && Buffer.byteLength(raw.body) > bytesMax)
    throw new Refusal('payload-too-large', `The body may be at most ${bytesMax} bytes long.`)
  const details: RefusalDetail[] = []
  const check = (part: 'query' | 'body', schema: Schema | undefined, input: unknown, given: unknown) => {
    if (!schema) return undefined
    const result = v.safeParse(schema, input)
    if (!result.success) details.push(...result.issues.map((issue) => detailOf(row, part, issue, given)))
    return result.output
  }
  const params = parsePathIds(raw.params)
  const query = check('query', row.query, raw.query, raw.query)
  const sent = row.body ? parseJsonBody(raw.body, row.arrayUnder !== undefined) : undefined
  if (row.nestedUnder && !isObjectOrAbsent(sent, row.nestedUnder))
    throw invalidRequest([{ path: `body.${row.nestedUnder}`, message: 'must be an object' }])
  const body = check('body', row.body, fieldsOf(row, sent), sent)
  if (details.length > 0) throw invalidRequest(details)
  return { params, query, body }
}

/** What the schema of a row is held against: the fields lifted out of where they may be nested, or the array. */
function fieldsOf({ nestedUnder, arrayUnder }: Route, sent: unknown): unknown {
  if (nestedUnder) return flattenBody(sent, nestedUnder)
  if (!arrayUnder) return sent
  const items = Array.isArray(sent) ? sent : findArray(sent, arrayUnder)
  if (items) return items
  const places = arrayUnder.map((key) => `"${key}"`).join(' or ')
  throw invalidRequest([{ path: 'body', message: `must be an array, or hold one under ${places}` }])
}

/** An id that cannot be one names nothing: the same 404 as for one that never was. */
function parsePathIds(params: RawRequest['params']): Record<string, string> {
  const entries = Object.entries(params).map(([name, value]) => [name, value ?? ''] as const)
  if (entries.some(([, value]) => !/^[A-Za-z0-9_]{1,64}$/.test(value))) throw notFound('record')
  return Object.fromEntries(entries)
}

/** No body is an empty one. Arrays would pass for objects without any field. */
function parseJsonBody(text: string, mayBeArray: boolean): unknown {
  if (text.trim() === '') return {}
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw invalidRequest([{ path: 'body', message: 'is not valid JSON' }])
  }
  if (!isObject(body) && !(mayBeArray && Array.isArray(body)))
    throw invalidRequest([
      { path: 'body', message: mayBeArray ? 'must be an array or an object' : 'must be an object' },
    ])
  const path = surrogateEscapePattern.test(text) ? findLoneSurrogate(body) : undefined
  if (path) throw invalidRequest([{ path, message: 'holds half of a surrogate pair, which is not a character' }])
  return body
}

/** Only an escape can bring half a character through UTF-8. */
const surrogateEscapePattern = /\\u[dD][89a-fA-F]/

/** Where a key or a text of a body cannot be written as UTF-8. Without recursion: a body may be nested very deeply. */
function findLoneSurrogate(body: unknown): string | undefined {
  const waiting: [string, unknown][] = [['body', body]]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [path, value] = next
    if (typeof value === 'string' && !value.isWellFormed()) return path
    if (typeof value !== 'object' || value === null) continue
    for (const [key, inner] of Object.entries(value)) {
      if (!key.isWellFormed()) return path
      waiting.push([`${path}.${key}`, inner])
    }
  }
  return undefined
}

function detailOf(row: Route, part: 'query' | 'body', issue: v.BaseIssue<unknown>, given: unknown): RefusalDetail {
  const keys = (issue.path ?? []).map(({ key }) => String(key))
  const path = part === 'body' ? pathInSentBody(row, given, keys) : keys
  const allowed = allowedOf(issue)
  return { path: [part, ...path].join('.'), message: messageOf(issue), ...(allowed ? { allowed } : {}) }
}

function pathInSentBody({ nestedUnder, arrayUnder }: Route, given: unknown, keys: string[]): string[] {
  if (nestedUnder) return pathInNestedBody(given, nestedUnder, keys)
  const under = arrayUnder?.find((key) => findArray(given, [key]))
  return under && !Array.isArray(given) ? [under, ...keys] : keys
}

/** The allowed values of a picklist. Its issue carries them as text only: `("a" | "b")`. */
function allowedOf({ type, expected }: v.BaseIssue<unknown>): RefusalDetail['allowed'] {
  if (type !== 'picklist' || !expected) return undefined
  return [...expected.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([quoted]) => JSON.parse(quoted))
}

function messageOf(issue: v.BaseIssue<unknown>): string {
  if (!issue.message.startsWith('Invalid')) return issue.message
  if (issue.expected === 'never') return 'is not a field that can be changed'
  if (issue.received === 'undefined') return 'is missing'
  return issue.expected === null ? `is ${issue.received}` : `must be ${issue.expected}, not ${issue.received}`
}

/** A body may be wrong in thousands of places; who reads the answer mends a few at a time. */
const detailsMax = 50

function invalidRequest(details: RefusalDetail[]): Refusal {
  const { path, message } = details[0]!
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : ''
  return new Refusal('invalid-request', `${path} ${message}${more}.`, { details: details.slice(0, detailsMax) })
}
