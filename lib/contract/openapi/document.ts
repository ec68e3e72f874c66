/** Generates the OpenAPI document from the route table and its schemas. */

import { toJsonSchemaDefs } from '@valibot/to-json-schema'
import * as v from 'valibot'
import packages from '../../../package.json' with { type: 'json' }
import type { ErrorBody } from '../errors.ts'
import { httpStatusOf } from '../errors.ts'
import { refusalCodesOf } from '../refusal-codes.ts'
import type { Route, Schema } from '../route.ts'
import { basePath, isPaid, isRevisedEdit, pathParameterNames, splitSignature } from '../route.ts'
import * as routes from '../routes.ts'
import { mayWarn, warningsMax } from '../warnings.ts'
import { commonHeaders, headerRefs, headers, pageParameters, parameters, pathParameter, tags } from './components.ts'
import { describeProperties } from './descriptions.ts'
import { exampleErrors, exampleResponses } from './examples/index.ts'
import {
  componentRef,
  conversionConfig,
  inputJsonSchema,
  jsonContent,
  namedSchemas,
  type OpenApiObject,
  outputJsonSchema,
  pascalCase,
} from './schemas.ts'
import { webhookOperations } from './webhooks.ts'

type RouteName = keyof typeof routes

export interface OpenApiDocument extends OpenApiObject {
  paths: Record<string, Record<string, OpenApiObject>>
  webhooks: Record<string, Record<string, OpenApiObject>>
  components: Record<string, Record<string, OpenApiObject>>
}

/** The rows, sorted by path and method. */
export const sortedRoutes = Object.entries<Route>(routes)
  .map(([name, row]) => ({ name: name as RouteName, row, ...splitSignature(row.signature) }))
  .toSorted((a, b) => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1))

/** The rows that require an API key. */
export const authenticatedRoutes = sortedRoutes.filter(({ row }) => !row.isPublic)

export function openApiDocument(): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {}
  const [examples, errorExamples] = [exampleResponses(), exampleErrors()]
  for (const { name, row, method, path } of sortedRoutes)
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(name, row, examples[name]) }
  const singles = authenticatedRoutes.flatMap(({ row }) => [...codesByStatus(row).values()]).filter(isSingle)
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Reelsmith',
      version: packages.version,
      summary: 'An HTTP API that turns a brief into a short video.',
      description:
        'The response is `{ data }` for a record, `{ data, paging }` for a page of records, `{ error }` for every error. `warnings` beside `data` ' +
        'name what was ignored and is probably a typing error. Operations ' +
        'that accept an `Idempotency-Key` respond to a repeat with the first response. Times are ISO 8601 in UTC; ids are opaque.',
      contact: { name: 'Reelsmith', url: 'https://reelsmith.dev' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: `https://{host}${basePath}`,
        description: 'A deployment',
        variables: { host: { default: 'api.reelsmith.dev' } },
      },
      { url: `http://127.0.0.1:8787${basePath}`, description: 'The local run' },
    ],
    security: [{ apiKey: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhookOperations(),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'The API key of a workspace: `rs_live_` and 49 characters.',
        },
      },
      parameters,
      headers,
      responses: Object.fromEntries(
        [...new Set(singles.flat())].map((code) => [pascalCase(code), errorResponse([code], errorExamples[code])]),
      ),
      schemas: {
        ...(toJsonSchemaDefs(namedSchemas, { ...conversionConfig, typeMode: 'output' }) as Record<
          string,
          OpenApiObject
        >),
        ...Object.assign({}, ...sortedRoutes.map(({ name, row }) => requestBodySchemas(name, row))),
      },
    },
  } satisfies OpenApiDocument
  for (const [name, schema] of Object.entries(document.components.schemas)) describeProperties(schema, name)
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods)))
    describeProperties(operation, String(operation.operationId))
  return document
}

const tagOf = ({ tag, handler }: Route): string => tag ?? handler.split('/')[0]!

/** An HTML page for a browser; errors are pages, too. */
function publicOperation(name: RouteName, row: Route): OpenApiObject {
  const page = { 'text/html': { schema: outputJsonSchema(row.returns) } }
  return {
    operationId: name,
    summary: row.summary,
    ...(row.description ? { description: row.description } : {}),
    tags: [tagOf(row)],
    security: [],
    parameters: pathParameterNames(row).map(pathParameter),
    responses: {
      200: { description: successDescriptions[200], headers: headerRefs(['X-Request-Id']), content: page },
      '4XX': { description: 'A page with the reason why no account was connected.', content: page },
      '5XX': { description: 'A page that reports an internal error.', content: page },
    },
  }
}

function operation(name: RouteName, row: Route, example: unknown): OpenApiObject {
  if (row.isPublic) return publicOperation(name, row)
  const status = row.status ?? 200
  const data = outputJsonSchema(row.returns)
  const warnings = { type: 'array', items: componentRef('schemas', 'Warning'), maxItems: warningsMax }
  const warned = mayWarn(row) ? { warnings } : {}
  const page = {
    type: 'object',
    required: ['data', 'paging'],
    properties: { data, paging: componentRef('schemas', row.paged === 'cursor' ? 'EventPaging' : 'Paging'), ...warned },
  }
  const record = { type: 'object', required: ['data'], properties: { data, ...warned } }
  return {
    operationId: name,
    summary: row.summary,
    ...(row.description ? { description: row.description } : {}),
    tags: [tagOf(row)],
    parameters: [
      ...pathParameterNames(row).map(pathParameter),
      ...queryParameters(row),
      ...(isRevisedEdit(row) ? [componentRef('parameters', 'IfMatch')] : []),
      ...(row.idempotent ? [componentRef('parameters', 'IdempotencyKey')] : []),
      ...(isPaid(row) ? [componentRef('parameters', 'Quote')] : []),
      ...(row.waitSeconds === undefined ? [] : [componentRef('parameters', 'Prefer')]),
      componentRef('parameters', 'ServiceWorkspace'),
    ],
    ...(row.body ? { requestBody: requestBody(name, row.body, row.bodyExample) } : {}),
    responses: {
      [status]: {
        description: successDescriptions[status],
        headers: headerRefs([
          ...commonHeaders,
          ...(row.revised ? ['ETag'] : []),
          ...(row.idempotent ? ['Idempotent-Replayed', 'Idempotency-Mismatch'] : []),
        ]),
        content: jsonContent(row.paged ? page : record, row.paged ? example : { data: example }),
      },
      ...Object.fromEntries(
        [...codesByStatus(row)].map(([status, codes]) => [
          status,
          isSingle(codes) ? componentRef('responses', pascalCase(codes[0]!)) : errorResponse(codes),
        ]),
      ),
    },
  }
}

const successDescriptions = { 200: 'Done.', 201: 'Created.', 202: 'Queued.' }

/** Numbers are described as numbers, although valibot parses them from text. */
function queryParameters({ query, parameters }: Route): OpenApiObject[] {
  const entries = (query as { entries?: Record<string, Schema> } | undefined)?.entries ?? {}
  return Object.entries(entries).map(([name, schema]) => ({
    name,
    in: 'query',
    schema: integerSchema(schema) ?? inputJsonSchema(schema),
    ...pageParameters[name],
    ...parameters?.[name],
  }))
}

function integerSchema(schema: Schema): OpenApiObject | undefined {
  const { wrapped, default: absent } = schema as {
    wrapped?: { pipe?: Partial<v.MinValueAction<number, number, undefined>>[] }
    default?: unknown
  }
  const bound = (type: string) => wrapped?.pipe?.find((action) => action.type === type)?.requirement
  if (bound('max_value') === undefined) return undefined
  return { type: 'integer', minimum: bound('min_value'), maximum: bound('max_value'), default: Number(absent) }
}

function requestBody(name: RouteName, body: Schema, example: unknown): OpenApiObject {
  const required = !v.safeParse(body, {}).success
  return { required, content: jsonContent(componentRef('schemas', `${pascalCase(name)}Request`), example) }
}

/** The schema of the body; for a nested or array form, also the schema of its fields or items. */
function requestBodySchemas(
  name: RouteName,
  { body, bodySchema, nestedUnder, arrayUnder }: Route,
): Record<string, OpenApiObject> {
  if (!body) return {}
  if (arrayUnder) return arraySchemas(name, inputJsonSchema(body), arrayUnder)
  const [whole, fields] = [`${pascalCase(name)}Request`, `${pascalCase(name)}Fields`]
  if (!nestedUnder) return { [whole]: { ...inputJsonSchema(body), ...bodySchema } }
  const nested = {
    description: 'The same fields, nested. They take precedence.',
    anyOf: [componentRef('schemas', fields), { type: 'null' }],
  }
  const flat = inputJsonSchema(body)
  // Not `allOf`: with `additionalProperties: false`, it would refuse the nested key.
  const both = { ...flat, properties: { ...(flat.properties as OpenApiObject), [nestedUnder]: nested } }
  return { [fields]: flat, [whole]: { ...both, ...bodySchema } }
}

/** The array, bare or under one of the keys. */
function arraySchemas(name: RouteName, items: OpenApiObject, keys: readonly string[]): Record<string, OpenApiObject> {
  const array = `${pascalCase(name)}Items`
  const under = keys.map((key) => ({
    type: 'object',
    required: [key],
    properties: { [key]: componentRef('schemas', array) },
  }))
  const whole = { anyOf: [componentRef('schemas', array), ...under] }
  return { [array]: items, [`${pascalCase(name)}Request`]: whole }
}

/** The error codes of a route by status. */
function codesByStatus(row: Route): Map<number, ErrorBody['error']['code'][]> {
  const codes = refusalCodesOf(row)
  return Map.groupBy([...codes, 'internal-error'] as const, (code) =>
    code === 'internal-error' ? 500 : httpStatusOf[code],
  )
}

const isSingle = (codes: unknown[]) => codes.length === 1

function errorResponse(codes: ErrorBody['error']['code'][], example?: ErrorBody): OpenApiObject {
  const extra: Partial<Record<ErrorBody['error']['code'], string>> = {
    unauthorized: 'WWW-Authenticate',
    'rate-limited': 'Retry-After',
    unavailable: 'Retry-After',
  }
  const common = codes.includes('unauthorized') ? ['X-Request-Id'] : commonHeaders
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: headerRefs([...common, ...codes.flatMap((code) => extra[code] ?? [])]),
    content: jsonContent(componentRef('schemas', 'Error'), example),
  }
}
