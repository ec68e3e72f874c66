// A request as an operation sees it. Reading an undocumented part ends the operation with the platform's error.

import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import * as v from 'valibot'
import type { SandboxUser } from './access-tokens.ts'
import type { Fault } from './fault-plan.ts'

/** The request does not match the platform's documentation. */
export class MalformedRequest extends Error {}

export interface SandboxRequest {
  readonly method: string
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly searchParams: URLSearchParams
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** The origin of the sandbox, for URLs in responses. */
  readonly base: string
  /** The owner of its token, in operations that require one. */
  readonly user: SandboxUser
  /** The injected fault that the platform itself carries out. */
  readonly fault: Fault | undefined
  /** A JSON body with these fields and no others. */
  json<Entries extends v.ObjectEntries>(entries: Entries): v.InferOutput<v.StrictObjectSchema<Entries, undefined>>
  /** A body of `application/x-www-form-urlencoded` with these fields and no others. */
  form<Entries extends v.ObjectEntries>(entries: Entries): v.InferOutput<v.StrictObjectSchema<Entries, undefined>>
  /** A query with these fields and no others. */
  query<Entries extends v.ObjectEntries>(entries: Entries): v.InferOutput<v.StrictObjectSchema<Entries, undefined>>
}

/** Reads a request; the user is authenticated later. */
export async function readRequest(
  request: IncomingMessage,
  base: string,
): Promise<Omit<SandboxRequest, 'params' | 'user' | 'fault'>> {
  const url = new URL(request.url ?? '/', base)
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  )
  const body = await buffer(request)
  const type = headers['content-type']?.split(';')[0] ?? ''
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    searchParams: url.searchParams,
    headers,
    body,
    base,
    json: (entries) => {
      if (type !== 'application/json')
        throw new MalformedRequest(`The body must be application/json, not ${type || 'nothing'}.`)
      return parseStrict(entries, jsonOf(body))
    },
    form: (entries) => {
      if (type !== 'application/x-www-form-urlencoded')
        throw new MalformedRequest(`The body must be a form, not ${type}.`)
      return parseStrict(entries, fieldsOf(new URLSearchParams(body.toString())))
    },
    query: (entries) => parseStrict(entries, fieldsOf(url.searchParams)),
  }
}

function parseStrict<Entries extends v.ObjectEntries>(entries: Entries, given: unknown) {
  const found = v.safeParse(v.strictObject(entries), given)
  if (found.success) return found.output
  const [issue] = found.issues
  throw new MalformedRequest(`${v.getDotPath(issue) ?? 'The whole'}: ${issue.message}`)
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    throw new MalformedRequest('The body is not JSON.')
  }
}

function fieldsOf(params: URLSearchParams): Record<string, string> {
  const names = [...params.keys()]
  if (new Set(names).size < names.length) throw new MalformedRequest('A field comes twice.')
  return Object.fromEntries(params)
}
