/** PATCH /webhooks/{id}. */
import { beforeAll, describe, expect, it } from 'vitest'
import { givenWebhook, updateWebhook } from '../../support/given/webhooks.ts'
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

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe('PATCH /webhooks/{id}', () => {
  rule('webhooks.edit', async () => {
    const { secret: _secret, ...before } = (await create()).body.data
    const edits = [{ url: 'https://example.com/moved' }, { events: ['video.published'] }, { enabled: false }]
    let expected = before
    for (const edit of edits) {
      const { status, body } = await send('PATCH', `/webhooks/${before.id}`, { ...edit, failureCount: 9, id: 'x' })
      expected = { ...expected, ...edit, updatedAt: time }
      expect([status, body]).toEqual([200, { data: expected }])
      expect(await read(before.id)).toEqual(body.data)
    }
  })

  rule('webhooks.edit.nothing', async () => {
    const { id } = (await create()).body.data
    for (const body of [{}, { failureCount: 0 }, { url: null }, { enabled: 'yes' }, { events: 'video.created' }])
      expect(await send('PATCH', `/webhooks/${id}`, body)).toMatchObject(expectedError(400, 'invalid-request'))
  })

  rule('webhooks.edit.events', async () => {
    const { id } = (await create({ events: ['video.created', 'video.published'] })).body.data
    const { body } = await send('PATCH', `/webhooks/${id}`, { events: ['video.render_failed', 'video.render_failed'] })
    expect(body.data.events).toEqual(['video.render_failed'])
  })

  rule('webhooks.edit.enable', async () => {
    const { id } = (await create()).body.data
    await updateWebhook(world, id, { enabled: false, failureCount: 25, disabledReason: 'Too many.', epoch: 1 })
    expect(await read(id)).toMatchObject({ enabled: false, failureCount: 25, disabledReason: 'Too many.' })
    const { body } = await send('PATCH', `/webhooks/${id}`, { enabled: true })
    expect(body.data).toMatchObject({ enabled: true, failureCount: 0, disabledReason: null })
  })

  it('400: changes nothing where a part is refused', async () => {
    const { id } = await givenWebhook(world)
    const before = (await send('GET', `/webhooks/${id}`)).body
    for (const body of [
      { enabled: false, url: 'https://10.0.0.1/' },
      { enabled: false, events: ['nothing'] },
      { enabled: false, url: 7 },
    ])
      expect((await send('PATCH', `/webhooks/${id}`, body)).status).toBe(400)
    expect((await send('GET', `/webhooks/${id}`)).body).toEqual(before)
  })

  it('200: keeps the failure count of an endpoint that was already enabled', async () => {
    const { id } = await givenWebhook(world)
    await updateWebhook(world, id, { failureCount: 7 })
    expect((await send('PATCH', `/webhooks/${id}`, { enabled: true })).body.data.failureCount).toBe(7)
  })

  it('200: concurrent edits are all stored', async () => {
    const { id } = await givenWebhook(world)
    const edits = [{ url: 'https://example.com/moved' }, { events: ['video.published'] }, { enabled: false }]
    const answers = await Promise.all(edits.map((edit) => send('PATCH', `/webhooks/${id}`, edit)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await send('GET', `/webhooks/${id}`)).body.data).toMatchObject(Object.assign({}, ...edits))
  })
})
