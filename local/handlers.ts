// Loads the functions and state machines of the service from the files that a deployment uses.

import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Route } from '../lib/contract/route.ts'
import * as routes from '../lib/contract/routes.ts'
import type { HttpHandler } from '../lib/http/endpoint.ts'
import { toolRoutes } from '../lib/mcp/tool-table.ts'
import packages from '../package.json' with { type: 'json' }
import type { HttpRoute } from './emulators/api-gateway/gateway.ts'
import type { LambdaHandler } from './emulators/lambda.ts'
import type { Definition } from './emulators/step-functions.ts'
import { withRole } from './role-enforcement.ts'

const root = join(import.meta.dirname, '..')

/** The handler in `functions/<path>.ts`, restricted to its IAM role. */
export async function loadHandler(path: string): Promise<LambdaHandler> {
  const { handler } = await import(join(root, 'functions', `${path}.ts`))
  return withRole(path, handler)
}

const httpRoute = ({ signature, isPublic }: Route, handler: LambdaHandler): HttpRoute => ({
  signature,
  handler,
  ...(isPublic && { isPublic }),
})

/** Every row of the route table with its handler. */
export const loadRoutes = (): Promise<HttpRoute[]> =>
  Promise.all(Object.values<Route>(routes).map(async (row) => httpRoute(row, await loadHandler(`api/${row.handler}`))))

/** The same handler, loaded with its first event. */
export const handlerOnUse =
  (path: string): LambdaHandler =>
  async (event, context) =>
    (await loadHandler(path))(event, context)

/** Every row of the route table with its handler, loaded with its first event. */
export const routesOnUse = (): HttpRoute[] =>
  Object.values<Route>(routes).map((row) => httpRoute(row, handlerOnUse(`api/${row.handler}`)))

async function loadMcp(): Promise<LambdaHandler> {
  const { mcpEndpoint } = await import('../lib/http/mcp-endpoint.ts')
  const load = async (handler: string) => ({ handler: (await loadHandler(`api/${handler}`)) as HttpHandler })
  const handlers = Object.values(toolRoutes).map(({ handler }) => [handler, () => load(handler)] as const)
  return mcpEndpoint(Object.fromEntries(handlers), packages.version) as LambdaHandler
}

/** The MCP server, loaded with its first request, as its library is large. Each route that a tool runs is restricted to its own role. */
export function mcpOnUse(): HttpRoute {
  let loaded: Promise<LambdaHandler> | undefined
  const handler: LambdaHandler = async (event, context) => {
    loaded ??= loadMcp()
    return (await loaded)(event, context)
  }
  return { signature: 'ANY /mcp', handler: withRole('api/mcp/protocol', handler) }
}

/** The task definition of the container with ffmpeg. */
const mediaTaskDefinition = 'media'

/** The same image as a function. */
export const mediaFunction = 'media-function'

/** The state machines by name, with every placeholder filled in; a function's name is its path under `functions`. */
export function readStateMachines(): Record<string, Definition> {
  const files = globSync('*.asl.json', { cwd: join(root, 'state-machines') })
  return Object.fromEntries(
    files.map((file) => {
      const machine = basename(file, '.asl.json')
      const text = readFileSync(join(root, 'state-machines', file), 'utf8')
      const filled = text.replace(/\$\{(\w+)\}/g, (_, name: string) => placeholder(machine, name))
      return [machine, JSON.parse(filled)]
    }),
  )
}

/** Placeholders for infrastructure that does not exist locally. */
const infrastructure = new Set(['Cluster', 'SubnetA', 'SubnetB', 'SecurityGroup'])

function placeholder(machine: string, name: string): string {
  if (name === 'TaskDefinition') return mediaTaskDefinition
  if (name === 'MediaFunction') return mediaFunction
  if (infrastructure.has(name)) return `local-${name}`
  return `pipelines/${machine}/${kebab(name)}`
}

const kebab = (name: string) => name.replace(/(?!^)([A-Z])/g, '-$1').toLowerCase()
