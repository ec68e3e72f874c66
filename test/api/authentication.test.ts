import { beforeAll, describe, expect, it } from 'vitest'
import { exampleBodies } from '../../lib/api/openapi-examples.ts'
import type { Route } from '../../lib/api/route.ts'
import { splitSignature } from '../../lib/api/route.ts'
import * as routes from '../../lib/api/routes.ts'
import { now } from '../../lib/clock.ts'
import { mintKey } from '../../lib/domain/api-key.ts'
import { revokeApiKey } from '../../lib/store/api-keys.ts'
import { call, newKey, newWorld, type World } from '../support/world.ts'

let own: World
let other: World
let organization: World
let child: World
let revoked: string
let ownVideo: string

beforeAll(async () => {
  ;[own, other, organization] = await Promise.all([newWorld(), newWorld(), newWorld()])
  child = await newWorld({ organizationId: organization.workspaceId })
  const key = await newKey(own.workspaceId)
  await revokeApiKey(own.workspaceId, key.keyId, now())
  revoked = key.apiKey
  const created = await call('POST', '/videos', { key: own.apiKey, body: { prompt: 'An idea' } })
  ownVideo = created.body.data.id
})

/** Who may call: the name of an identity, its headers, and the workspace it stands for, or undefined for nobody. */
const identities = () => [
  { who: 'nobody', headers: {}, as: undefined },
  { who: 'an empty bearer', headers: { Authorization: 'Bearer ' }, as: undefined },
  { who: 'another scheme', headers: { Authorization: `Basic ${own.apiKey}` }, as: undefined },
  { who: 'a malformed key', headers: { Authorization: 'Bearer rs_live_short' }, as: undefined },
  { who: 'a wrong checksum', headers: { Authorization: `Bearer ${wrongChecksum(own.apiKey)}` }, as: undefined },
  { who: 'an unknown key', headers: { Authorization: `Bearer ${mintKey()}` }, as: undefined },
  { who: 'a revoked key', headers: { Authorization: `Bearer ${revoked}` }, as: undefined },
  { who: 'the own key', headers: bearer(own), as: own.workspaceId },
  {
    who: 'a workspace key that names itself',
    headers: { ...bearer(own), 'X-Service-Workspace': own.workspaceId },
    as: undefined,
  },
  { who: 'an organization without the header', headers: bearer(organization), as: organization.workspaceId },
  {
    who: 'an organization for its own',
    headers: { ...bearer(organization), 'X-Service-Workspace': child.workspaceId },
    as: child.workspaceId,
  },
  {
    who: 'an organization for another',
    headers: { ...bearer(organization), 'X-Service-Workspace': other.workspaceId },
    as: undefined,
  },
  {
    who: 'an organization for no workspace',
    headers: { ...bearer(organization), 'X-Service-Workspace': '' },
    as: undefined,
  },
  {
    who: 'an organization that repeats the header',
    headers: { ...bearer(organization), 'X-Service-Workspace': `${child.workspaceId},${child.workspaceId}` },
    as: undefined,
  },
]

const bearer = ({ apiKey }: World) => ({ Authorization: `Bearer ${apiKey}` })
const wrongChecksum = (key: string) => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')

const paths = [
  ...Object.entries<Route>(routes).map(([name, { signature }]) => ({
    ...splitSignature(signature),
    body: exampleBodies[name as keyof typeof routes],
  })),
  { method: 'GET', path: '/nothing/here', body: undefined },
  { method: 'DELETE', path: '/platforms', body: undefined },
]

describe('every route x every identity', () => {
  it('401 with one and the same body exactly where the identity stands for nobody', async () => {
    const bodies = new Set<string>()
    for (const { who, headers, as } of identities()) {
      for (const { method, path } of paths) {
        const answer = await call(method, path.replace('{id}', ownVideo), {
          headers,
          ...(method === 'POST' ? { body: {} } : {}),
        })
        expect(answer.status === 401, `${who}: ${method} ${path} answered ${answer.status}`).toBe(as === undefined)
        expect(answer.headers.get('x-request-id'), `${who}: ${method} ${path}`).toBeTruthy()
        if (as === undefined) bodies.add(JSON.stringify({ ...answer.body.error, requestId: '' }))
      }
    }
    expect(bodies.size).toBe(1)
  })

  it('404: a video of another workspace and one that never was cannot be told apart', async () => {
    const masked = async (id: string, method: string, path: string, sent: unknown) => {
      const { status, body } = await call(method, path.replace('{id}', id), { key: other.apiKey, body: sent })
      return JSON.stringify({ status, error: { ...body.error, requestId: '' } })
    }
    for (const { method, path, body } of paths.filter(({ path }) => path.includes('{id}'))) {
      const foreign = await masked(ownVideo, method, path, body)
      expect(foreign).toContain('"status":404')
      for (const id of ['vid_00000000000000000000000000', 'nonsense', 'a'.repeat(3000), '%00', 'vid_%F0%9F%98%80'])
        expect(await masked(id, method, path, body), `${method} ${path} ${id.slice(0, 20)}`).toBe(foreign)
    }
  })

  it('an organization sees its workspace as the workspace itself does', async () => {
    const created = await call('POST', '/videos', { key: child.apiKey, body: { prompt: 'An idea' } })
    const seen = await call('GET', `/videos/${created.body.data.id}`, {
      headers: { ...bearer(organization), 'X-Service-Workspace': child.workspaceId },
    })
    expect(seen.status).toBe(200)
    expect(await call('GET', `/videos/${created.body.data.id}`, { key: organization.apiKey })).toMatchObject({
      status: 404,
    })
  })

  it('a key is refused on the next request after it was revoked', async () => {
    const { apiKey, keyId } = await newKey(own.workspaceId)
    expect(await call('GET', '/', { key: apiKey })).toMatchObject({ status: 200 })
    await revokeApiKey(own.workspaceId, keyId, now())
    expect(await call('GET', '/', { key: apiKey })).toMatchObject({ status: 401 })
  })

  it('404 with a key on a path that no row lists, 405 with the allowed methods on a known one', async () => {
    expect(await call('GET', '/nothing', { key: own.apiKey })).toMatchObject({
      status: 404,
      body: { error: { code: 'not-found' } },
    })
    const refused = await call('DELETE', '/videos', { key: own.apiKey })
    expect(refused).toMatchObject({ status: 405, body: { error: { code: 'method-not-allowed' } } })
    expect(refused.headers.get('allow')).toBe('POST, GET')
  })
})

describe('keys of a workspace', () => {
  it('holds 25 keys and no more, also when they are made at once', async () => {
    const world = await newWorld()
    const made = await Promise.allSettled(Array.from({ length: 40 }, () => newKey(world.workspaceId)))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(24)
    const refusal = made.find(({ status }) => status === 'rejected') as PromiseRejectedResult
    expect(refusal.reason).toMatchObject({ code: 'limit-reached' })
    const account = await call('GET', '/', { key: world.apiKey })
    expect(account.body.data.limits.apiKeys).toEqual({ used: 25, limit: 25 })
  })

  it('a revoked key frees its place', async () => {
    const world = await newWorld()
    await revokeApiKey(world.workspaceId, (await newKey(world.workspaceId)).keyId, now())
    const account = await call('GET', '/', { key: world.apiKey })
    expect(account.body.data.limits.apiKeys.used).toBe(1)
  })
})
