/** API keys: which workspace they identify, how long, and how many there may be. `generated/identities.test.ts` has the refusals. */
import { beforeAll, describe, expect, it } from 'vitest'
import { handler as getAccount } from '../../functions/api/account/get.ts'
import { now } from '../../lib/clock.ts'
import { isWellFormedApiKey, mintApiKey } from '../../lib/domain/workspaces/api-key.ts'
import { revokeApiKey } from '../../lib/store/api-keys.ts'
import { table } from '../../lib/store/core/client.ts'
import { apiEvent, noContext } from '../support/api-event.ts'
import { callApi, newKey, newWorld, type World } from '../support/world.ts'
import { rule } from './rules/rule.ts'

let world: World

beforeAll(async () => {
  world = await newWorld()
})

/** The commands about keys that a request sends to the table. Other work of this process goes on meanwhile. */
async function keyCommandsOf(run: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = []
  table.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        if (JSON.stringify(args.input).includes('"KEY#')) seen.push(String(commandName))
        return next(args)
      },
    { step: 'initialize', name: 'counted' },
  )
  try {
    await run()
    return seen
  } finally {
    table.middlewareStack.remove('counted')
  }
}

const accountFor = (key: string) => getAccount(apiEvent('GET', '/v1', { authorization: `Bearer ${key}` }), noContext)

describe('an API key', () => {
  rule('calls.bearer-key', async () => {
    for (const path of ['/', '/videos', '/videos/vid_none', '/voices', '/nothing']) {
      expect(await callApi('GET', path)).toMatchObject({
        status: 401,
        body: { error: { status: 401, code: 'unauthorized', message: expect.any(String) } },
      })
      expect((await callApi('GET', path, { key: mintApiKey() })).status).toBe(401)
    }
  })

  rule('calls.key-shape', async () => {
    expect(world.apiKey).toMatch(/^rs_live_[0-9A-Za-z]{49}$/)
    expect(isWellFormedApiKey(world.apiKey)).toBe(true)
    const mistyped = world.apiKey.replace(
      /^(rs_live_)./,
      (_, prefix) => `${prefix}${world.apiKey[8] === 'a' ? 'b' : 'a'}`,
    )
    expect(await keyCommandsOf(async () => expect((await accountFor(mistyped)).statusCode).toBe(401))).toEqual([])
    expect(await keyCommandsOf(async () => expect((await accountFor(mintApiKey())).statusCode).toBe(401))).toHaveLength(
      1,
    )
  })

  it('200: an organization reads a workspace of its own with `X-Service-Workspace`', async () => {
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

  it('401: the key was revoked before the request', async () => {
    const { apiKey, keyId } = await newKey(world.workspaceId)
    expect(await callApi('GET', '/', { key: apiKey })).toMatchObject({ status: 200 })
    await revokeApiKey(world.workspaceId, keyId, now())
    expect(await callApi('GET', '/', { key: apiKey })).toMatchObject({ status: 401 })
  })

  it('404: a path without a route; 405: a method without one, with the allowed methods', async () => {
    expect(await callApi('GET', '/nothing', { key: world.apiKey })).toMatchObject({
      status: 404,
      body: { error: { code: 'not-found' } },
    })
    const refused = await callApi('DELETE', '/videos', { key: world.apiKey })
    expect(refused).toMatchObject({ status: 405, body: { error: { code: 'method-not-allowed' } } })
    expect(refused.headers.get('allow')?.split(', ').toSorted()).toEqual(['GET', 'POST'])
    expect(refused.body.error.message).toMatch(/Allowed: (GET, POST|POST, GET)\.$/)
  })
})

describe('the API keys of a workspace', () => {
  rule('limits.api-keys', async () => {
    const world = await newWorld()
    const made = await Promise.allSettled(Array.from({ length: 40 }, () => newKey(world.workspaceId)))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(24)
    const refusal = made.find(({ status }) => status === 'rejected') as PromiseRejectedResult
    expect(refusal.reason).toMatchObject({ code: 'limit-reached' })
    const account = await callApi('GET', '/', { key: world.apiKey })
    expect(account.body.data.limits.apiKeys).toEqual({ used: 25, limit: 25 })
  })

  it('a revoked key no longer counts', async () => {
    const world = await newWorld()
    await revokeApiKey(world.workspaceId, (await newKey(world.workspaceId)).keyId, now())
    const account = await callApi('GET', '/', { key: world.apiKey })
    expect(account.body.data.limits.apiKeys.used).toBe(1)
  })
})
