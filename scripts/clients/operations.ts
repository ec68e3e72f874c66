/** The route table as the generators of the clients need it: one plain record per operation, sorted by group and verb. */
import type { OpenApiDocument } from '../../lib/contract/openapi/document.ts'
import { authenticatedRoutes } from '../../lib/contract/openapi/document.ts'
import type { OpenApiObject } from '../../lib/contract/openapi/schemas.ts'
import { operationName } from '../../lib/contract/operation-name.ts'
import { pathParameterNames } from '../../lib/contract/route.ts'
import type { JsonSchema } from './json-schema.ts'

export interface ClientOperation {
  /** The operation id of the OpenAPI document. */
  id: string
  group: string
  verb: string
  method: string
  path: string
  pathParameters: string[]
  summary: string
  description: string | undefined
  /** The second kind of argument: a JSON body or query parameters. No operation has both. */
  input: { kind: 'body' | 'query'; name: string; schema: JsonSchema; isRequired: boolean } | undefined
  /** The schema of `data`, or of one record of it where the operation is paged. */
  returns: JsonSchema
  isPaged: boolean
  /** Its pages follow each other by a cursor, not by an offset. */
  isLog: boolean
  isIdempotent: boolean
  /** Accepts the header `If-Match`. */
  isRevised: boolean
  /** Accepts the header `Quote`. */
  isQuoted: boolean
  /** Accepts the header `Prefer: wait=N`. */
  waits: boolean
}

interface Parameter {
  $ref?: string
  name: string
  in: string
  required?: boolean
  description?: string
  schema: JsonSchema
}

/** The operations with an API key. Throws where a client could not express one. */
export function clientOperations(document: OpenApiDocument): ClientOperation[] {
  const operations = authenticatedRoutes.map(({ name, row, method, path }): ClientOperation => {
    const operation = document.paths[path]![method.toLowerCase()]!
    const parameters = (operation.parameters ?? []) as Parameter[]
    const accepts = (header: string) => parameters.some(({ $ref }) => $ref === `#/components/parameters/${header}`)
    const returned = successSchema(operation)
    return {
      id: name,
      ...operationName(row),
      method,
      path,
      pathParameters: pathParameterNames(row),
      summary: row.summary,
      description: row.description,
      input: bodyOf(name, operation) ?? queryOf(name, parameters),
      returns: row.paged ? (returned.items as JsonSchema) : returned,
      isPaged: row.paged !== undefined,
      isLog: row.paged === 'cursor',
      isIdempotent: row.idempotent ?? false,
      isRevised: accepts('IfMatch'),
      isQuoted: accepts('Quote'),
      waits: accepts('Prefer'),
    }
  })
  const sorted = operations.toSorted((a, b) => (`${a.group} ${a.verb}` < `${b.group} ${b.verb}` ? -1 : 1))
  const repeated = sorted.find(({ group, verb }, index) => {
    const next = sorted[index + 1]
    return next?.group === group && next.verb === verb
  })
  if (repeated) throw new Error(`Two operations have the name ${repeated.group}.${repeated.verb}.`)
  return sorted
}

function successSchema(operation: OpenApiObject): JsonSchema {
  const responses = Object.entries(operation.responses as Record<string, { content?: Content }>)
  const success = responses.find(([status]) => status.startsWith('2'))?.[1]
  return success!.content!['application/json'].schema.properties!.data!
}

interface Content {
  'application/json': { schema: JsonSchema }
}

function bodyOf(id: string, operation: OpenApiObject): ClientOperation['input'] {
  const body = operation.requestBody as { required?: boolean; content: Content } | undefined
  if (!body) return undefined
  const { schema } = body.content['application/json']
  return { kind: 'body', name: `${pascal(id)}Request`, schema, isRequired: body.required ?? false }
}

function queryOf(id: string, parameters: Parameter[]): ClientOperation['input'] {
  const query = parameters.filter((parameter) => parameter.in === 'query')
  if (query.length === 0) return undefined
  const properties = query.map(({ name, schema, description }) => {
    // `true` or `1`: a flag.
    const isFlag = schema.enum?.includes('true')
    const type: JsonSchema = isFlag ? { type: 'boolean' } : schema
    return [name, { ...type, ...(description ? { description } : {}) }]
  })
  const required = query.filter((parameter) => parameter.required).map(({ name }) => name)
  return {
    kind: 'query',
    name: `${pascal(id)}Query`,
    schema: { type: 'object', properties: Object.fromEntries(properties), required },
    isRequired: required.length > 0,
  }
}

export const pascal = (name: string): string => name[0]!.toUpperCase() + name.slice(1)
