/** The API as collections of requests: Postman (format 2.1) and Bruno (its JSON export). Keys are variables, and empty. */
import type { Operation, Parameter, Specification } from './specification.ts'
import { operationsOf, resolved } from './specification.ts'

const localBaseUrl = 'http://127.0.0.1:8787/v1'

interface Request {
  name: string
  tag: string
  method: string
  /** With `:id` in place of `{id}`. */
  path: string
  pathParameters: string[]
  query: Parameter[]
  isIdempotent: boolean
  isPublic: boolean
  body: string | undefined
  description: string
}

export function postmanCollection(document: Specification): object {
  const folders = foldersOf(document, (request) => {
    const raw = `{{baseUrl}}${request.path}`
    return {
      name: request.name,
      request: {
        method: request.method,
        header: [
          ...(request.isIdempotent ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : []),
          ...(request.body ? [{ key: 'Content-Type', value: 'application/json' }] : []),
        ],
        ...(request.isPublic && { auth: { type: 'noauth' } }),
        ...(request.body && { body: { mode: 'raw', raw: request.body, options: { raw: { language: 'json' } } } }),
        url: {
          raw,
          host: ['{{baseUrl}}'],
          path: request.path.split('/').filter(Boolean),
          variable: request.pathParameters.map((key) => ({ key, value: '' })),
          query: request.query.map(({ name, description = '' }) => ({
            key: name,
            value: '',
            description,
            disabled: true,
          })),
        },
        description: request.description,
      },
    }
  })
  return {
    info: {
      name: document.info.title,
      description: document.info.description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: localBaseUrl },
      { key: 'apiKey', value: '' },
    ],
    item: folders.map(({ name, description, items }) => ({ name, description, item: items })),
  }
}

export function brunoCollection(document: Specification): object {
  const folders = foldersOf(document, (request, index) => ({
    type: 'http-request',
    name: request.name,
    seq: index + 1,
    request: {
      url: `{{baseUrl}}${request.path}`,
      method: request.method,
      headers: request.isIdempotent ? [{ name: 'Idempotency-Key', value: '{{$guid}}', enabled: true }] : [],
      params: [
        ...request.pathParameters.map((name) => ({ name, value: '', type: 'path', enabled: true })),
        ...request.query.map(({ name, description = '' }) => ({
          name,
          value: '',
          description,
          type: 'query',
          enabled: false,
        })),
      ],
      auth: { mode: request.isPublic ? 'none' : 'inherit' },
      body: request.body ? { mode: 'json', json: request.body } : { mode: 'none' },
      docs: request.description,
    },
  }))
  const variable = (name: string, value: string, secret: boolean) => ({
    name,
    value,
    type: 'text',
    enabled: true,
    secret,
  })
  return {
    name: document.info.title,
    version: '1',
    root: { request: { auth: { mode: 'bearer', bearer: { token: '{{apiKey}}' } } }, docs: document.info.description },
    environments: [
      {
        name: 'Local run',
        variables: [variable('baseUrl', localBaseUrl, false), variable('apiKey', '', true)],
      },
    ],
    items: folders.map(({ name, items }, index) => ({ type: 'folder', name, seq: index + 1, items })),
  }
}

function foldersOf<Item>(document: Specification, itemOf: (request: Request, index: number) => Item) {
  const requests = operationsOf(document).map((operation) => requestOf(document, operation))
  return document.tags.map(({ name, description }) => ({
    name,
    description,
    items: requests.filter(({ tag }) => tag === name).map(itemOf),
  }))
}

function requestOf(document: Specification, operation: Operation): Request {
  const parameters = (operation.parameters ?? []).map((parameter) => resolved(document, parameter))
  const example = operation.requestBody?.content['application/json'].example
  const named = (place: string) => parameters.filter((parameter) => parameter.in === place)
  return {
    name: operation.summary,
    tag: operation.tags[0]!,
    method: operation.method,
    path: operation.path === '/' ? '' : operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    pathParameters: named('path').map(({ name }) => name),
    query: named('query'),
    isIdempotent: named('header').some(({ name }) => name === 'Idempotency-Key'),
    isPublic: operation.security?.length === 0,
    body: example === undefined ? undefined : JSON.stringify(example, null, 2),
    description: [operation.description, `Operation ${operation.operationId}.`].filter(Boolean).join('\n\n'),
  }
}
