/** What the emitters of both languages write: the named types of the OpenAPI document, and the operations. */
import type { OpenApiDocument } from '../../lib/contract/openapi/document.ts'
import { namedSchemas } from '../../lib/contract/openapi/schemas.ts'
import { type Field, type JsonSchema, type Shape, shapeOf, typeName } from './json-schema.ts'
import { type ClientOperation, clientOperations, pascal } from './operations.ts'

export interface NamedType {
  name: string
  shape: Shape
  /** A request: optional fields may also be undefined. */
  isInput: boolean
  /** The name of a type that has all other fields. */
  base: string | undefined
}

export interface TypedOperation extends ClientOperation {
  /** The name of the type of the input, or its shape. */
  inputShape: Shape | undefined
  returnShape: Shape
}

export interface ClientModel {
  version: string
  types: NamedType[]
  operations: TypedOperation[]
  /** The names of the types of all events, and of the test event. */
  events: string[]
}

export function clientModel(document: OpenApiDocument): ClientModel {
  const schemas = Object.entries(document.components.schemas as Record<string, JsonSchema>)
  const types = schemas.map(([name, schema]): NamedType => {
    const isInput = !(name in namedSchemas)
    const type = { name: typeName(name), shape: shapeOf(schema, isInput ? 'request' : 'response'), isInput }
    return { ...type, ...withBase(type.shape, name.replace(/Request$/, 'Fields'), document) }
  })
  const operations = clientOperations(document).map((operation): TypedOperation => {
    const { input, id } = operation
    return {
      ...operation,
      inputShape: input && named(shapeOf(input.schema, 'request'), input.name, true),
      returnShape: named(shapeOf(operation.returns, 'response'), `${pascal(id)}Result`, false),
    }
  })
  /** Gives an object without a name one. */
  function named(shape: Shape, name: string, isInput: boolean): Shape {
    if (shape.kind !== 'object') return shape
    types.push({ name, shape, isInput, base: undefined })
    return { kind: 'named', name }
  }
  const names = types.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice) throw new Error(`Two types of the clients have the name ${twice}.`)
  const events = Object.values(document.webhooks).flatMap(Object.values).map(eventSchemaOf)
  return { version: String((document.info as { version: string }).version), types, operations, events }
}

/** A body with fields that may also be nested under a key: the fields are those of another type. */
function withBase(shape: Shape, base: string, document: OpenApiDocument): Pick<NamedType, 'base'> & { shape: Shape } {
  const known = document.components.schemas?.[base] as JsonSchema | undefined
  const baseShape = known && shapeOf(known, 'request')
  if (shape.kind !== 'object' || baseShape?.kind !== 'object' || shape.fields.length <= baseShape.fields.length)
    return { shape, base: undefined }
  const text = (field: Field) => JSON.stringify({ ...field, description: '' })
  const inherited = new Set(baseShape.fields.map(text))
  const own = shape.fields.filter((field) => !inherited.has(text(field)))
  if (own.length + inherited.size !== shape.fields.length) return { shape, base: undefined }
  return { shape: { kind: 'object', fields: own }, base }
}

function eventSchemaOf(operation: unknown): string {
  const { requestBody } = operation as { requestBody: { content: { 'application/json': { schema: JsonSchema } } } }
  return requestBody.content['application/json'].schema.$ref!.split('/').at(-1)!
}
