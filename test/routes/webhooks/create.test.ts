/** Webhook endpoints: POST, GET, PATCH and DELETE /webhooks, and the test delivery. */

import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, afterEach, beforeAll, describe, expect, vi } from 'vitest'
import { handler as createWebhook } from '../../../functions/api/webhooks/create.ts'
import { unseal } from '../../../lib/aws/sealing.ts'
import { verifyWebhook } from '../../../lib/contract/verify-webhook.ts'
import { eventTypes } from '../../../lib/domain/records/event.ts'
import { webhookSecretSealingContext } from '../../../lib/domain/webhooks/webhook.ts'
import { table, tableName } from '../../../lib/store/core/client.ts'
import { keys } from '../../../lib/store/core/keys.ts'
import { getWebhook } from '../../../lib/store/webhooks.ts'
import { apiEvent, noContext } from '../../support/api-event.ts'
import { givenDelivery, givenWebhook, unreachableUrl, updateWebhook } from '../../support/given/webhooks.ts'
import { respondWithStatus, startTestReceiver, type TestReceiver } from '../../support/receiver.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

let world: World
let receiver: TestReceiver
beforeAll(async () => {
  world = await newWorld()
  receiver = await startTestReceiver()
})
afterAll(() => receiver.stop())
afterEach(() => {
  vi.unstubAllEnvs()
  receiver.answering = respondWithStatus(200)
  receiver.posts.length = 0
})

const url = 'https://example.com/hook'
const send = (method: string, path: string, body?: unknown, { apiKey }: World = world) =>
  callApi(method, path, { key: apiKey, body })
const create = (body: object = {}, as = world) =>
  send('POST', '/webhooks', { url, events: ['video.created'], ...body }, as)
const read = async (id: string, as = world) => (await send('GET', `/webhooks/${id}`, undefined, as)).body.data
const refusal = (status: number, code: string) => ({ status, body: { error: { status, code } } })
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

/** The statuses with which an operator who allows no loopback answers these addresses. */
const statusesElsewhere = async (urls: string[]) => {
  vi.stubEnv('ALLOW_LOOPBACK', 'false')
  const headers = { authorization: `Bearer ${(await newWorld()).apiKey}` }
  const requests = urls.map((url) => JSON.stringify({ url, events: ['video.created'] }))
  return Promise.all(
    requests.map(
      async (body) => (await createWebhook(apiEvent('POST', '/v1/webhooks', headers, body), noContext)).statusCode,
    ),
  )
}

describe('POST /webhooks', () => {
  rule(['webhooks.create', 'webhooks.create.shape'], async () => {
    const { status, body } = await create({ events: ['video.created', 'automation.stopped'], name: 'unknown' })
    expect(status).toBe(201)
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^whk_[a-z0-9]+$/),
        url,
        events: ['video.created', 'automation.stopped'],
        enabled: true,
        createdAt: time,
        updatedAt: time,
        lastDeliveryAt: null,
        failureCount: 0,
        disabledReason: null,
        secret: expect.any(String),
      },
    })
    for (const wrong of [{ url: undefined }, { url: 7 }, { url: 'no url' }, { events: undefined }, { events: [] }])
      expect(await create(wrong)).toMatchObject(refusal(400, 'invalid-request'))
  })

  rule('webhooks.create.secret', async () => {
    const { id, secret } = (await create()).body.data
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const later = await Promise.all([
      send('GET', `/webhooks/${id}`),
      send('GET', '/webhooks?limit=100'),
      send('PATCH', `/webhooks/${id}`, { enabled: false }),
      send('POST', `/webhooks/${id}/test`),
      send('DELETE', `/webhooks/${id}`),
    ])
    expect(JSON.stringify(later.map(({ body }) => body))).not.toMatch(/secret|whsec/i)
  })

  rule('webhooks.create.sealed', async () => {
    const { id, secret } = (await create()).body.data
    const Key = keys.webhook(world.workspaceId, id)
    const { Item } = await table.send(new GetCommand({ TableName: tableName(), Key, ConsistentRead: true }))
    expect(JSON.stringify(Item)).not.toContain(secret.slice('whsec_'.length))
    const stored = await getWebhook(world.workspaceId, id)
    expect(await unseal(stored.sealedSecret, webhookSecretSealingContext(stored))).toBe(secret)
  })

  rule('webhooks.create.duplicates', async () => {
    const twice = ['video.published', 'video.created', 'video.published', 'video.created']
    expect((await create({ events: twice })).body.data.events).toEqual(['video.published', 'video.created'])
  })

  rule('webhooks.create.unknown-event', async () => {
    const answer = await create({ events: ['video.created', 'video.deleted'] })
    expect(answer).toMatchObject(refusal(400, 'warning-invalid-events'))
    expect(answer.body.error.message).toContain('video.deleted')
    expect(answer.body.error.validEvents).toEqual(eventTypes)
    const { id } = (await create()).body.data
    const edited = await send('PATCH', `/webhooks/${id}`, { events: ['VIDEO.CREATED'] })
    expect(edited).toMatchObject(refusal(400, 'warning-invalid-events'))
  })

  rule('webhooks.create.addresses', async () => {
    const hosts = ['127.0.0.1', 'localhost', '10.0.0.1', '169.254.169.254', '100.64.0.1', '[::1]', '[::ffff:10.0.0.1]']
    const refused = [...hosts.map((host) => `https://${host}/hook`), 'http://example.com/hook', 'ftp://example.com/']
    expect(await statusesElsewhere(refused)).toEqual(refused.map(() => 400))
    expect(await statusesElsewhere([url])).toEqual([201])
    const { id } = (await create()).body.data
    expect(await send('PATCH', `/webhooks/${id}`, { url: 'https://10.0.0.1/hook' })).toMatchObject(
      refusal(400, 'invalid-request'),
    )
  })

  rule('webhooks.create.local-addresses', async () => {
    for (const local of ['http://127.0.0.1:4000/hook', 'http://localhost:4000/hook'])
      expect((await create({ url: local }, await newWorld())).status).toBe(201)
  })

  rule('limits.webhook-endpoints', async () => {
    const fresh = await newWorld()
    const statuses = await Promise.all(Array.from({ length: 60 }, async () => await create({}, fresh)))
    expect(statuses.filter(({ status }) => status === 201)).toHaveLength(25)
    expect(statuses.filter(({ body }) => body.error?.code === 'limit-reached')).toHaveLength(35)
    const used = async () => (await send('GET', '/', undefined, fresh)).body.data.limits.webhooks
    expect(await used()).toEqual({ used: 25, limit: 25 })
    const { data, paging } = (await send('GET', '/webhooks', undefined, fresh)).body
    expect([data.length, paging.total]).toEqual([25, 25])
    await send('DELETE', `/webhooks/${data[0].id}`, undefined, fresh)
    expect(await used()).toEqual({ used: 24, limit: 25 })
    expect((await create({}, fresh)).status).toBe(201)
    expect(await create({}, fresh)).toMatchObject(refusal(409, 'limit-reached'))
  })
})

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

  rule('webhooks.get', async () => {
    const { secret: _secret, ...shown } = (await create()).body.data
    expect((await send('GET', `/webhooks/${shown.id}`)).body).toEqual({ data: shown })
    const other = await newWorld()
    expect(await send('GET', `/webhooks/${shown.id}`, undefined, other)).toMatchObject(refusal(404, 'not-found'))
  })
})

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
      expect(await send('PATCH', `/webhooks/${id}`, body)).toMatchObject(refusal(400, 'invalid-request'))
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
})

describe('DELETE /webhooks/{id}', () => {
  rule(['webhooks.delete', 'webhooks.delete.again'], async () => {
    const { id } = await givenWebhook(world)
    const { id: otherId } = await givenWebhook(world)
    for (const webhookId of [id, id, otherId]) await givenDelivery(world, webhookId)
    await givenDelivery(world, id, 'video.created', { status: 'delivered', dueAt: null, nextAttemptAt: null })
    const { status, body } = await send('DELETE', `/webhooks/${id}`)
    expect([status, body]).toEqual([200, { data: { ok: true, droppedDeliveries: 2 } }])
    for (const method of ['DELETE', 'GET', 'PATCH'])
      expect(await send(method, `/webhooks/${id}`, method === 'PATCH' ? { enabled: true } : undefined)).toMatchObject(
        refusal(404, 'not-found'),
      )
    expect((await read(otherId)).id).toBe(otherId)
  })
})

rule('webhooks.no-rotation', async () => {
  const { id, secret } = (await create()).body.data
  expect((await send('PATCH', `/webhooks/${id}`, { url, secret: 'whsec_mine' })).status).toBe(200)
  const stored = await getWebhook(world.workspaceId, id)
  expect(await unseal(stored.sealedSecret, webhookSecretSealingContext(stored))).toBe(secret)
  expect((await create()).body.data.secret).not.toBe(secret)
})

describe('POST /webhooks/{id}/test', () => {
  const here = () => givenWebhook(world, { url: `${receiver.url}/hook` })

  rule('webhooks.test', async () => {
    const { id } = await here()
    const { status, body } = await send('POST', `/webhooks/${id}/test`)
    expect(status).toBe(200)
    expect(body).toEqual({
      data: {
        event: 'webhook.test',
        url: `${receiver.url}/hook`,
        delivered: true,
        responseStatus: 200,
        durationMs: expect.any(Number),
        error: null,
      },
    })
    expect(receiver.posts).toHaveLength(1)
  })

  rule(['webhooks.test.body', 'webhooks.test.headers'], async () => {
    const { id, secret } = await here()
    await send('POST', `/webhooks/${id}/test`)
    const [post] = receiver.posts
    expect(JSON.parse(post!.body.toString())).toEqual({
      event: 'webhook.test',
      workspaceId: world.workspaceId,
      createdAt: time,
      data: { message: expect.any(String), webhookId: id },
    })
    expect(post!.headers).toMatchObject({ 'content-type': 'application/json', 'x-service-event': 'webhook.test' })
    expect(post!.headers).not.toHaveProperty('x-service-delivery')
    expect(verifyWebhook(post!.body, post!.headers, secret).event).toBe('webhook.test')
  })

  rule('webhooks.test.always', async () => {
    const { id } = await here()
    receiver.answering = respondWithStatus(503)
    const test = async (webhookId = id) => (await send('POST', `/webhooks/${webhookId}/test`)).body.data
    expect(await test()).toMatchObject({ delivered: false, responseStatus: 503, error: expect.stringContaining('503') })
    receiver.answering = respondWithStatus(204)
    await send('PATCH', `/webhooks/${id}`, { enabled: false })
    expect(await test()).toMatchObject({ delivered: true, responseStatus: 204, error: null })
    const deaf = await givenWebhook(world, { url: unreachableUrl })
    expect(await test(deaf.id)).toMatchObject({ delivered: false, responseStatus: null, error: expect.any(String) })
  })

  rule('webhooks.test.no-trace', async () => {
    const fresh = await newWorld()
    const { id } = await givenWebhook(fresh, { url: `${receiver.url}/hook` })
    await updateWebhook(fresh, id, { failureCount: 7 })
    const before = await getWebhook(fresh.workspaceId, id)
    for (const status of [200, 500, 410]) {
      receiver.answering = respondWithStatus(status)
      expect((await send('POST', `/webhooks/${id}/test`, undefined, fresh)).body.data.responseStatus).toBe(status)
    }
    expect(await getWebhook(fresh.workspaceId, id)).toEqual(before)
    expect((await send('GET', '/webhooks/deliveries', undefined, fresh)).body.paging.total).toBe(0)
  })
})
