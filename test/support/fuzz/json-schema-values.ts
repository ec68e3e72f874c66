/** Values for a JSON schema of the OpenAPI document: valid ones, ones at its exact limits, and wrong ones. */
import { openApiDocument } from '../../../lib/contract/openapi/document.ts'

export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  pattern?: string
  format?: string
  contentEncoding?: 'base64'
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
}

export type Random = (below: number) => number

/** How a value relates to its schema. `wrong` breaks it in one place or another. */
export type Manner = 'valid' | 'limit' | 'wrong'

const { schemas } = openApiDocument().components as never as { schemas: Record<string, JsonSchema> }

const resolved = (schema: JsonSchema): JsonSchema =>
  schema.$ref ? resolved(schemas[schema.$ref.split('/').at(-1)!]!) : schema

export const pick = <Item>(random: Random, items: readonly Item[]): Item => items[random(items.length)]!

const wrongValues = [null, true, -1, 1.5, 1e308, '', ' ', 'x', '5', '__proto__', 'a\u0000b', [], [null], {}, { a: [] }]
const words = [
  'Why',
  'the',
  'sky',
  'is',
  'blue',
  'ünï',
  '漢字',
  '😀',
  '"quoted"',
  '<b>',
  '#tag',
  '@a.b',
  '100%',
  'a\nb',
]
const texts: Record<string, readonly string[]> = {
  uri: [
    'https://example.com/a.png',
    'HTTPS://A.EXAMPLE/',
    'https://ä.example/ü.png',
    'https://example.org:8443/?a=b#c',
  ],
  'date-time': ['2027-01-01T00:00:00.000Z', '2026-02-28T23:59:59Z'],
}
/** One or another fits most patterns of the contract. */
const patterned = [
  '09:00',
  '#fff',
  '#a1b2c3',
  'Europe/Berlin',
  'en',
  'de',
  '5',
  '16:9',
  'https://example.com/hook',
  'vid_1',
  'x_1',
]

function textFor(schema: JsonSchema, manner: Manner, random: Random): string {
  const { minLength = 0, maxLength = 200, pattern, format, contentEncoding } = schema
  const known = format ? texts[format] : undefined
  if (known) return pick(random, known)
  if (pattern) {
    const fitting = patterned.filter((text) => new RegExp(pattern, 'u').test(text) && text.length <= maxLength)
    if (fitting.length > 0) return pick(random, fitting)
  }
  if (manner === 'limit') {
    // Base64 has no other characters, and as much text of them would be refused by the gateway itself.
    const character = contentEncoding ? 'A' : pick(random, ['a', 'é', '漢', '😀'])
    return character.repeat(pick(random, [minLength, maxLength, maxLength + 1, Math.max(minLength - 1, 0)]))
  }
  const text = Array.from({ length: 1 + random(6) }, () => pick(random, words)).join(' ')
  return [...text.padEnd(minLength, 'a')].slice(0, maxLength).join('')
}

function numberFor({ type, ...bounds }: JsonSchema, manner: Manner, random: Random): number {
  const { minimum = 0, maximum = 10_000 } = bounds
  if (manner === 'limit') return pick(random, [minimum, maximum, minimum - 1, maximum + 1, minimum + 0.5])
  const span = Math.min(maximum - minimum, 10_000)
  if (minimum < -1_000_000) return random(10_000)
  return minimum + (type === 'number' && span <= 2 ? (random(100) / 100) * span : random(Math.floor(span) + 1))
}

export function valueFor(given: JsonSchema, manner: Manner, random: Random, depth = 0): unknown {
  const schema = resolved(given)
  if (manner === 'wrong' && (depth > 0 || random(8) === 0) && random(3) === 0) return pick(random, wrongValues)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return pick(random, schema.enum)
  const types = [schema.type].flat()
  if (types.includes('null') && random(8) === 0) return null
  const options = [...(schema.oneOf ?? []), ...(schema.properties ? [] : (schema.anyOf ?? []))]
  if (options.length > 0 && !schema.properties) return valueFor(pick(random, options), manner, random, depth)
  if (schema.properties || types.includes('object')) {
    const required = new Set([...(schema.required ?? []), ...(pick(random, schema.anyOf ?? [{}]).required ?? [])])
    const names = Object.keys(schema.properties ?? {}).filter((name) => required.has(name) || random(3) === 0)
    const entries = names.map((name) => [name, valueFor(schema.properties![name]!, manner, random, depth + 1)])
    return Object.fromEntries(manner === 'wrong' && random(4) === 0 ? entries.slice(1) : entries)
  }
  if (types.includes('array')) {
    const { minItems = 0, maxItems = 5, items = {} } = schema
    const atLimit =
      manner === 'limit' && random(4) === 0
        ? Math.min(pick(random, [minItems, maxItems, maxItems + 1]), 300)
        : undefined
    const count = atLimit ?? Math.max(minItems, random(Math.min(maxItems, 4) + 1))
    return Array.from({ length: count }, () => valueFor(items, manner, random, depth + 1))
  }
  if (types.includes('boolean')) return random(2) === 1
  if (types.includes('number') || types.includes('integer')) return numberFor(schema, manner, random)
  return textFor(schema, manner, random)
}
