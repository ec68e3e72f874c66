/** Every route with every identity: authentication precedes everything else, by one rule. */
import { beforeAll, describe, expect, it } from 'vitest'
import { now } from '../../../lib/clock.ts'
import { authenticatedRoutes } from '../../../lib/contract/openapi/document.ts'
import { mintApiKey } from '../../../lib/domain/workspaces/api-key.ts'
import { revokeApiKey } from '../../../lib/store/api-keys.ts'
import { rotatingSample } from '../../support/fuzz/volume.ts'
import { openApiViolation } from '../../support/openapi-validation.ts'
import { type ApiRequest, callApi, newKey, newWorld, type World } from '../../support/world.ts'

let own: World
let other: World
let organization: World
let child: World
let revoked: string

beforeAll(async () => {
  ;[own, other, organization] = await Promise.all([newWorld(), newWorld(), newWorld()])
  child = await newWorld({ organizationId: organization.workspaceId })
  const key = await newKey(own.workspaceId)
  await revokeApiKey(own.workspaceId, key.keyId, now())
  revoked = key.apiKey
})

const wrongChecksum = (key: string) => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })
const acting = ({ apiKey }: World, workspace: string) => ({ ...bearer(apiKey), 'X-Service-Workspace': workspace })

/** The headers of a caller, and the workspace that they identify; undefined where they identify none. */
const identities: [who: string, headers: () => Record<string, string>, standsFor: () => World | undefined][] = [
  ['nobody', () => ({}), () => undefined],
  ['an empty header', () => ({ Authorization: '' }), () => undefined],
  ['an empty bearer', () => ({ Authorization: 'Bearer ' }), () => undefined],
  ['a key without a scheme', () => ({ Authorization: own.apiKey }), () => undefined],
  ['another scheme', () => ({ Authorization: `Basic ${own.apiKey}` }), () => undefined],
  ['two keys', () => ({ Authorization: `Bearer ${own.apiKey}, Bearer ${own.apiKey}` }), () => undefined],
  ['a malformed key', () => bearer('rs_live_short'), () => undefined],
  ['a key with more behind it', () => bearer(`${own.apiKey}a`), () => undefined],
  ['a key of another service', () => bearer(own.apiKey.replace('rs_live_', 'rs_test_')), () => undefined],
  ['a wrong checksum', () => bearer(wrongChecksum(own.apiKey)), () => undefined],
  ['an unknown key', () => bearer(mintApiKey()), () => undefined],
  ['a revoked key', () => bearer(revoked), () => undefined],
  ['the own key', () => bearer(own.apiKey), () => own],
  ['the own key, the scheme in capitals', () => ({ Authorization: `BEARER ${own.apiKey}` }), () => own],
  ['a workspace key that names itself', () => acting(own, own.workspaceId), () => undefined],
  ['a workspace key that names another', () => acting(own, other.workspaceId), () => undefined],
  ['a workspace key with an empty name', () => acting(own, ''), () => undefined],
  ['an organization for itself', () => bearer(organization.apiKey), () => organization],
  ['an organization that names itself', () => acting(organization, organization.workspaceId), () => undefined],
  ['an organization for its own', () => acting(organization, child.workspaceId), () => child],
  ['an organization for another', () => acting(organization, other.workspaceId), () => undefined],
  ['an organization for no workspace', () => acting(organization, ''), () => undefined],
  ['an organization for one that never was', () => acting(organization, 'wsp_none'), () => undefined],
  ['an organization for what is no id', () => acting(organization, '../WS'), () => undefined],
  [
    'an organization that repeats the header',
    () => acting(organization, `${child.workspaceId},${child.workspaceId}`),
    () => undefined,
  ],
  ['a child that names its organization', () => acting(child, organization.workspaceId), () => undefined],
]

/** An id that never was keeps a call that is let in from doing anything. */
const nothing = 'none_00000000000000000000000000'
const paths = [
  ...authenticatedRoutes.map(({ method, path, row }) => ({
    method,
    path,
    body: row.body && (row.bodyExample ?? {}),
  })),
  { method: 'GET', path: '/nothing/here', body: undefined },
  { method: 'POST', path: '/', body: undefined },
  { method: 'DELETE', path: '/platforms', body: undefined },
]
const isRow = (method: string, path: string) =>
  authenticatedRoutes.some((row) => row.method === method && row.path === path)

describe.each(paths)('$method $path', (row) => {
  const { method, path, body } = row
  const send = (how: ApiRequest) => callApi(method, path.replaceAll(/\{\w+\}/g, nothing), { body, ...how })

  it('401: the same response for every request without a valid identity', async () => {
    const refusals = new Set<string>()
    const problems: string[] = []
    for (const [who, headers, standsFor] of rotatingSample(identities, paths.indexOf(row), 3)) {
      const answer = await send({ headers: headers() })
      const { status } = answer
      if ((status === 401) !== (standsFor() === undefined)) problems.push(`${who}: ${status}`)
      if (!answer.headers.has('x-request-id')) problems.push(`${who}: no X-Request-Id`)
      const difference = isRow(method, path) ? openApiViolation(method, path, answer) : undefined
      if (difference) problems.push(`${who}: ${difference}`)
      const challenge = answer.headers.get('www-authenticate')
      if (status === 401) refusals.add(JSON.stringify({ ...answer.body.error, requestId: '', challenge }))
    }
    expect(problems.slice(0, 20)).toEqual([])
    expect([...refusals]).toEqual([expect.stringContaining('"code":"unauthorized"')])
  })

  it('401: precedes the validation of body, path and `Idempotency-Key`', async () => {
    for (const headers of [{}, bearer(mintApiKey())]) {
      const wrong: ApiRequest = {
        headers: { ...headers, 'Idempotency-Key': 'a'.repeat(256) },
        ...(body === undefined ? {} : { body: '{' }),
      }
      const answer = await callApi(method, `${path.replaceAll(/\{\w+\}/g, 'no%20id')}?limit=x`, wrong)
      expect(answer).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } })
    }
  })
})
