/** The arguments of a tool as the request of its route. The route validates them: here only names and places are checked. */
import { nearMiss } from '../contract/near-miss.ts'
import { Refusal, type RefusalDetail } from '../domain/core/refusal.ts'
import { truncateTo } from '../domain/core/text.ts'
import type { Tool } from './tool.ts'

/** A request to a row of the route table, by a caller that is already known. */
export interface RouteRequest {
  /** File under `functions/api`, without its extension. */
  handler: string
  method: string
  /** `/videos/{id}` */
  path: string
  params: Record<string, string>
  query: Record<string, string>
  body: unknown
  headers: Record<string, string>
}

export interface RouteResponse {
  status: number
  /** By lower-case name. */
  headers: Record<string, string>
  body: Record<string, unknown>
}

export type CallRoute = (request: RouteRequest) => Promise<RouteResponse>

/** Arguments that become headers. */
const headerOf: Record<string, string> = { idempotencyKey: 'idempotency-key', quote: 'quote' }

/** @throws Refusal `invalid-request` for an argument that is unknown or missing, or an id that is no text. */
export function routeRequestOf({ listed, request }: Tool, args: Record<string, unknown>): RouteRequest {
  checkArguments(listed.inputSchema, args)
  const params = Object.entries(request.ids).map(([name, argument]) => [name, idOf(argument, args[argument])] as const)
  const placed = new Set(Object.values(request.ids))
  const query: Record<string, string> = {}
  const headers: Record<string, string> = {}
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(args)) {
    const header = headerOf[name]
    if (placed.has(name) || value === undefined || value === null) continue
    if (header) headers[header] = textOf(name, value)
    else if (request.query.includes(name)) query[name] = String(value)
    else if (request.inside[name]) body[request.inside[name]] = { [name]: value }
    else body[name] = value
  }
  return {
    handler: request.handler,
    method: request.method,
    path: request.path,
    params: Object.fromEntries(params),
    query,
    body: request.method === 'GET' || request.method === 'DELETE' ? undefined : body,
    headers,
  }
}

/** For tools that compose their requests themselves, too. */
export function checkArguments(schema: Tool['listed']['inputSchema'], args: Record<string, unknown>): void {
  const names = Object.keys(schema.properties)
  const unknown = Object.keys(args).filter((name) => !names.includes(name))
  const missing = (schema.required ?? []).filter((name) => args[name] === undefined || args[name] === null)
  const details = [
    ...missing.map((name) => ({ path: `arguments.${name}`, message: 'is missing' })),
    ...unknown.slice(0, unknownMax).map((name) => ({
      path: `arguments.${truncateTo(nameLengthMax, name)}`,
      message: `is unknown: ${suggestion(name, names)}`,
    })),
  ]
  if (details.length > 0) throw invalidArguments(details)
}

/** Limits of what a refusal repeats. */
const [unknownMax, nameLengthMax] = [5, 64]

function invalidArguments(details: RefusalDetail[]): Refusal {
  const text = details.map(({ path, message }) => `${path} ${message}`).join('; ')
  return new Refusal('invalid-request', `${text}.`, { details })
}

/** The route refuses an id of other characters as unknown; here they would change its path. */
function idOf(name: string, value: unknown): string {
  if (typeof value === 'string' && /^\w{1,64}$/.test(value)) return value
  throw invalidArguments([{ path: `arguments.${name}`, message: 'must be an id, such as a list tool returns it' }])
}

function suggestion(name: string, names: string[]): string {
  const meant = nearMiss(name, names)
  return meant ? `did you mean ${meant}?` : `the arguments are ${names.join(', ')}`
}

function textOf(name: string, value: unknown): string {
  // A header cannot hold other characters.
  if (typeof value === 'string' && /^[\x20-\x7e]*$/.test(value)) return value
  throw invalidArguments([{ path: `arguments.${name}`, message: 'must be text of printable ASCII characters' }])
}
