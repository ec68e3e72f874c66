/**
 * The arguments of an MCP tool as a JSON schema, from the row of its operation: path parameters, query and body side by side.
 * Limits that the route checks are left out: a model pays for each word of the list of tools.
 */
import { inputJsonSchema } from '../../lib/contract/openapi/schemas.ts'
import { quotedActions } from '../../lib/contract/requests/quotes.ts'
import { pathParameterNames, type Route } from '../../lib/contract/route.ts'
import type { InputSchema } from '../../lib/mcp/tool.ts'
import type { ToolDefinition } from '../../lib/mcp/tool-table.ts'

type JsonSchema = { [keyword: string]: unknown }

/** Checked by the route, whose refusal says what is wrong; or a default that the description tells. */
const omitted = new Set([
  'additionalProperties',
  'maxLength',
  'minLength',
  'pattern',
  'format',
  'maxItems',
  'minItems',
  'uniqueItems',
  'default',
  'title',
])

/** `videoId` for the `id` of `/videos/{id}`. */
export function argumentOfPath({ signature }: Route, parameter: string): string {
  const [, folder = ''] = new RegExp(`/([a-z]+)s/\\{${parameter}\\}`).exec(signature) ?? []
  return parameter === 'id' ? `${folder}Id` : parameter
}

export function inputSchemaOf(row: Route, tool: ToolDefinition): InputSchema {
  const key = row.idempotent
    ? { idempotencyKey: described(text, 'Your own text; repeat it to retry without doing it twice.') }
    : {}
  const quote = quotable.has(tool.operation) ? { quote: described(text, 'The id of quote_price.') } : {}
  if (tool.arguments) return { type: 'object', ...(tool.arguments as Omit<InputSchema, 'type'>) }
  const ids = pathParameterNames(row).map((name) => [argumentOfPath(row, name), text] as const)
  const offered = { ...queryOf(row), ...bodyOf(row) }
  const chosen = tool.fields ?? Object.keys(offered)
  const fields = chosen.map((name) => {
    const schema = offered[name] ?? insideOf(offered, tool.inside?.[name], name)
    if (!schema) throw new Error(`${tool.name} offers ${name}, which ${row.signature} does not take.`)
    return [name, described(slim(schema), tool.notes?.[name])] as const
  })
  const required = [...ids.map(([name]) => name), ...requiredOf(row), ...(tool.required ?? [])].filter(
    (name, at, all) => all.indexOf(name) === at && (ids.some(([id]) => id === name) || chosen.includes(name)),
  )
  return {
    type: 'object',
    properties: { ...Object.fromEntries(ids), ...Object.fromEntries(fields), ...key, ...quote },
    ...(required.length > 0 && { required }),
  }
}

/** The operations that `POST /quotes` prices. */
const quotable = new Set<string>(quotedActions)

const text = { type: 'string' }
/** Query parameters that are numbers arrive as text, so that the row has no type for them. */
const pageParameters: Record<string, JsonSchema> = {
  limit: { type: 'integer', minimum: 1, maximum: 100 },
  offset: { type: 'integer', minimum: 0 },
}

const propertiesOf = (schema: JsonSchema) => (schema.properties ?? {}) as Record<string, JsonSchema>

function queryOf(row: Route): Record<string, JsonSchema> {
  if (!row.query) return {}
  return Object.fromEntries(
    Object.entries(propertiesOf(inputJsonSchema(row.query))).map(([name, schema]) => {
      const { schema: parameter, description } = (row.parameters?.[name] ?? {}) as JsonSchema
      const note = typeof description === 'string' ? { description } : {}
      return [name, { ...(pageParameters[name] ?? schema), ...note, ...(parameter as JsonSchema | undefined) }]
    }),
  )
}

function bodyOf(row: Route): Record<string, JsonSchema> {
  if (!row.body) return {}
  const schema = inputJsonSchema(row.body)
  return row.arrayUnder ? { [row.arrayUnder[0]]: schema } : propertiesOf(schema)
}

const requiredOf = (row: Route): string[] => (row.body ? ((inputJsonSchema(row.body).required ?? []) as string[]) : [])

const insideOf = (offered: Record<string, JsonSchema>, parent: string | undefined, name: string) =>
  parent === undefined ? undefined : propertiesOf(withoutNull(offered[parent]!))[name]

function described(schema: JsonSchema, note: string | undefined): JsonSchema {
  if (note === undefined) return schema
  const { description: _, ...rest } = schema
  return note === '' ? rest : { ...rest, description: note }
}

/** A nullable schema as the schema itself: an absent argument means the same. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema
  const others = Array.isArray(anyOf) ? (anyOf as JsonSchema[]).filter(({ type }) => type !== 'null') : []
  return others.length === 1 ? { ...rest, ...others[0] } : schema
}

function slim(value: JsonSchema): JsonSchema {
  const schema = withoutNull(value)
  const entries = Object.entries(schema).flatMap(([keyword, inner]): [string, unknown][] => {
    if (omitted.has(keyword) || isUnbounded(keyword, inner)) return []
    if (Array.isArray(inner) && inner.length === 0) return []
    if (keyword === 'properties')
      return [
        [
          keyword,
          Object.fromEntries(
            Object.entries(inner as Record<string, JsonSchema>).map(([name, property]) => [name, slim(property)]),
          ),
        ],
      ]
    return [[keyword, slimmed(inner)]]
  })
  return Object.fromEntries(entries)
}

const slimmed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((item) => (isSchema(item) ? slim(item) : item))
  return isSchema(value) ? slim(value) : value
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isUnbounded = (keyword: string, value: unknown) => keyword === 'maximum' && value === Number.MAX_SAFE_INTEGER
