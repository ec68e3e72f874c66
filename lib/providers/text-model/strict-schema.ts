/**
 * JSON schemas in the form that OpenAI's strict mode requires, and which the grammars of local servers understand: every
 * property required, no further ones, optional ones nullable.
 * https://platform.openai.com/docs/guides/structured-outputs#supported-schemas (read November 2026)
 */
import type { JsonSchema } from './index.ts'

/** `required` is left out where all properties are. */
export function strictObject(properties: Record<string, JsonSchema>, required = Object.keys(properties)): object {
  const entries = Object.entries(properties).map(([name, schema]) => {
    const strict = strictSchema(schema)
    return [name, required.includes(name) ? strict : nullable(strict)]
  })
  return {
    type: 'object',
    properties: Object.fromEntries(entries),
    required: Object.keys(properties),
    additionalProperties: false,
  }
}

type StrictSchema = Record<string, unknown>

function strictSchema(schema: JsonSchema): StrictSchema {
  const { properties, required, items, ...rest } = schema
  if (schema.type === 'object')
    return { ...rest, ...strictObject(properties as Record<string, JsonSchema>, required as string[] | undefined) }
  if (schema.type === 'array') return { ...rest, items: strictSchema(items as JsonSchema) }
  return rest
}

const nullable = (schema: StrictSchema): StrictSchema => ({
  ...schema,
  type: [schema.type, 'null'],
  ...(Array.isArray(schema.enum) && { enum: [...schema.enum, null] }),
})
