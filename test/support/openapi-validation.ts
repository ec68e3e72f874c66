/** Holds what is sent and answered against the OpenAPI document. */
import type { ValidateFunction } from 'ajv/dist/2020.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect } from 'vitest'
import { openApiDocument } from '../../lib/contract/openapi/document.ts'
import type { ApiResponse } from './world.ts'

interface Part {
  $ref?: string
  [name: string]: unknown
}

/** As `docs/openapi.json` has it: `docs.test.ts` holds that file against the code. */
const document = JSON.parse(JSON.stringify(openApiDocument())) as Part

const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
ajv.addSchema(document, 'document')

const inside = (part: Part, name: string) => part[name] as Part | undefined

/** Follows names through the document and its references; returns the value at their end and its pointer. */
function find(names: string[]): { part: Part; address: string } {
  let part = document
  let pointer = ''
  for (const name of names) {
    const next = inside(part, name)
    if (!next) throw new Error(`The document has no ${names.join(' ')}: ${name} is missing.`)
    pointer = next.$ref ? next.$ref.slice(1) : `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    part = next.$ref
      ? next.$ref
          .slice(2)
          .split('/')
          .reduce((at, step) => inside(at, step)!, document)
      : next
  }
  return { part, address: `document#${encodeURI(pointer)}` }
}

const checks = new Map<string, ValidateFunction>()

/** Compiled once: thousands of answers are held against the same few schemas. */
function checkAt(names: string[]): ValidateFunction {
  const { address } = find([...names, 'content', 'application/json', 'schema'])
  const check = checks.get(address) ?? ajv.compile({ $ref: address })
  checks.set(address, check)
  return check
}

/** The statuses that the document names for a row. */
export const documentedStatuses = (method: string, path: string): number[] =>
  Object.keys(find(['paths', path, method.toLowerCase(), 'responses']).part).map(Number)

/** What an answer has that the document does not say of its row, in words; undefined where it is as documented. */
export function openApiViolation(
  method: string,
  path: string,
  { status, headers, body }: Pick<ApiResponse, 'status' | 'headers' | 'body'>,
): string | undefined {
  if (!documentedStatuses(method, path).includes(status)) return `the status ${status} is not documented`
  if (!headers.get('content-type')?.includes('application/json')) return `is ${headers.get('content-type')}`
  if (!headers.has('x-request-id')) return 'has no X-Request-Id'
  const check = checkAt(['paths', path, method.toLowerCase(), 'responses', String(status)])
  if (!check(body)) return `${status}: ${ajv.errorsText(check.errors)}`
  return headerViolation(['paths', path, method.toLowerCase(), 'responses', String(status)], headers)
}

/** What a header has that the document does not say of it. A number is text in a header. */
function headerViolation(names: string[], headers: ApiResponse['headers']): string | undefined {
  for (const name of Object.keys(inside(find(names).part, 'headers') ?? {})) {
    const sent = headers.get(name)
    const { part } = find([...names, 'headers', name, 'schema'])
    const value = part.type === 'integer' ? Number(sent) : sent
    if (sent !== null && !ajv.validate(part, value)) return `${name}: ${ajv.errorsText(ajv.errors)}`
  }
  return undefined
}

/** `path` as the document has it, `/videos/{id}`. */
export function expectMatchesOpenApi(method: string, path: string, status: number, body: unknown): void {
  const check = checkAt(['paths', path, method.toLowerCase(), 'responses', String(status)])
  const fits = check(body)
  expect(fits, `${method} ${path} ${status}: ${ajv.errorsText(check.errors)}\n${JSON.stringify(body)}`).toBe(true)
}

/** Whether the document lets a row take this body. */
export const matchesRequestSchema = (method: string, path: string, body: unknown): boolean =>
  checkAt(['paths', path, method.toLowerCase(), 'requestBody'])(body)
