/** POST /webhooks. */
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { handler as createWebhook } from '../../../functions/api/webhooks/create.ts'
import { unseal } from '../../../lib/aws/sealing.ts'
import { urlLengthMax } from '../../../lib/domain/core/bounded.ts'
import { eventTypes } from '../../../lib/domain/records/event.ts'
import { webhookSecretSealingContext } from '../../../lib/domain/webhooks/webhook-lifecycle.ts'
import { webhooksMax } from '../../../lib/domain/workspaces/plan.ts'
import { table, tableName } from '../../../lib/store/core/client.ts'
import { keys } from '../../../lib/store/core/keys.ts'
import { getWebhook } from '../../../lib/store/webhooks.ts'
import { apiEvent, noContext } from '../../support/api-event.ts'
import { given } from '../../support/given/videos.ts'
import { expectedError } from '../../support/refusals.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

let world: World

beforeAll(async () => {
  world = await newWorld()
})

afterEach(() => {
  vi.unstubAllEnvs()
})

const url = 'https://example.com/hook'

const send = (method: string, path: string, body?: unknown, { apiKey }: World = world) =>
  callApi(method, path, { key: apiKey, body })

const create = (body: object = {}, as = world) =>
  send('POST', '/webhooks', { url, events: ['video.created'], ...body }, as)

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

const events = ['video.created']

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
      expect(await create(wrong)).toMatchObject(expectedError(400, 'invalid-request'))
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

  rule('webhooks.no-rotation', async () => {
    const { id, secret } = (await create()).body.data
    expect((await send('PATCH', `/webhooks/${id}`, { url, secret: 'whsec_mine' })).status).toBe(200)
    const stored = await getWebhook(world.workspaceId, id)
    expect(await unseal(stored.sealedSecret, webhookSecretSealingContext(stored))).toBe(secret)
    expect((await create()).body.data.secret).not.toBe(secret)
  })

  rule('webhooks.create.duplicates', async () => {
    const twice = ['video.published', 'video.created', 'video.published', 'video.created']
    expect((await create({ events: twice })).body.data.events).toEqual(['video.published', 'video.created'])
  })

  rule('webhooks.create.unknown-event', async () => {
    const answer = await create({ events: ['video.created', 'video.deleted'] })
    expect(answer).toMatchObject(expectedError(400, 'warning-invalid-events'))
    expect(answer.body.error.message).toContain('video.deleted')
    expect(answer.body.error.validEvents).toEqual(eventTypes)
    const { id } = (await create()).body.data
    const edited = await send('PATCH', `/webhooks/${id}`, { events: ['VIDEO.CREATED'] })
    expect(edited).toMatchObject(expectedError(400, 'warning-invalid-events'))
  })

  rule('webhooks.create.addresses', async () => {
    const hosts = ['127.0.0.1', 'localhost', '10.0.0.1', '169.254.169.254', '100.64.0.1', '[::1]', '[::ffff:10.0.0.1]']
    const refused = [...hosts.map((host) => `https://${host}/hook`), 'http://example.com/hook', 'ftp://example.com/']
    expect(await statusesElsewhere(refused)).toEqual(refused.map(() => 400))
    expect(await statusesElsewhere([url])).toEqual([201])
    const { id } = (await create()).body.data
    expect(await send('PATCH', `/webhooks/${id}`, { url: 'https://10.0.0.1/hook' })).toMatchObject(
      expectedError(400, 'invalid-request'),
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
    expect(await create({}, fresh)).toMatchObject(expectedError(409, 'limit-reached'))
  })

  it('400 or 409: checks the shape first, then the URL, then the events, and the limit last', async () => {
    const full = await newWorld()
    await given.workspaceWith(full, { webhooksUsed: webhooksMax })
    const post = (body: object) => send('POST', '/webhooks', body, full)
    const shape = await post({ url: 'ftp://example.com', events: [] })
    expect(shape).toMatchObject(expectedError(400, 'invalid-request'))
    expect(shape.body.error.details).toMatchObject([{ path: 'body.events' }])
    const address = await post({ url: 'ftp://example.com', events: ['nothing'] })
    expect(address).toMatchObject(expectedError(400, 'invalid-request'))
    expect(address.body.error.details).toMatchObject([{ path: 'body.url' }])
    expect(await post({ url, events: ['nothing'] })).toMatchObject(expectedError(400, 'warning-invalid-events'))
    expect(await post({ url, events })).toMatchObject(expectedError(409, 'limit-reached'))
  })

  it(`400: an address has at most ${urlLengthMax} characters`, async () => {
    const long = url.padEnd(urlLengthMax, 'a')
    expect((await send('POST', '/webhooks', { url: long, events })).body.data.url).toBe(long)
    expect(await send('POST', '/webhooks', { url: `${long}a`, events })).toMatchObject(
      expectedError(400, 'invalid-request'),
    )
  })

  it.each([
    'example.com/hook',
    '//example.com/hook',
    'ftp://example.com/hook',
    'javascript:alert(1)',
    'https://user:secret@example.com/hook',
    'https://example.com:25/hook',
    'https://10.1.2.3/hook',
    'https://0x0a010203/hook',
    'https://[fd00::1]/hook',
    'https://router/hook',
    'https://printer.local/hook',
  ])('400: %s is not a URL for webhooks', async (wrong) => {
    const answer = await send('POST', '/webhooks', { url: wrong, events })
    expect(answer).toMatchObject(expectedError(400, 'invalid-request'))
    expect(answer.body.error.details).toMatchObject([{ path: 'body.url', message: expect.any(String) }])
  })

  it('201: a URL is stored in its normal form', async () => {
    const { body } = await create({ url: 'HTTPS://ä.Example:443/Hook' })
    expect(body.data.url).toBe('https://xn--4ca.example/Hook')
  })

  it('201: ignores an `Idempotency-Key`, because the secret of the first response is stored nowhere', async () => {
    const post = () =>
      callApi('POST', '/webhooks', { key: world.apiKey, headers: { 'Idempotency-Key': 'same' }, body: { url, events } })
    const [first, second] = [await post(), await post()]
    expect(first.body.data.id).not.toBe(second.body.data.id)
    expect(second.headers.has('idempotent-replayed')).toBe(false)
  })

  it('201: a workspace of an organization has its own endpoints', async () => {
    const organization = await newWorld()
    const { workspaceId, apiKey } = await newWorld({ organizationId: organization.workspaceId })
    const headers = { 'X-Service-Workspace': workspaceId }
    await callApi('POST', '/webhooks', { key: organization.apiKey, headers, body: { url, events } })
    expect((await callApi('GET', '/webhooks', { key: organization.apiKey })).body.paging.total).toBe(0)
    expect((await callApi('GET', '/webhooks', { key: apiKey })).body.paging.total).toBe(1)
  })
})
