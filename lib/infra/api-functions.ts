/**
 * Which routes share a Lambda function of the API: those that need the same sensitive permissions. Derived from the
 * route table, so that a new route is in one function without a second list.
 */
import type { Route, RoutePermission } from '../contract/route.ts'
import { basePath, splitSignature } from '../contract/route.ts'
import * as routes from '../contract/routes.ts'
import { toolRoutes } from '../mcp/tool-table.ts'

export interface ApiFunction {
  /** The construct id. A function of one route has the name of the route. */
  readonly name: string
  readonly description: string
  /** Where it is not the default of all functions. */
  readonly memoryMb: number | undefined
  /** By name; never empty. */
  readonly routes: Readonly<Record<string, Route>>
  /** The handler files under `functions/api`, without extension, by the route key that API Gateway sends. */
  readonly handlers: Readonly<Record<string, string>>
}

type Rule = readonly [name: string, description: string, serves: (route: Route) => boolean, memoryMb?: number]

const needs =
  (...permissions: RoutePermission[]) =>
  (route: Route) =>
    permissions.some((permission) => route.permissions?.includes(permission))
const isInFolder = (folder: string) => (route: Route) => route.handler.startsWith(`${folder}/`)

/** The first rule that matches decides. The last one matches every route that only reads. */
const rules: readonly Rule[] = [
  ['finishConnection', 'The public callback that connects an account', needs('unsealConsent')],
  ['beginConnection', 'Sends a user to the consent page of a platform', needs('sealConsent')],
  ['getProfile', 'Checks accounts at their platforms', needs('connect')],
  ['testWebhook', 'Sends a test event to an endpoint', needs('unseal')],
  ['keys', 'Creates and revokes API keys', (route) => needs('write')(route) && isInFolder('keys')(route)],
  ['webhooks', 'Changes webhooks', (route) => needs('write')(route) && isInFolder('webhooks')(route)],
  // It mostly waits, and waiting is billed by memory.
  ['events', 'Lists events, and waits for them', needs('wait'), 256],
  ['uploads', 'Issues upload URLs and inspects uploaded files', needs('upload', 'receive')],
  ['jobs', 'Starts pipelines for requests that wait', needs('startPipeline')],
  ['voices', 'Lists and checks voices of the providers', needs('voices')],
  ['edits', 'Changes videos and automations', needs('write')],
  ['reads', 'Reads, and refuses unknown paths', () => true],
]

/** Serves the paths that the route table does not list. */
const defaultFunction = 'reads'
export const defaultRouteKey = '$default'

/** The path at the gateway, which rejects a trailing slash: `GET /` is `/v1`. */
export const gatewayPath = ({ signature }: Route) => `${basePath}${splitSignature(signature).path}`.replace(/\/$/, '')

/** `GET /v1/videos/{id}` */
export const routeKeyOf = (route: Route) => `${splitSignature(route.signature).method} ${gatewayPath(route)}`

const ruleOf = (route: Route) => rules.find(([, , serves]) => serves(route))!

export const apiFunctions: readonly ApiFunction[] = rules.map((rule) => {
  const [name, description, , memoryMb] = rule
  const own = Object.entries<Route>(routes).filter(([, route]) => ruleOf(route) === rule)
  return {
    name,
    description,
    memoryMb,
    routes: Object.fromEntries(own),
    handlers: {
      ...Object.fromEntries(own.map(([, route]) => [routeKeyOf(route), route.handler])),
      ...(name === defaultFunction && { [defaultRouteKey]: 'not-found' }),
    },
  }
})

/**
 * The function of the MCP server. It serves no route of the table, but runs the handlers of those that its tools use, so that it needs
 * what they need.
 */
export const mcpFunction = {
  name: 'mcp',
  description: 'Serves the Model Context Protocol',
  path: `${basePath}/mcp`,
  /** What the protocol alone needs is listed under this name, like what a handler needs. */
  protocol: 'mcp/protocol',
  routes: toolRoutes,
  /** The handler files under `functions/api`, without extension. */
  handlers: [...new Set(Object.values(toolRoutes).map(({ handler }) => handler))].toSorted(),
} as const

/** The name of the bundle of an API function; without dots, as in `bundleEntryName`. */
export const apiBundleName = (name: string) => `api-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
