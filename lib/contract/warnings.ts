/**
 * Warnings about what a request tolerates but is probably a typing error: unknown keys that resemble a known one or that
 * belong at another level, open values that resemble a known one, and unknown values of filters. Never refuses. Linear in
 * the size of the body, bounded in its answer.
 */
import { truncateTo } from '../domain/core/text.ts'
import { errorLengthsMax } from './errors.ts'
import { nearMiss } from './near-miss.ts'
import type { Route, Schema } from './route.ts'
import { findArray, isObject } from './schemas.ts'

export interface Warning {
  /** As in `details` of a refusal: `body.presenter.name`. */
  path: string
  message: string
  didYouMean?: string
}

export const warningsMax = 20
/** Unknown keys that are compared with the known ones; later ones are ignored. */
const comparedKeysMax = 500

/** Values of open names that have a meaning of their own. */
const openValues: Readonly<Record<string, readonly string[]>> = {
  subType: ['presentation', 'ugc'],
  mood: ['calm', 'inspiring', 'energetic', 'dramatic', 'playful'],
  presentationMood: ['calm', 'inspiring', 'energetic', 'dramatic', 'playful'],
  presentationTone: ['light', 'dark', 'accent'],
}

export const mayWarn = ({ query, body, isPublic }: Route): boolean => !isPublic && Boolean(query || body)

/** `body` is the parsed JSON as it was sent. */
export function warningsOf(row: Route, query: Record<string, unknown>, body: unknown): Warning[] {
  if (!mayWarn(row)) return []
  const walk: Walk = { warnings: [], keysLeft: comparedKeysMax }
  if (row.query) warnOfQuery(walk, row.query, query)
  if (row.body) warnOfBody(walk, row, row.body, body)
  return walk.warnings
}

interface Walk {
  warnings: Warning[]
  keysLeft: number
}

function add(walk: Walk, path: string, message: string, didYouMean?: string): void {
  if (walk.warnings.length < warningsMax)
    walk.warnings.push({
      path: truncateTo(errorLengthsMax.path, path),
      message: truncateTo(errorLengthsMax.message, message),
      ...(didYouMean === undefined ? {} : { didYouMean }),
    })
}

function warnOfQuery(walk: Walk, schema: Schema, query: Record<string, unknown>): void {
  const known = entriesOf(schema) ?? {}
  for (const [name, value] of Object.entries(query)) {
    if (!Object.hasOwn(known, name)) {
      warnOfKey(walk, `query.${name}`, name, Object.keys(known))
      continue
    }
    const options = optionsOf(known[name])
    if (!options || typeof value !== 'string' || options.includes(value)) continue
    const meant = nearMiss(value, options)
    add(walk, `query.${name}`, `is ignored: it is none of ${options.join(', ')}`, meant)
  }
}

function warnOfBody(walk: Walk, row: Route, schema: Schema, body: unknown): void {
  const returned = row.returns
  if (row.arrayUnder) {
    const under = Array.isArray(body) ? undefined : row.arrayUnder.find((key) => findArray(body, [key]))
    const items = under && isObject(body) ? body[under] : body
    visit(walk, schema, returned, items, under ? `body.${under}` : 'body', 0)
    return
  }
  const { nestedUnder } = row
  const nested = nestedUnder && isObject(body) ? body[nestedUnder] : undefined
  if (isObject(body) && nestedUnder) {
    const { [nestedUnder]: _, ...flat } = body
    visit(walk, schema, returned, flat, 'body', 0)
    visit(walk, schema, entriesOf(returned)?.[nestedUnder], nested, `body.${nestedUnder}`, 0)
  } else visit(walk, schema, returned, body, 'body', 0)
  if (isObject(body)) warnOfSubType(walk, { ...body, ...(isObject(nested) ? nested : {}) }, nested, row)
}

/** Deeper than any schema of the contract. */
const depthMax = 8

/** Keys that a response has at the same place are tolerated without a warning: a record can be edited and sent back. */
function visit(
  walk: Walk,
  schema: Schema | undefined,
  returned: Schema | undefined,
  value: unknown,
  path: string,
  depth: number,
): void {
  if (depth > depthMax || walk.warnings.length >= warningsMax || walk.keysLeft <= 0) return
  if (Array.isArray(value)) {
    const [item, returnedItem] = [itemOf(schema), itemOf(returned)]
    if (item)
      for (const [index, inner] of value.entries())
        visit(walk, item, returnedItem, inner, `${path}.${index}`, depth + 1)
    return
  }
  const known = entriesOf(schema)
  if (!known || !isObject(value)) return
  const [names, tolerated] = [Object.keys(known), entriesOf(returned) ?? {}]
  for (const [name, inner] of Object.entries(value)) {
    if (Object.hasOwn(known, name)) {
      visit(walk, known[name], tolerated[name], inner, `${path}.${name}`, depth + 1)
      warnOfOpenValue(walk, `${path}.${name}`, name, inner)
    } else if (inner !== null && typeof inner !== 'object') {
      const place = placeOf(known, name, inner)
      if (place) add(walk, `${path}.${name}`, `is ignored here: it belongs under ${place}`, `${place}.${name}`)
      else if (!Object.hasOwn(tolerated, name)) warnOfKey(walk, `${path}.${name}`, name, names)
    } else if (!Object.hasOwn(tolerated, name)) warnOfKey(walk, `${path}.${name}`, name, names)
  }
}

function warnOfKey(walk: Walk, path: string, name: string, known: readonly string[]): void {
  if (walk.keysLeft-- <= 0) return
  const meant = nearMiss(name, known)
  if (meant) add(walk, path, 'is not a known key and is ignored', meant)
}

function warnOfOpenValue(walk: Walk, path: string, name: string, value: unknown): void {
  if (typeof value !== 'string' || !Object.hasOwn(openValues, name)) return
  const meant = nearMiss(value, openValues[name]!)
  if (meant) add(walk, path, 'is not a known name: it gives the generic look', meant)
}

/** The object among the fields that has the key and whose schema takes the value: `process` for `render: true`. */
function placeOf(known: Readonly<Record<string, Schema>>, name: string, value: unknown): string | undefined {
  return Object.keys(known).find((place) => {
    const schema = entriesOf(known[place])
    return schema && Object.hasOwn(schema, name) && schemaTypeOf(schema[name]) === typeof value
  })
}

/** A kind of one type has no effect with the other. Only where the request names both, or creates the video. */
function warnOfSubType(walk: Walk, body: Record<string, unknown>, nested: unknown, row: Route): void {
  const { type, subType } = body
  if (row.nestedUnder !== 'brief' || !entriesOf(row.body)?.type) return
  if (subType !== 'ugc' || (type ?? 'faceless') === 'ai') return
  const isNested = isObject(nested) && Object.hasOwn(nested, 'subType')
  const path = isNested ? 'body.brief.subType' : 'body.subType'
  add(walk, path, 'has no effect with type faceless: `ugc` is a kind of type ai')
}

/** The parts of valibot's schemas that are read here. */
interface SchemaParts {
  type: string
  entries?: Record<string, Schema>
  item?: Schema
  options?: readonly unknown[]
  wrapped?: SchemaParts
  described?: SchemaParts
  pipe?: readonly SchemaParts[]
}

/** The schema below optional and nullable wrappers and below the checks in front of it. */
function coreOf(schema: Schema | undefined): SchemaParts | undefined {
  let part = schema as unknown as SchemaParts | undefined
  for (let levels = 0; part && !part.entries && !part.item && levels < depthMax; levels++) {
    // A pipe spreads its first schema: `plainObject` and `boundedList` describe what they check in its first item.
    const first: SchemaParts | undefined = part.pipe?.[0]
    const inner: SchemaParts | undefined = part.wrapped ?? part.described ?? first?.described
    if (!inner) return part
    part = inner
  }
  return part
}

const entriesOf = (schema: Schema | undefined) => coreOf(schema)?.entries
const itemOf = (schema: Schema | undefined) => coreOf(schema)?.item
const schemaTypeOf = (schema: Schema | undefined) => coreOf(schema)?.type

function optionsOf(schema: Schema | undefined): string[] | undefined {
  const core = coreOf(schema)
  return core?.type === 'picklist' ? core.options?.map(String) : undefined
}
