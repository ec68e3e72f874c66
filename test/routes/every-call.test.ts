/** What holds for every call: envelopes, times, ids, status codes, tenants and the size of bodies. */
import { beforeAll, describe, expect } from 'vitest'
import { sortedRoutes } from '../../lib/contract/openapi/document.ts'
import { callApi, newWorld, type World } from '../support/world.ts'
import { rule } from './rules/rule.ts'

let world: World

beforeAll(async () => {
  world = await newWorld()
})

const send = (method: string, path: string, body?: unknown) => callApi(method, path, { key: world.apiKey, body })

const newVideo = async () => (await send('POST', '/videos', { prompt: 'An idea' })).body.data

const statusFor = (status: number, paths: string[]) =>
  Object.fromEntries(paths.map((path) => [`POST /${path}`, status]))

describe('every call', () => {
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
      'keys',
    ]
    const statuses: Record<string, number> = {
      ...statusFor(201, [...makes, 'webhooks', 'webhooks/deliveries/{id}/resend', 'profiles/{id}/connections']),
      ...statusFor(202, [
        ...['process', 'render', 'script', 'convert'].map((job) => `videos/{id}/${job}`),
        'webhooks/{id}/replay',
      ]),
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
})
