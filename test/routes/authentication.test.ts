/** Keys: what they stand for, how long, and how many there may be. Who is refused is in `generated-identities.test.ts`. */
import { beforeAll, describe, expect, it } from 'vitest'
import { now } from '../../lib/clock.ts'
import { revokeApiKey } from '../../lib/store/api-keys.ts'
import { callApi, newKey, newWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

describe('a key', () => {
  it('an organization sees its workspace as the workspace itself does', async () => {
    const organization = await newWorld()
    const child = await newWorld({ organizationId: organization.workspaceId })
    const created = await callApi('POST', '/videos', { key: child.apiKey, body: { prompt: 'An idea' } })
    const seen = await callApi('GET', `/videos/${created.body.data.id}`, {
      headers: { Authorization: `Bearer ${organization.apiKey}`, 'X-Service-Workspace': child.workspaceId },
    })
    expect(seen.status).toBe(200)
    expect(await callApi('GET', `/videos/${created.body.data.id}`, { key: organization.apiKey })).toMatchObject({
      status: 404,
    })
  })

  it('a key is refused on the next request after it was revoked', async () => {
    const { apiKey, keyId } = await newKey(world.workspaceId)
    expect(await callApi('GET', '/', { key: apiKey })).toMatchObject({ status: 200 })
    await revokeApiKey(world.workspaceId, keyId, now())
    expect(await callApi('GET', '/', { key: apiKey })).toMatchObject({ status: 401 })
  })

  it('404 with a key on a path that no row lists, 405 with the allowed methods on a known one', async () => {
    expect(await callApi('GET', '/nothing', { key: world.apiKey })).toMatchObject({
      status: 404,
      body: { error: { code: 'not-found' } },
    })
    const refused = await callApi('DELETE', '/videos', { key: world.apiKey })
    expect(refused).toMatchObject({ status: 405, body: { error: { code: 'method-not-allowed' } } })
    expect(refused.headers.get('allow')?.split(', ').toSorted()).toEqual(['GET', 'POST'])
  })
})

describe('keys of a workspace', () => {
  it('holds 25 keys and no more, also when they are made at once', async () => {
    const world = await newWorld()
    const made = await Promise.allSettled(Array.from({ length: 40 }, () => newKey(world.workspaceId)))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(24)
    const refusal = made.find(({ status }) => status === 'rejected') as PromiseRejectedResult
    expect(refusal.reason).toMatchObject({ code: 'limit-reached' })
    const account = await callApi('GET', '/', { key: world.apiKey })
    expect(account.body.data.limits.apiKeys).toEqual({ used: 25, limit: 25 })
  })

  it('a revoked key frees its place', async () => {
    const world = await newWorld()
    await revokeApiKey(world.workspaceId, (await newKey(world.workspaceId)).keyId, now())
    const account = await callApi('GET', '/', { key: world.apiKey })
    expect(account.body.data.limits.apiKeys.used).toBe(1)
  })
})
