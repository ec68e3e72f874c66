/** Bodies to try on a row: its example with one thing changed, in every place and in every way. */

import type { sortedRoutes } from '../../../lib/contract/openapi/document.ts'
import { bodyBytesMax } from '../../../lib/contract/parse-request.ts'
import type { Schema } from '../../../lib/contract/route.ts'
import { parseRefusal } from '../refusals.ts'
import {
  asJson,
  boundaryValues,
  isPlaceholder,
  sampleValue,
  schemaPaths,
  withValueAt,
  wrongValues,
} from './schema-values.ts'
import { volume } from './volume.ts'

type Row = (typeof sortedRoutes)[number]

export interface FuzzCase {
  /** Where the body differs from the example, and what stands there. */
  what: string
  text: string
  /** Whether it is worth a request; the parser judges all of them. */
  isSent: boolean
}

/** Of the wrong values each place is sent one in so many, another part than its neighbour. */
const oneIn = volume(12, 6)
/** At so many places an unknown key is sent. */
const unknownMax = 6

const shown = (value: unknown) => {
  const text = asJson(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 40)}… (${text.length} characters)` : text
}

/** A body that the row takes: the example of the document, or the least that its schema asks for. */
export function exampleBody({ row }: Row): unknown {
  const example = row.bodyExample ?? sampleValue(row.body!)
  const under = row.arrayUnder?.find((key) => Array.isArray((example as Record<string, unknown>)[key]))
  return under ? (example as Record<string, unknown>)[under] : example
}

/** The smallest body that the row takes: an example may name records that are not there. */
export function minimalBody(whole: Row): unknown {
  const least = sampleValue(whole.row.body!)
  return parseRefusalCode(whole, JSON.stringify(least)) === undefined ? least : exampleBody(whole)
}

/** Fields stand flat or nested, arrays bare or under a key: trials take turns. */
function shapes({ row }: Row): ((body: unknown) => unknown)[] {
  const under = [...(row.nestedUnder ? [row.nestedUnder] : []), ...(row.arrayUnder ?? [])]
  return [(body) => body, ...under.map((key) => (body: unknown) => ({ [key]: body }))]
}

export function fuzzCases(whole: Row): FuzzCase[] {
  const schema = whole.row.body as Schema
  const example = exampleBody(whole)
  const forms = shapes(whole)
  const places = schemaPaths(schema)
  const inPlaces = places.flatMap(({ path, schema: inner }, place) => {
    const bounds = boundaryValues(inner).map((value) => ({ value, isSent: true }))
    const wrong = wrongValues
      .map((value, index) => ({ value, isSent: (index + place) % oneIn === 0 }))
      // To judge the very deep ones in all places takes longer than all the others in theirs.
      .filter(({ value, isSent }) => isSent || !isPlaceholder(value) || volume(0, 1) === 1)
    return [...bounds, ...wrong].map(({ value, isSent }) => ({
      what: `${path.join('..')} is ${shown(value)}`,
      body: withValueAt(schema, example, path, value),
      isSent,
    }))
  })
  const deep = places.filter(({ path }) => path.length > 1).map(({ path }) => [...path.slice(0, -1), 'unknownKey'])
  const unknown = [['unknownKey'], ['__proto__'], ['constructor'], ...deep].map((path, index) => ({
    what: `${path.join('..')} is there`,
    body: withValueAt(schema, example, path, { deep: '@deep-array@' }),
    isSent: index < unknownMax,
  }))
  const wholes = [...wrongValues, [example], {}].map((body) => ({
    what: `the body is ${shown(body)}`,
    body,
    isSent: true,
  }))
  return [...inPlaces, ...unknown, ...wholes].map(({ body, ...trial }, index) => ({
    ...trial,
    text: asJson(forms[index % forms.length]!(body)),
  }))
}

/** Texts that are no such body before any field is looked at. */
export function malformedBodies(whole: Row): FuzzCase[] {
  const text = asJson(exampleBody(whole))
  const limit = whole.row.bodyBytesMax ?? bodyBytesMax
  const deep = volume(100_000, limit)
  return [
    ...[
      '{',
      '}',
      '{"a":}',
      '{"a":1,}',
      "{'a':1}",
      '[',
      'undefined',
      'NaN',
      '\u0000',
      `${text}${text}`,
      `\ufeff${text}`,
    ],
    `{"a":1,"a":2}`,
    ' ',
    text.padEnd(limit, ' '),
    text.padEnd(limit + 1, ' '),
    '['.repeat(deep),
    '{"a":'.repeat(deep / 5),
  ].map((broken) => ({ what: `the text is ${shown(broken)}`, text: broken, isSent: true }))
}

/** The code with which the row's own schema refuses a body; undefined where it accepts it. */
export const parseRefusalCode = ({ row }: Row, body: string) => parseRefusal(row, { body })?.code
