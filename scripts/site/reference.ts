/** The API reference as Markdown pages, from the OpenAPI document: one page for each tag, one for the schemas, one for the events. */
import { markdownTable } from '../markdown-table.ts'
import type { Operation, Schema, Specification } from './specification.ts'
import { operationsOf, resolved, successOf } from './specification.ts'

/** The same operation in the clients, the command line and MCP. */
export interface Callers {
  /** `videos addScene`: noun and verb, by operation id. */
  clients: Record<string, { group: string; verb: string; parameters: { name: string; example: string }[] }>
  /** The names of the MCP tools by operation id. */
  tools: Record<string, string[]>
}

/** The pages by their path in the site. */
export function referencePages(document: Specification, callers: Callers): Record<string, string> {
  const operations = operationsOf(document)
  const tagged = document.tags.map(({ name, description }) => {
    const own = operations.filter(({ tags }) => tags[0] === name)
    return { name, description, operations: own }
  })
  const pages = tagged.map(({ name, description, operations }) => [
    `api/${name}.md`,
    [`# API: ${name}`, description, ...operations.map((one) => operationText(document, one, callers))].join('\n\n'),
  ])
  const index = tagged.flatMap(({ name, description, operations }) => [
    `## [${name}](${name}.md)`,
    description,
    markdownTable(
      ['Request', 'What it does'],
      operations.map(({ method, path, summary }) => [
        `\`${method} ${path}\``,
        `[${summary}](${name}.md#${anchor(summary)})`,
      ]),
    ),
  ])
  return {
    'api/index.md': [
      '# API reference',
      `${document.info.description} Version ${document.info.version}.`,
      'Paths follow the base URL, which ends in `/v1`. Every request has `Authorization: Bearer KEY`, except where an operation says otherwise. [Requests](../guides/requests.md) has what holds for all of them.',
      'The same as files: [OpenAPI 3.1](../openapi.json), a [Postman collection](../reelsmith.postman_collection.json), a [Bruno collection](../reelsmith.bruno_collection.json). ' +
        '[Schemas](schemas.md) has the records, [webhook events](webhook-events.md) what is posted to your endpoints.',
      ...index,
    ].join('\n\n'),
    ...Object.fromEntries(pages),
    'api/webhook-events.md': eventsPage(document),
    'api/schemas.md': schemasPage(document),
  }
}

export const anchor = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')

function operationText(document: Specification, operation: Operation, { clients, tools }: Callers): string {
  const { operationId, method, path, summary, description } = operation
  const client = clients[operationId]
  const parameters = (operation.parameters ?? []).map((parameter) => resolved(document, parameter))
  const body = operation.requestBody?.content['application/json']
  const success = successOf(operation)
  const errors = Object.entries(operation.responses)
    .filter(([status]) => Number(status) >= 400)
    .map(([status, response]) => `${status} ${resolved(document, response).description}`)
  const called = client && [
    `\`reelsmith ${client.group} ${kebab(client.verb)}\``,
    `\`client.${client.group}.${client.verb}\` in TypeScript`,
    `\`client.${client.group}.${kebab(client.verb).replaceAll('-', '_')}\` in Python`,
    ...(tools[operationId]?.length ? [`MCP ${tools[operationId].map((tool) => `\`${tool}\``).join(', ')}`] : []),
  ]
  const parameterTable = markdownTable(
    ['Parameter', 'In', 'Type', 'Meaning'],
    parameters.map((parameter) => [
      `\`${parameter.name}\`${parameter.required ? ' (required)' : ''}`,
      parameter.in,
      typeOf(parameter.schema),
      meaning(parameter.schema, parameter.description),
    ]),
  )
  return [
    `## ${summary}`,
    `\`${method} ${path}\` · \`${operationId}\``,
    description,
    called && `Also ${called.join(', ')}.`,
    operation.security?.length === 0 && 'Needs no API key.',
    parameters.length > 0 && parameterTable,
    body && `**Body**${operation.requestBody!.required ? '' : ' (optional)'}`,
    body && fieldTable(document, body.schema, 'required'),
    fence('sh', curl(operation, body?.example, client?.parameters ?? [])),
    success && `**Response ${success.status}**: ${returned(success.schema)}`,
    success?.example !== undefined &&
      `<details><summary>Example</summary>\n\n${fence('json', JSON.stringify(success.example, null, 2))}\n\n</details>`,
    `**Errors**: ${errors.join(' · ')}`,
  ]
    .filter(Boolean)
    .join('\n\n')
}

const fence = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``

const kebab = (verb: string) => verb.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** What `data` of a response is. */
function returned(schema: Schema | undefined): string {
  const data = schema?.properties?.data
  if (!data) return 'no JSON.'
  return `\`data\` is ${typeOf(data)}${schema.properties?.paging ? ', with `paging`' : ''}.`
}

function curl(operation: Operation, example: unknown, parameters: { name: string; example: string }[]): string {
  const path = operation.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => parameters.find((parameter) => parameter.name === name)?.example ?? name,
  )
  const isIdempotent = operation.parameters?.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'))
  const words = [
    `curl -s${operation.method === 'GET' ? '' : ` -X ${operation.method}`} "$BASE_URL${path === '/' ? '' : path}"`,
    operation.security?.length === 0 ? '' : '-H "Authorization: Bearer $KEY"',
    isIdempotent ? `-H "Idempotency-Key: ${kebab(operation.operationId)}-1"` : '',
    example === undefined ? '' : `-d '${JSON.stringify(example, null, 2).replaceAll("'", "'\\''")}'`,
  ].filter(Boolean)
  return words.length < 4 && words.join(' ').length <= 120 ? words.join(' ') : words.join(' \\\n  ')
}

/** Which fields are marked: a body has few that are required, a record few that may be absent. */
type Mark = 'required' | 'optional'

/** A row for each field; those of objects without a name follow, as `process.render`. */
function fieldTable(document: Specification, schema: Schema, mark: Mark): string {
  const target = resolved(document, schema)
  const rows = fieldRows(target, mark)
  if (rows.length === 0) return (target.anyOf ?? target.oneOf ?? [target]).map(typeOf).join(' or ')
  return markdownTable(['Field', 'Type', 'Meaning'], rows)
}

function fieldRows(schema: Schema, mark: Mark, prefix = ''): string[][] {
  const { properties = {}, required = [] } = objectIn(schema) ?? {}
  return Object.entries(properties).flatMap(([name, field]) => {
    const item = field.items && objectIn(field.items) ? field.items : undefined
    return [
      [
        `\`${prefix}${name}\`${required.includes(name) === (mark === 'required') ? ` (${mark})` : ''}`,
        typeOf(field),
        meaning(field),
      ],
      ...fieldRows(item ?? field, mark, `${prefix}${name}${item ? '[]' : ''}.`),
    ]
  })
}

/** The object that a schema describes itself, also one that may be null. */
const objectIn = (schema: Schema): Schema | undefined =>
  schema.properties ? schema : (schema.anyOf ?? schema.oneOf)?.find(({ properties }) => properties)

/** A type in words, with links to the schemas. */
function typeOf(schema: Schema): string {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1)!
    return `[${name}](schemas.md#${anchor(name)})`
  }
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(', ')
  const choices = schema.properties ? undefined : (schema.anyOf ?? schema.oneOf)
  if (choices) return [...new Set(choices.map(typeOf))].join(' or ')
  if (schema.type === 'array') return schema.items ? `list of ${typeOf(schema.items)}` : 'list'
  return [schema.format, schema.type ?? 'any value'].filter(Boolean).join(' ')
}

/** The description with the bounds, which may be those of one of several types. */
function meaning(schema: Schema, description = schema.description): string {
  const bounds = [schema, ...(schema.anyOf ?? [])].flatMap((choice) => [
    range(choice.minimum, choice.maximum, ''),
    range(choice.minLength, choice.maxLength, ' characters'),
    range(choice.minItems, choice.maxItems, ' entries'),
    choice.default === undefined ? '' : `default \`${JSON.stringify(choice.default)}\``,
  ])
  const known = bounds.filter(Boolean).join('; ')
  const text = (description ?? '').replaceAll('\n', ' ')
  return known ? `${text} (${known})`.trim() : text
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  const isBounded = most !== undefined && most < Number.MAX_SAFE_INTEGER
  if (isBounded) return least ? `${least} to ${most}${unit}` : `at most ${most}${unit}`
  return least ? `at least ${least}${unit}` : ''
}

function eventsPage(document: Specification): string {
  const events = Object.entries(document.webhooks).map(([name, { post }]) => {
    const { schema, example } = post.requestBody!.content['application/json']
    return [
      `## ${name}`,
      `${post.summary}.`,
      fieldTable(document, schema, 'optional'),
      `<details><summary>Example</summary>\n\n${fence('json', JSON.stringify(example, null, 2))}\n\n</details>`,
    ].join('\n\n')
  })
  return [
    '# API: webhook events',
    'The bodies that the service posts to your endpoints. [Webhooks](../guides/webhooks.md) has headers, signatures and retries.',
    ...events,
  ].join('\n\n')
}

/** Records and their parts; a body is described at its operation. */
function schemasPage(document: Specification): string {
  const { schemas } = document.components
  const text = JSON.stringify(schemas)
  const names = Object.keys(schemas).filter((name) => !name.endsWith('Request') || text.includes(`/${name}"`))
  const parts = names.map((name) =>
    [
      `## ${name}`,
      schemas[name]!.description,
      fieldTable(document, schemas[name]!, name.endsWith('Request') ? 'required' : 'optional'),
    ]
      .filter(Boolean)
      .join('\n\n'),
  )
  return ['# API: schemas', 'The records of the API and their parts.', ...parts].join('\n\n')
}
