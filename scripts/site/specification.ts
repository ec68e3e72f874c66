/** `docs/openapi.json` as the site reads it: the parts of OpenAPI 3.1 that the document has. */

export interface Schema {
  $ref?: string
  type?: string
  description?: string
  format?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  default?: unknown
}

export interface Parameter {
  $ref?: string
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}

interface Content {
  content?: { 'application/json'?: { schema: Schema; example?: unknown } }
}

export interface Operation {
  method: string
  path: string
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security?: object[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: { 'application/json': { schema: Schema; example?: unknown } } }
  responses: Record<string, Content & { $ref?: string; description: string }>
}

export interface Specification {
  info: { title: string; version: string; summary: string; description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { schemas: Record<string, Schema> } & Record<string, Record<string, unknown>>
}

/** All operations, with their method and path. */
export const operationsOf = (document: Specification): Operation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )

/** The part that a reference names, or the part itself. */
export function resolved<Part extends { $ref?: string }>(document: Specification, part: Part): Part {
  if (!part.$ref) return part
  const [kind = '', name = ''] = part.$ref.split('/').slice(2)
  return document.components[kind]![name] as Part
}

/** The first response below 300. */
export function successOf({ responses }: Operation) {
  const [status, response] = Object.entries(responses).find(([code]) => code < '300') ?? []
  const json = response?.content?.['application/json']
  return status === undefined ? undefined : { status, schema: json?.schema, example: json?.example }
}
