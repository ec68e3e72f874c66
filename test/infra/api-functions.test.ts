/** Routes share a function only with routes that need the same sensitive permissions, and it has no other permissions. */
import { describe, expect, it } from 'vitest'
import type { Route, RoutePermission } from '../../lib/contract/route.ts'
import * as routes from '../../lib/contract/routes.ts'
import { apiBundleName, apiFunctions, defaultRouteKey, mcpFunction, routeKeyOf } from '../../lib/infra/api-functions.ts'
import { bundleEntryName } from '../../lib/infra/bundle-paths.ts'
import { externalProviders } from '../../lib/infra/iam/provider-grants.ts'
import { type PolicyStatement, statementsByEntry, synthesizeDeployment } from './synthesized-stacks.ts'

const { stacks } = await synthesizeDeployment({ providers: externalProviders })
const statementsOf = statementsByEntry(stacks)

/** Of any other permission, a function lends nothing that its routes would not have: objects of the workspace's videos. */
const sensitive: readonly RoutePermission[] = [
  'write',
  'startPipeline',
  'upload',
  'receive',
  'seal',
  'unseal',
  'connect',
  'voices',
  'sealConsent',
  'unsealConsent',
  'wait',
]

/**
 * Permissions that only some of a function's routes need. `upload` and `receive` are about the same objects; `seal` can
 * encrypt a new secret and decrypts none; the list of voices needs the keys of providers like the other three, and would
 * otherwise be alone.
 */
const lent: Record<string, RoutePermission[]> = {
  uploads: ['upload', 'receive'],
  webhooks: ['seal'],
  voices: ['write'],
}

/** Each action on each resource under each condition. */
const atomsOf = (statements: readonly PolicyStatement[]) =>
  new Set(
    statements.flatMap(({ Action, Resource, Condition }) =>
      [Action].flat().flatMap((action) =>
        [Resource]
          .flat()
          .filter(() => !action.startsWith('logs:'))
          .map((resource) => `${action} ${JSON.stringify(resource)} ${JSON.stringify(Condition ?? {})}`),
      ),
    ),
  )

it('every route is in exactly one function, under the key that the gateway sends', () => {
  const served = apiFunctions.flatMap(({ routes: own }) => Object.keys(own))
  expect(served.toSorted()).toEqual(Object.keys(routes).toSorted())
  for (const { routes: own, handlers } of apiFunctions)
    for (const route of Object.values(own)) expect(handlers[routeKeyOf(route)]).toBe(route.handler)
  expect(apiFunctions.filter(({ handlers }) => defaultRouteKey in handlers)).toHaveLength(1)
})

describe.each(apiFunctions)('the function $name', ({ name, routes: own, handlers }) => {
  const needsOf = ({ permissions = [] }: Route) =>
    sensitive.filter((permission) => permissions.includes(permission) && !lent[name]?.includes(permission))
  const served = Object.values<Route>(own)

  it('serves routes that need the same sensitive permissions and authenticate alike', () => {
    expect(served).not.toEqual([])
    expect(new Set(served.map((route) => needsOf(route).join())).size).toBe(1)
    expect(new Set(served.map(({ isPublic = false }) => isPublic)).size).toBe(1)
  })

  it('has exactly the permissions that its routes need', () => {
    const ofRoutes = Object.values(handlers).flatMap((handler) => [
      ...atomsOf(statementsOf.get(bundleEntryName(`functions/api/${handler}.ts`))!),
    ])
    expect(atomsOf(statementsOf.get(apiBundleName(name))!)).toEqual(new Set(ofRoutes))
  })
})

it('the function of the MCP server has exactly the permissions that it and the routes of its tools need', () => {
  const ofRoutes = [mcpFunction.protocol, ...mcpFunction.handlers].flatMap((handler) => [
    ...atomsOf(statementsOf.get(bundleEntryName(`functions/api/${handler}.ts`))!),
  ])
  expect(atomsOf(statementsOf.get(apiBundleName(mcpFunction.name))!)).toEqual(new Set(ofRoutes))
  const sealed = ['seal', 'unseal', 'connect', 'sealConsent', 'unsealConsent', 'upload', 'receive'] as const
  const needed = Object.values<Route>(mcpFunction.routes).flatMap(({ permissions = [] }) => permissions)
  expect(sealed.filter((permission) => needed.includes(permission))).toEqual([])
})
