/** What holds for every call, for the account and for the static lists. */
import { beforeAll, describe, expect } from 'vitest'
import { handler as getAccount } from '../../functions/api/account/get.ts'
import { sortedRoutes } from '../../lib/contract/openapi/document.ts'
import { isWellFormedApiKey, mintApiKey } from '../../lib/domain/workspaces/api-key.ts'
import { plans } from '../../lib/domain/workspaces/plan.ts'
import { table } from '../../lib/store/core/client.ts'
import { apiEvent, noContext } from '../support/api-event.ts'
import { callApi, newKey, newWorld, type World } from '../support/world.ts'
import { rule } from './rules/rule.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})
const send = (method: string, path: string, body?: unknown) => callApi(method, path, { key: world.apiKey, body })
const newVideo = async () => (await send('POST', '/videos', { prompt: 'An idea' })).body.data

/** What a request reads in this process, without the cloud in between. */
async function commandsOf(run: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = []
  table.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        seen.push(String(commandName))
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

const statusFor = (status: number, paths: string[]) =>
  Object.fromEntries(paths.map((path) => [`POST /${path}`, status]))

describe('every call', () => {
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
    expect(await commandsOf(async () => expect((await accountFor(mistyped)).statusCode).toBe(401))).toEqual([])
    expect(await commandsOf(async () => expect((await accountFor(mintApiKey())).statusCode).toBe(401))).toHaveLength(1)
  })

  rule(['calls.record-envelope', 'calls.page-envelope'], async () => {
    const { id } = await newVideo()
    expect(Object.keys((await send('GET', `/videos/${id}`)).body)).toEqual(['data'])
    const { body } = await send('GET', '/videos?limit=3&offset=0')
    expect(Object.keys(body)).toEqual(['data', 'paging'])
    expect(body).toMatchObject({ data: expect.any(Array), paging: { limit: 3, offset: 0, total: expect.any(Number) } })
  })

  rule('calls.utc-timestamps', async () => {
    const video = await newVideo()
    for (const time of [video.createdAt, video.updatedAt, video.process.queuedAt])
      expect(new Date(time).toISOString()).toBe(time)
  })

  rule('calls.opaque-ids', async () => {
    const made: { id: string; createdAt: string }[] = []
    for (let count = 0; count < 5; count++) made.push(await newVideo())
    for (const { id } of made) expect(id).toMatch(/^vid_[A-Za-z0-9_]{1,60}$/)
    const inOrder = made.filter(({ createdAt }, index) => createdAt !== made[index - 1]?.createdAt).map(({ id }) => id)
    expect(inOrder.toSorted()).toEqual(inOrder)
    const { workspace } = (await send('GET', '/')).body.data
    expect(workspace.id).toMatch(/^wsp_[A-Za-z0-9_]{1,60}$/)
  })

  rule('calls.success-codes', () => {
    const makes = [
      'videos',
      'videos/{id}/clips',
      'videos/{id}/scenes',
      'uploads',
      'automations',
      'automations/{id}/run',
    ]
    const statuses: Record<string, number> = {
      ...statusFor(201, [...makes, 'webhooks', 'webhooks/deliveries/{id}/resend', 'profiles/{id}/connections']),
      ...statusFor(
        202,
        ['process', 'render', 'script', 'convert'].map((job) => `videos/{id}/${job}`),
      ),
    }
    const expected = sortedRoutes.map(({ row }) => [row.signature, statuses[row.signature] ?? 200])
    expect(sortedRoutes.map(({ row }) => [row.signature, row.status ?? 200])).toEqual(expected)
  })

  rule('calls.foreign-is-404', async () => {
    const { id } = await newVideo()
    const { apiKey } = await newWorld()
    for (const [method, body] of [['GET'], ['PATCH', { title: 'Mine' }]] as const)
      expect(await callApi(method, `/videos/${id}`, { key: apiKey, body })).toMatchObject({
        status: 404,
        body: { error: { status: 404, code: 'not-found' } },
      })
  })

  rule('limits.body-size', async () => {
    const { id } = await newVideo()
    const status = async (method: string, path: string, body: object, bytes: number) =>
      (await callApi(method, path, { key: world.apiKey, body: JSON.stringify(body).padEnd(bytes) })).status
    for (const row of sortedRoutes.filter(({ row }) => row.body)) {
      const replaces = row.method === 'PUT' && row.path.startsWith('/videos/')
      expect(row.row.bodyBytesMax ?? 256 * 1024, row.name).toBe((replaces ? 4096 : 256) * 1024)
    }
    expect(await status('PATCH', `/videos/${id}`, { title: 'x' }, 256 * 1024)).toBe(200)
    expect(await status('PATCH', `/videos/${id}`, { title: 'x' }, 256 * 1024 + 1)).toBe(413)
    expect(await status('PUT', `/videos/${id}/captions`, { captions: [] }, 4096 * 1024)).toBe(200)
    expect(await status('PUT', `/videos/${id}/captions`, { captions: [] }, 4096 * 1024 + 1)).toBe(413)
  })

  rule('platforms.list', async () => {
    const ids = 'tiktok youtube instagram twitter facebook linkedin threads pinterest reddit bluesky'.split(' ')
    const here = await send('GET', '/platforms')
    expect(here.body.data.map(({ id }: { id: string }) => id)).toEqual(ids)
    expect(Object.keys(here.body.data[0])).toEqual(['id', 'name', 'color'])
    expect((await callApi('GET', '/platforms', { key: (await newWorld()).apiKey })).body).toEqual(here.body)
  })
})

describe('the account', () => {
  rule('account.get.shape', async () => {
    const { workspaceId, apiKey } = await newWorld({ planId: 'starter' })
    await callApi('POST', '/videos', { key: apiKey, body: { prompt: 'x' } })
    const { body } = await callApi('GET', '/', { key: apiKey })
    const time = expect.stringMatching(/^\d{4}-\d\d-01T00:00:00.000Z$/)
    expect(body.data).toEqual({
      workspace: { id: workspaceId, name: 'Test', organizationId: null },
      plan: { id: 'starter', name: 'Starter', renewsAt: time },
      credits: { balance: 1_990, granted: 2_000, used: 0, avatar: { balance: 0 } },
      limits: {
        generations: { used: 1, limit: 100, resetsAt: time },
        storage: { usedBytes: 0, limitBytes: plans.starter.storageBytesMax },
        automations: { used: 0, limit: 3 },
        maxDurationSeconds: 180,
        maxRenderSeconds: 720,
        publishing: true,
        webhooks: { used: 0, limit: 25 },
        apiKeys: { used: 1, limit: 25 },
      },
    })
  })

  rule(['account.get.one-record', 'account.get.verifies-key'], async () => {
    const commands = await commandsOf(async () => expect((await accountFor(world.apiKey)).statusCode).toBe(200))
    expect(commands).toEqual(['GetItemCommand', 'GetItemCommand'])
  })

  rule('limits.api-keys', async () => {
    const { workspaceId, apiKey } = await newWorld()
    for (let key = 2; key <= 25; key++) await newKey(workspaceId)
    await expect(newKey(workspaceId)).rejects.toMatchObject({ code: 'limit-reached' })
    expect((await callApi('GET', '/', { key: apiKey })).body.data.limits.apiKeys).toEqual({ used: 25, limit: 25 })
  })
})
