/** Parses the strings of a request with the schemas of its row; refuses all invalid fields with one 400. */
import * as v from 'valibot'
import { idPattern } from '../domain/core/bounded.ts'
import type { RefusalDetail } from '../domain/core/refusal.ts'
import { notFound, Refusal } from '../domain/core/refusal.ts'
import { truncateTo } from '../domain/core/text.ts'
import { errorLengthsMax } from './errors.ts'
import { jsonErrorIndex, lineAndColumn } from './json-error.ts'
import { nearMiss } from './near-miss.ts'
import type { Route, Schema } from './route.ts'
import {
  findArray,
  flattenBody,
  formatBytes,
  isObject,
  isObjectOrAbsent,
  nestingDepth,
  pathInNestedBody,
} from './schemas.ts'
import type { Warning } from './warnings.ts'
import { warningsOf } from './warnings.ts'

/** Default of `Route.bodyBytesMax`. */
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
  /** About what was tolerated, and is probably a typing error. */
  warnings: Warning[]
}

export function parseRequest(row: Route, raw: RawRequest): ParsedRequest {
  const bytesMax = row.bodyBytesMax ?? bodyBytesMax
  // A row without a body ignores what is sent.
  if (row.body && raw.body.startsWith('--'))
    throw invalidRequest([{ path: 'body', message: jsonErrorMessage(raw.body) }])
  if (row.body && Buffer.byteLength(raw.body) > bytesMax)
    throw new Refusal('payload-too-large', `The body must be at most ${formatBytes(bytesMax)}.`)
  const details: RefusalDetail[] = []
  const check = (part: 'query' | 'body', schema: Schema | undefined, input: unknown, given: unknown) => {
    if (!schema) return undefined
    const result = v.safeParse(schema, input)
    if (!result.success) details.push(...result.issues.map((issue) => detailOf(row, part, issue, given)))
    return result.output
  }
  const params = parsePathIds(row, raw.params)
  const query = check('query', row.query, raw.query, raw.query)
  const sent = row.body ? parseJsonBody(raw.body, row.arrayUnder !== undefined) : undefined
  if (row.nestedUnder && !isObjectOrAbsent(sent, row.nestedUnder))
    throw invalidRequest([{ path: `body.${row.nestedUnder}`, message: 'must be an object' }])
  const body = check('body', row.body, fieldsOf(row, sent), sent)
  if (details.length > 0) throw invalidRequest(details)
  return { params, query, body, warnings: warningsOf(row, raw.query, sent) }
}

/** For a request that was parsed before, such as that of a replay. */
export const warningsOfRepeat = (row: Route, { query, body }: RawRequest): Warning[] =>
  warningsOf(row, query, row.body ? parseJsonBody(body, row.arrayUnder !== undefined) : undefined)

/** The value to validate: the flattened fields, or the array. */
function fieldsOf({ nestedUnder, arrayUnder }: Route, sent: unknown): unknown {
  if (nestedUnder) return flattenBody(sent, nestedUnder)
  if (!arrayUnder) return sent
  const items = Array.isArray(sent) ? sent : findArray(sent, arrayUnder)
  if (items) return items
  const keys = arrayUnder.map((key) => `"${key}"`).join(' or ')
  throw invalidRequest([{ path: 'body', message: `must be an array, or an object with an array under ${keys}` }])
}

/** A malformed id gets the same 404 as an unknown one. */
function parsePathIds(row: Route, params: RawRequest['params']): Record<string, string> {
  const entries = Object.entries(params).map(([name, value]) => [name, value ?? ''] as const)
  for (const [name, value] of entries) if (!idPattern.test(value)) throw notFound(recordNameOf(row, name))
  return Object.fromEntries(entries)
}

/** The kind of record by the path segment in front of its id. */
const recordNames: Record<string, string> = {
  videos: 'video',
  brolls: 'b-roll segment',
  scenes: 'scene',
  automations: 'automation',
  uploads: 'upload',
  profiles: 'profile',
  webhooks: 'webhook',
  deliveries: 'delivery',
  keys: 'key',
}

function recordNameOf({ signature }: Route, parameter: string): string {
  const [, segment = ''] = new RegExp(`/([a-z-]+)/\\{${parameter}\\}`).exec(signature) ?? []
  return recordNames[segment] ?? 'record'
}

/** No body means an empty object. Arrays are refused here: valibot's `object` would accept them. */
function parseJsonBody(text: string, mayBeArray: boolean): unknown {
  if (text.trim() === '') return {}
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw invalidRequest([{ path: 'body', message: jsonErrorMessage(text) }])
  }
  if (!isObject(body) && !(mayBeArray && Array.isArray(body)))
    throw invalidRequest([
      { path: 'body', message: mayBeArray ? 'must be an array or an object' : 'must be an object' },
    ])
  if (nestingDepth(body, nestingDepthMax) > nestingDepthMax)
    throw invalidRequest([{ path: 'body', message: `must be nested at most ${nestingDepthMax} levels deep` }])
  const path = surrogateEscapePattern.test(text) ? findLoneSurrogate(body) : undefined
  if (path)
    throw invalidRequest([
      {
        path: truncateTo(echoLengthMax, path),
        message: 'contains an unpaired surrogate, which is not a valid character',
      },
    ])
  return body
}

function jsonErrorMessage(text: string): string {
  if (text.startsWith('--'))
    return 'must be JSON, not a multipart form: `POST /uploads` returns the URL to send a file to'
  const index = jsonErrorIndex(text)
  const where = `at ${lineAndColumn(text, index)}`
  return index < text.length
    ? `is not valid JSON: unexpected ${JSON.stringify(String.fromCodePoint(text.codePointAt(index)!))} ${where}`
    : `is not valid JSON: it ends too early, ${where}`
}

/** No body of the contract is half as deep; `JSON.stringify` overflows the stack at a depth that `JSON.parse` still reads. */
export const nestingDepthMax = 64

/** Only a JSON escape can encode an unpaired surrogate in valid UTF-8. */
const surrogateEscapePattern = /\\u[dD][89a-fA-F]/

/** The path of the first key or text with an unpaired surrogate. Iterative, because bodies may be nested deeply. */
function findLoneSurrogate(body: unknown): string | undefined {
  const stack: [string, unknown][] = [['body', body]]
  for (let next = stack.pop(); next; next = stack.pop()) {
    const [path, value] = next
    if (typeof value === 'string' && !value.isWellFormed()) return path
    if (typeof value !== 'object' || value === null) continue
    for (const [key, inner] of Object.entries(value)) {
      if (!key.isWellFormed()) return path
      stack.push([`${path}.${key}`, inner])
    }
  }
  return undefined
}

function detailOf(row: Route, part: 'query' | 'body', issue: v.BaseIssue<unknown>, given: unknown): RefusalDetail {
  const keys = (issue.path ?? []).map(({ key }) => String(key))
  const path = part === 'body' ? pathInSentBody(row, given, keys) : keys
  const allowed = allowedOf(issue)
  const message = allowed ? picklistMessage(issue, allowed.map(String)) : messageOf(issue)
  return { path: truncateTo(echoLengthMax, [part, ...path].join('.')), message, ...(allowed ? { allowed } : {}) }
}

function pathInSentBody({ nestedUnder, arrayUnder }: Route, given: unknown, keys: string[]): string[] {
  if (nestedUnder) return pathInNestedBody(given, nestedUnder, keys)
  const under = arrayUnder?.find((key) => findArray(given, [key]))
  return under && !Array.isArray(given) ? [under, ...keys] : keys
}

/** The allowed values of a picklist. The issue holds them only as text: `("a" | "b")`. */
function allowedOf({ type, expected }: v.BaseIssue<unknown>): RefusalDetail['allowed'] {
  if (type !== 'picklist' || !expected) return undefined
  return JSON.parse(`[${expected.replace(/^\(|\)$/g, '').replaceAll('" | "', '","')}]`)
}

/** Own messages of the schemas do not echo the value, so that they need no limit. */
function messageOf(issue: v.BaseIssue<unknown>): string {
  if (!issue.message.startsWith('Invalid')) return issue.message
  if (issue.expected === 'never') return 'cannot be changed'
  if (issue.received === 'undefined') return 'is missing'
  const message = issue.expected === null ? `is ${issue.received}` : `must be ${issue.expected}, not ${issue.received}`
  return truncateTo(echoLengthMax, message)
}

function picklistMessage(issue: v.BaseIssue<unknown>, allowed: readonly string[]): string {
  if (issue.received === 'undefined') return truncateTo(echoLengthMax, `is missing: one of ${allowed.join(', ')}`)
  const meant = typeof issue.input === 'string' ? nearMiss(issue.input, allowed) : undefined
  const message = meant
    ? `cannot be ${issue.received} (did you mean ${meant}?): it must be one of ${allowed.join(', ')}`
    : `must be one of ${allowed.join(', ')}, not ${issue.received}`
  return truncateTo(echoLengthMax, message)
}

/** What is repeated of a key or a value, which may be as long as the body. */
const echoLengthMax = errorLengthsMax.path
function invalidRequest(details: RefusalDetail[]): Refusal {
  const { path, message } = details[0]!
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : ''
  return new Refusal('invalid-request', `${path} ${message}${more}.`, {
    details: details.slice(0, errorLengthsMax.details),
  })
}
