/** Everything that a client sends and reads has a bound, generated from the OpenAPI document. */
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

type Content = Record<string, { schema: JsonSchema }>

interface Response {
  $ref?: string
  headers?: Record<string, { $ref?: string; schema: JsonSchema }>
  content?: Content
}

interface Operation {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, Response>
}

const document = openApiDocument() as never as {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, object>>
}

/** The part of the document that a reference names. */
function resolved<Part extends { $ref?: string }>(part: Part): Part {
  if (!part.$ref) return part
  const [, , kind, name] = part.$ref.split('/')
  return resolved(document.components[kind!]![name!] as Part)
}

/** A pattern that is anchored and has no open repetition bounds the text. In a set of characters, `*` and `+` are characters. */
const bounds = (pattern = '') =>
  pattern.startsWith('^') && pattern.endsWith('$') && !/[*+]|,\}/.test(pattern.replaceAll(/\\.|\[[^\]]*\]/g, 'x'))

/** The paths of texts and lists without a bound. `open`: the references that the walk is inside of. */
function unboundedIn(given: JsonSchema, path: string, open: readonly string[] = []): string[] {
  if (given.$ref && open.includes(given.$ref)) return []
  const schema = resolved(given)
  const inside = given.$ref ? [...open, given.$ref] : open
  const types = [schema.type].flat()
  const isClosed = schema.enum !== undefined || schema.const !== undefined || schema.format === 'date-time'
  const isOpenText = types.includes('string') && !isClosed && schema.maxLength === undefined && !bounds(schema.pattern)
  const isOpenList = types.includes('array') && schema.maxItems === undefined
  return [
    ...(isOpenText || isOpenList ? [path] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
      unboundedIn(inner, `${path}.${name}`, inside),
    ),
    ...[schema.anyOf, schema.oneOf, schema.allOf].flatMap((options = []) =>
      options.flatMap((inner) => unboundedIn(inner, path, inside)),
    ),
    ...(schema.items ? unboundedIn(schema.items, `${path}[]`, inside) : []),
    ...(typeof schema.additionalProperties === 'object'
      ? unboundedIn(schema.additionalProperties, `${path}.*`, inside)
      : []),
  ]
}

/** Of JSON: a page for a browser is no data of a program. */
const unboundedInBody = (content: Content | undefined, path: string) =>
  content?.['application/json'] ? unboundedIn(content['application/json'].schema, path) : []

const operations = [document.paths, document.webhooks].flatMap((group) =>
  Object.values(group).flatMap((methods) => Object.values(methods)),
)

describe.each(operations)('$operationId', ({ parameters = [], requestBody, responses }) => {
  it('has no text and no list without a bound in its request', () => {
    const sent = parameters
      .map(resolved)
      .flatMap(({ in: where, name, schema }) => unboundedIn(schema, `${where}.${name}`))
    expect([...sent, ...unboundedInBody(requestBody?.content, 'body')]).toEqual([])
  })

  it('has no text and no list without a bound in its responses', () => {
    const received = Object.entries(responses).flatMap(([status, given]) => {
      const { headers = {}, content } = resolved(given)
      const inHeaders = Object.entries(headers).flatMap(([name, header]) =>
        unboundedIn(resolved(header).schema, `${status}.${name}`),
      )
      return [...inHeaders, ...unboundedInBody(content, status)]
    })
    expect(received).toEqual([])
  })
})

describe('the walk', () => {
  it('finds what has no bound', () => {
    const schema = {
      properties: { a: { type: 'string' }, b: { type: 'array', items: { pattern: '^x+$', type: 'string' } } },
    }
    expect(unboundedIn(schema, 'body')).toEqual(['body.a', 'body.b', 'body.b[]'])
  })

  it('takes a sign of repetition in a set of characters for a character', () => {
    expect(unboundedIn({ type: 'string', pattern: '^[a+/*]{3}$' }, 'body')).toEqual([])
    expect(unboundedIn({ type: 'string', pattern: '^[a/]+$' }, 'body')).toEqual(['body'])
  })
})
