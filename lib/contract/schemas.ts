/** Shapes that many routes share: times and counts, paging, flat-or-nested bodies, comma lists. */
import * as v from 'valibot'

export const timestamp = v.pipe(v.string(), v.isoTimestamp())
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

export const pageQuery = {
  limit: integerParameter(1, 100, '50'),
  offset: integerParameter(0, Number.MAX_SAFE_INTEGER, '0'),
}

/** A filter that ignores a value it does not know. */
export const lenientFilter = <const Values extends readonly string[]>(values: Values) =>
  v.fallback(v.optional(v.picklist(values)), undefined)

/** A comma-separated list of which unknown items are dropped. */
export const commaList = <const Values extends readonly string[]>(values: Values) =>
  v.pipe(
    v.optional(v.string(), ''),
    v.transform((text) =>
      values.filter((value): value is Values[number] => text.split(',').some((item) => item.trim() === value)),
    ),
  )

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What may stand under a key whose fields may stand flat instead. */
export function isObjectOrAbsent(body: unknown, key: string): boolean {
  const nested = isObject(body) ? body[key] : undefined
  return nested === undefined || nested === null || isObject(nested)
}

/** Lifts what is nested under `key` to the top; nested wins, so that a record that was read can be sent back. */
export function flattenBody(body: unknown, key: string): unknown {
  if (!isObject(body) || body[key] === undefined || body[key] === null) return body
  const { [key]: nested, ...flat } = body
  return isObject(nested) ? { ...flat, ...nested } : body
}

/** Where a field of a flattened body stood in the body that was sent. */
export function pathInNestedBody(body: unknown, key: string, path: string[]): string[] {
  const nested = isObject(body) ? body[key] : undefined
  return isObject(nested) && path[0] !== undefined && Object.hasOwn(nested, path[0]) ? [key, ...path] : path
}

/** The array that stands under the first of some keys that holds one. */
export function findArray(body: unknown, keys: readonly string[]): unknown[] | undefined {
  if (!isObject(body)) return undefined
  return keys.map((key) => body[key]).find((value) => Array.isArray(value))
}
