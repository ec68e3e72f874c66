/** GET /webhooks and GET /webhooks/{id}. */
import { beforeAll, describe, expect } from 'vitest'
import { expectedError } from '../../support/refusals.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

let world: World

beforeAll(async () => {
  world = await newWorld()
})

const url = 'https://example.com/hook'

const send = (method: string, path: string, body?: unknown, { apiKey }: World = world) =>
  callApi(method, path, { key: apiKey, body })

const create = (body: object = {}, as = world) =>
  send('POST', '/webhooks', { url, events: ['video.created'], ...body }, as)

const read = async (id: string, as = world) => (await send('GET', `/webhooks/${id}`, undefined, as)).body.data

describe('GET /webhooks', () => {
  rule('webhooks.list', async () => {
    const fresh = await newWorld()
    const made: string[] = []
    for (let count = 0; count < 3; count++) made.push((await create({}, fresh)).body.data.id)
    const { body } = await send('GET', '/webhooks', undefined, fresh)
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(made.toReversed())
    expect(body.data[0]).toEqual(await read(made[2]!, fresh))
    expect(body.paging).toEqual({ limit: 50, offset: 0, total: 3 })
    const page = await send('GET', '/webhooks?limit=1&offset=1', undefined, fresh)
    expect(page.body).toMatchObject({ data: [{ id: made[1] }], paging: { limit: 1, offset: 1, total: 3 } })
  })
})

describe('GET /webhooks/{id}', () => {
  rule('webhooks.get', async () => {
    const { secret: _secret, ...shown } = (await create()).body.data
    expect((await send('GET', `/webhooks/${shown.id}`)).body).toEqual({ data: shown })
    const other = await newWorld()
    expect(await send('GET', `/webhooks/${shown.id}`, undefined, other)).toMatchObject(expectedError(404, 'not-found'))
  })
})
