/** Everything that a client sends has a bound, generated from the OpenAPI document. */
import { describe, expect, it } from 'vitest'
import { openApiDocument } from '../../lib/contract/openapi/document.ts'

interface JsonSchema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  pattern?: string
  format?: string
  maxLength?: number
  maxItems?: number
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  additionalProperties?: boolean | JsonSchema
}

interface Parameter {
  $ref?: string
  name: string
  in: string
  schema: JsonSchema
}

const document = openApiDocument() as never as {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string
        parameters?: Parameter[]
        requestBody?: { content: Record<string, { schema: JsonSchema }> }
      }
    >
  >
  components: Record<string, Record<string, object>>
}

/** The part of the document that a reference names. */
function resolved<Part extends { $ref?: string }>(part: Part): Part {
  if (!part.$ref) return part
  const [, , kind, name] = part.$ref.split('/')
  return resolved(document.components[kind!]![name!] as Part)
}

/** A pattern that is anchored and has no open repetition bounds the text. */
const bounds = (pattern = '') => pattern.startsWith('^') && pattern.endsWith('$') && !/[^\\][*+]|,\}/.test(pattern)

/** The paths of texts and lists without a bound. */
function unboundedIn(given: JsonSchema, path: string): string[] {
  const schema = resolved(given)
  const types = [schema.type].flat()
  const isClosed = schema.enum !== undefined || schema.const !== undefined || schema.format === 'date-time'
  const isOpenText = types.includes('string') && !isClosed && schema.maxLength === undefined && !bounds(schema.pattern)
  const isOpenList = types.includes('array') && schema.maxItems === undefined
  return [
    ...(isOpenText || isOpenList ? [path] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => unboundedIn(inner, `${path}.${name}`)),
    ...[schema.anyOf, schema.oneOf, schema.allOf].flatMap((options = []) =>
      options.flatMap((inner) => unboundedIn(inner, path)),
    ),
    ...(schema.items ? unboundedIn(schema.items, `${path}[]`) : []),
    ...(typeof schema.additionalProperties === 'object' ? unboundedIn(schema.additionalProperties, `${path}.*`) : []),
  ]
}

const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))

describe('the request of each operation', () => {
  for (const { operationId, parameters = [], requestBody } of operations)
    it(`${operationId} has no text and no list without a bound`, () => {
      const sent = parameters
        .map(resolved)
        .flatMap(({ in: where, name, schema }) => unboundedIn(schema, `${where}.${name}`))
      const body = requestBody ? unboundedIn(requestBody.content['application/json']!.schema, 'body') : []
      // The check that a prompt or a text is not blank repeats two fields, which are bounded above it.
      const isRepeated = (path: string) => /^body\.(?:brief\.)?(?:prompt|text)$/.test(path)
      expect([...sent, ...body].filter((path) => !isRepeated(path))).toEqual([])
    })

  it('is read by a walk that finds what has no bound', () => {
    const schema = {
      properties: { a: { type: 'string' }, b: { type: 'array', items: { pattern: '^x+$', type: 'string' } } },
    }
    expect(unboundedIn(schema, 'body')).toEqual(['body.a', 'body.b', 'body.b[]'])
  })
})
