/** The OpenAPI document, from the rows and their schemas; what those cannot say stands in `openapi-words.ts`. */
import { toJsonSchemaDefs } from '@valibot/to-json-schema'
import * as v from 'valibot'
import type { RefusalCode } from '../../domain/core/refusal.ts'
import type { ErrorBody } from '../errors.ts'
import { statusOf } from '../errors.ts'
import { basePath } from '../match-path.ts'
import type { Route, Schema } from '../route.ts'
import { splitSignature } from '../route.ts'
import * as routes from '../routes.ts'
import { byHand } from './annotations.ts'
import { headers, headersOf, parameters, pathParameter } from './components.ts'
import { exampleAnswers, exampleBodies, exampleErrors } from './examples.ts'
import { asInput, asOutput, conversion, json, named, type Part, pascal, ref } from './schemas.ts'
import { postedEvents } from './webhooks.ts'

type RouteName = keyof typeof routes

export interface OpenApiDocument extends Part {
  paths: Record<string, Record<string, Part>>
  webhooks: Record<string, Record<string, Part>>
  components: Record<string, Record<string, Part>>
}

/** The rows in the order of their paths. */
export const rows = Object.entries<Route>(routes)
  .map(([name, row]) => ({ name: name as RouteName, row, ...splitSignature(row.signature) }))
  .toSorted((a, b) => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1))

/** All but those that answer anybody. */
export const keyedRows = rows.filter(({ row }) => !row.open)

export function openApiDocument(): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {}
  for (const { name, row, method, path } of rows)
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(name, row) }
  const singles = keyedRows.flatMap(({ name, row }) => [...codesByStatus(name, row).values()]).filter(isSingle)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Reelsmith',
      version: '1.0.0',
      summary: 'An HTTP API that turns a brief into a short video.',
      description:
        'A record is answered as `{ data }`, a page of records as `{ data, paging }`, every error as `{ error }`. Actions that take ' +
        'an `Idempotency-Key` answer a repeat with their first answer. Times are ISO 8601 in UTC; ids are opaque.',
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
    tags: Object.entries(byHand.tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: postedEvents(),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key of a workspace: `rs_live_` and 49 characters.',
        },
      },
      parameters,
      headers,
      responses: Object.fromEntries(singles.map((codes) => [pascal(codes[0]!), errorResponse(codes)])),
      schemas: {
        ...(toJsonSchemaDefs(named, { ...conversion, typeMode: 'output' }) as Record<string, Part>),
        ...Object.assign({}, ...rows.map(({ name, row }) => bodySchemas(name, row))),
      },
    },
  }
}

const tagOf = ({ tag, handler }: Route): string => tag ?? handler.split('/')[0]!

/** A page for a browser: it needs no key, and says in words what went wrong. */
function openOperation(name: RouteName, row: Route): Part {
  const page = { 'text/html': { schema: asOutput(row.returns) } }
  return {
    operationId: name,
    summary: row.summary,
    tags: [tagOf(row)],
    security: [],
    parameters: idsOf(row).map(pathParameter),
    responses: {
      200: { description: successes[200], headers: headersOf(['X-Request-Id']), content: page },
      '4XX': { description: 'A page that says why nothing was connected.', content: page },
      '5XX': { description: 'A page that says that it is no fault of the visitor.', content: page },
    },
  }
}

function operation(name: RouteName, row: Route): Part {
  if (row.open) return openOperation(name, row)
  const examples = exampleAnswers()
  const status = row.status ?? 200
  const data = asOutput(row.returns)
  const page = { type: 'object', required: ['data', 'paging'], properties: { data, paging: ref('schemas', 'Paging') } }
  const record = { type: 'object', required: ['data'], properties: { data } }
  return {
    operationId: name,
    summary: row.summary,
    tags: [tagOf(row)],
    parameters: [
      ...idsOf(row).map(pathParameter),
      ...queryParameters(row),
      ...(row.idempotent ? [ref('parameters', 'IdempotencyKey')] : []),
      ...(row.waitSeconds === undefined ? [] : [ref('parameters', 'Prefer')]),
      ref('parameters', 'ServiceWorkspace'),
    ],
    ...(row.body ? { requestBody: requestBody(name, row.body) } : {}),
    responses: {
      [status]: {
        description: successes[status],
        headers: headersOf([
          'X-Request-Id',
          ...(row.idempotent ? ['Idempotent-Replayed', 'Idempotency-Mismatch'] : []),
        ]),
        content: json(row.paged ? page : record, row.paged ? examples[name] : { data: examples[name] }),
      },
      ...Object.fromEntries(
        [...codesByStatus(name, row)].map(([status, codes]) => [
          status,
          isSingle(codes) ? ref('responses', pascal(codes[0]!)) : errorResponse(codes),
        ]),
      ),
    },
  }
}

const successes = { 200: 'Done.', 201: 'Made.', 202: 'Queued.' }

const idsOf = ({ signature }: Route) => [...signature.matchAll(/\{(\w+)\}/g)].map(([, id]) => id!)

/** Query values as the client means them: a whole number is one, although the request carries text. */
function queryParameters({ query }: Route): Part[] {
  const entries = (query as { entries?: Record<string, Schema> } | undefined)?.entries ?? {}
  return Object.entries(entries).map(([name, schema]) => ({
    name,
    in: 'query',
    schema: wholeNumber(schema) ?? asInput(schema),
    ...byHand.parameters[name],
  }))
}

function wholeNumber(schema: Schema): Part | undefined {
  const { wrapped, default: absent } = schema as {
    wrapped?: { pipe?: Partial<v.MinValueAction<number, number, undefined>>[] }
    default?: unknown
  }
  const bound = (type: string) => wrapped?.pipe?.find((action) => action.type === type)?.requirement
  if (bound('max_value') === undefined) return undefined
  return { type: 'integer', minimum: bound('min_value'), maximum: bound('max_value'), default: Number(absent) }
}

function requestBody(name: RouteName, body: Schema): Part {
  const required = !v.safeParse(body, {}).success
  return { required, content: json(ref('schemas', `${pascal(name)}Request`), exampleBodies[name]) }
}

/** A body whose fields may stand flat or nested takes both at once; what is nested wins. */
function bodySchemas(name: RouteName, { body, nestedUnder, arrayUnder }: Route): Record<string, Part> {
  if (!body) return {}
  if (arrayUnder) return arraySchemas(name, asInput(body), arrayUnder)
  const [whole, fields] = [`${pascal(name)}Request`, `${pascal(name)}Fields`]
  if (!nestedUnder) return { [whole]: { ...asInput(body), ...byHand.bodies[name] } }
  const nested = {
    description: 'The same fields, nested. They win.',
    anyOf: [ref('schemas', fields), { type: 'null' }],
  }
  const flat = asInput(body)
  // Written out rather than put together: where no other field may stand beside the known ones, `allOf` would forbid the nested.
  const both = { ...flat, properties: { ...(flat.properties as Part), [nestedUnder]: nested } }
  return { [fields]: flat, [whole]: { ...both, ...byHand.bodies[name] } }
}

/** An array stands bare or under one of the keys. */
function arraySchemas(name: RouteName, items: Part, keys: readonly string[]): Record<string, Part> {
  const array = `${pascal(name)}Items`
  const under = keys.map((key) => ({
    type: 'object',
    required: [key],
    properties: { [key]: ref('schemas', array) },
  }))
  const whole = { anyOf: [ref('schemas', array), ...under], ...byHand.bodies[name] }
  return { [array]: items, [`${pascal(name)}Request`]: whole }
}

/** Everything that a route can refuse: what its row says, and what the rules behind it say. */
function codesByStatus(name: RouteName, row: Route): Map<number, ErrorBody['error']['code'][]> {
  const takesInput = row.query || row.body || row.idempotent
  const codes: RefusalCode[] = [
    ...(takesInput ? (['invalid-request'] as const) : []),
    'unauthorized',
    ...(idsOf(row).length > 0 ? (['not-found'] as const) : []),
    // Sent too much, or asked for too much.
    ...(row.body || row.query ? (['payload-too-large'] as const) : []),
    ...(byHand.refusals[name] ?? []),
    'unavailable',
  ]
  return Map.groupBy([...codes, 'internal-error'] as const, (code) =>
    code === 'internal-error' ? 500 : statusOf[code],
  )
}

const isSingle = (codes: unknown[]) => codes.length === 1

function errorResponse(codes: ErrorBody['error']['code'][]): Part {
  const extra: Partial<Record<ErrorBody['error']['code'], string>> = {
    unauthorized: 'WWW-Authenticate',
    unavailable: 'Retry-After',
  }
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: headersOf(['X-Request-Id', ...codes.flatMap((code) => extra[code] ?? [])]),
    content: json(ref('schemas', 'Error'), isSingle(codes) ? exampleErrors()[codes[0]!] : undefined),
  }
}
