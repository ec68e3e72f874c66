/** The JSON schemas of the OpenAPI document, simplified to what the types of a client can express. */

export interface JsonSchema {
  $ref?: string
  type?: string
  description?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  propertyNames?: JsonSchema
  additionalProperties?: JsonSchema | boolean
  default?: unknown
}

export type Literal = string | number | boolean | null

/** A type as all languages have it. */
export type Shape =
  | { kind: 'any' }
  | { kind: 'primitive'; name: 'string' | 'number' | 'integer' | 'boolean' | 'null' }
  | { kind: 'literals'; values: Literal[] }
  | { kind: 'named'; name: string }
  | { kind: 'array'; items: Shape }
  | { kind: 'map'; values: Shape }
  | { kind: 'union'; members: Shape[] }
  | { kind: 'object'; fields: Field[] }

export interface Field {
  name: string
  shape: Shape
  isRequired: boolean
  description: string | undefined
}

/** Names that mean something else in a language. */
const renamed: Record<string, string> = { Error: 'ErrorResponse', Warning: 'ApiWarning' }

export const typeName = (name: string): string => renamed[name] ?? name

export type Direction = 'request' | 'response'

/** The shape of a schema. Bounds and patterns are dropped: the service checks them. Throws for an unknown kind of schema. */
export function shapeOf(schema: JsonSchema, direction: Direction): Shape {
  if (schema.$ref !== undefined) return { kind: 'named', name: typeName(schema.$ref.split('/').at(-1)!) }
  if ('const' in schema) return { kind: 'literals', values: [schema.const as Literal] }
  if (schema.enum) return { kind: 'literals', values: schema.enum as Literal[] }
  // Beside properties, it says which of them are required together.
  const choices = schema.properties ? undefined : (schema.anyOf ?? schema.oneOf)
  if (choices) return unionOf(choices.map((choice) => shapeOf(choice, direction)))
  switch (schema.type) {
    case 'object':
      return objectShape(schema, direction)
    case 'array':
      return { kind: 'array', items: schema.items ? shapeOf(schema.items, direction) : { kind: 'any' } }
    case 'string':
    case 'number':
    case 'integer':
    case 'boolean':
    case 'null':
      return { kind: 'primitive', name: schema.type }
    case undefined:
      return { kind: 'any' }
    default:
      throw new Error(`The clients cannot express the schema ${JSON.stringify(schema)}.`)
  }
}

function objectShape({ properties, required = [], additionalProperties }: JsonSchema, direction: Direction): Shape {
  if (properties && Object.keys(properties).length > 0)
    return {
      kind: 'object',
      fields: Object.entries(properties).map(([name, property]) => ({
        name,
        shape: shapeOf(property, direction),
        // A response has every field with a default.
        isRequired: required.includes(name) || (direction === 'response' && 'default' in property),
        description: property.description,
      })),
    }
  const values: Shape =
    typeof additionalProperties === 'object' ? shapeOf(additionalProperties, direction) : { kind: 'any' }
  return { kind: 'map', values }
}

/** Flat, each member once, `null` last. */
function unionOf(shapes: Shape[]): Shape {
  const flat = shapes.flatMap((shape) => (shape.kind === 'union' ? shape.members : [shape]))
  const members = [...new Map(flat.map((shape) => [JSON.stringify(shape), shape])).values()]
  const isNull = (shape: Shape) => shape.kind === 'primitive' && shape.name === 'null'
  const sorted = [...members.filter((shape) => !isNull(shape)), ...members.filter(isNull)]
  return sorted.length === 1 ? sorted[0]! : { kind: 'union', members: sorted }
}
