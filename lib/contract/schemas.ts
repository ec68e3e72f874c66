/** Schemas that many routes share (times, counts, paging, filters) and the flat-or-nested forms of bodies. */
import * as v from 'valibot'
import { boundedText, idPattern, urlLengthMax } from '../domain/core/bounded.ts'
import { messageLengthMax } from '../domain/core/text.ts'

export const timestamp = v.pipe(v.string(), v.isoTimestamp())
/** The id of a record, in a response. */
export const recordId = v.pipe(v.string(), v.regex(idPattern))
/** A sentence of the service, or of a vendor or platform, cut to its bound. */
export const message = boundedText(messageLengthMax)
export const url = v.pipe(boundedText(urlLengthMax), v.url())
/** Of a URL with credentials or parameters of a vendor: no server reads a longer one. */
export const longUrlLengthMax = 8_192
export const count = v.pipe(v.number(), v.integer(), v.minValue(0))

/** A whole number in a query string. */
export const integerParameter = (minimum: number, maximum: number, absent: string) =>
  v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,16}$/, 'must be a whole number'),
      v.transform(Number),
      v.minValue(minimum, `must be at least ${minimum}`),
      v.maxValue(maximum, `must be at most ${maximum}`),
    ),
    absent,
  )

export const pageLimitMax = 100

export const pageQuery = {
  limit: integerParameter(1, pageLimitMax, '50'),
  offset: integerParameter(0, Number.MAX_SAFE_INTEGER, '0'),
}

/** The bound of the `sequence` of an event, which a program can add to without loss. */
export const sequenceMax = 999_999_999_999_999

/** A filter that ignores unknown values. */
export const lenientFilter = <const Values extends readonly string[]>(values: Values) =>
  v.fallback(v.optional(v.picklist(values)), undefined)

/** A comma-separated list; unknown items are dropped. */
export const commaList = <const Values extends readonly string[]>(values: Values) =>
  v.pipe(
    v.optional(boundedText(200), ''),
    v.transform((text) =>
      values.filter((value): value is Values[number] => text.split(',').some((item) => item.trim() === value)),
    ),
  )

/** Refuses an edit without any known field. The row says the same in `bodySchema`, with `requiresOneOf`. */
export const hasField = <Fields extends object>(names: readonly string[]) =>
  v.check<Fields, string>(
    (fields) => Object.keys(fields).length > 0,
    `must contain at least one of ${names.join(', ')}`,
  )

/** The JSON-schema form of `hasField`. */
export const requiresOneOf = (...names: string[]) => ({ anyOf: names.map((name) => ({ required: [name] })) })

/** A size for messages, in powers of 1,024: `256 KB`. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB'] as const
  const index = units.findLastIndex((_, power) => bytes >= 1024 ** power)
  return `${Number((bytes / 1024 ** index).toFixed(1))} ${units[index]}`
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether the value under `key` may be lifted by `flattenBody`. */
export function isObjectOrAbsent(body: unknown, key: string): boolean {
  const nested = isObject(body) ? body[key] : undefined
  return nested === undefined || nested === null || isObject(nested)
}

/** Lifts the fields under `key` to the top level. Nested fields win, so that a record from a response can be sent back. */
export function flattenBody(body: unknown, key: string): unknown {
  if (!isObject(body) || body[key] === undefined || body[key] === null) return body
  const { [key]: nested, ...flat } = body
  return isObject(nested) ? { ...flat, ...nested } : body
}

/** The path of a flattened field in the body as it was sent. */
export function pathInNestedBody(body: unknown, key: string, path: string[]): string[] {
  const nested = isObject(body) ? body[key] : undefined
  return isObject(nested) && path[0] !== undefined && Object.hasOwn(nested, path[0]) ? [key, ...path] : path
}

/** The levels of a value, its leaves included; stops above the limit. Iterative, because a deep body would overflow the stack. */
export function nestingDepth(value: unknown, limit: number): number {
  let levels = 0
  for (let level = [value]; level.length > 0 && levels <= limit; levels++)
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
  return levels
}

/** The array under the first of `keys` that holds one. */
export function findArray(body: unknown, keys: readonly string[]): unknown[] | undefined {
  if (!isObject(body)) return undefined
  return keys.map((key) => body[key]).find((value) => Array.isArray(value))
}
