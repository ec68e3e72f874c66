/** Endpoints through the API: what is refused first, how they live beside others, and what is told of a test. */
import { beforeAll, describe, expect, it } from 'vitest'
import { webhookUrlLengthMax } from '../../lib/contract/requests/webhooks.ts'
import { webhooksMax } from '../../lib/domain/workspaces/plan.ts'
import { given } from '../support/given/videos.ts'
import { givenWebhook, updateWebhook } from '../support/given/webhooks.ts'
import { callApi, newWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const url = 'https://example.com/hook'
const events = ['video.created']
const send = (method: string, path: string, body?: unknown, { apiKey }: World = world) =>
  callApi(method, path, { key: apiKey, body })
const refusal = (status: number, code: string) => ({ status, body: { error: { status, code } } })

describe('POST /webhooks', () => {
  it('400: tells first of the shape, then of the address, then of the events, and of the limit last', async () => {
    const full = await newWorld()
    await given.workspaceWith(full, { webhooksUsed: webhooksMax })
    const post = (body: object) => send('POST', '/webhooks', body, full)
    const shape = await post({ url: 'ftp://example.com', events: [] })
    expect(shape).toMatchObject(refusal(400, 'invalid-request'))
    expect(shape.body.error.details).toMatchObject([{ path: 'body.events' }])
    const address = await post({ url: 'ftp://example.com', events: ['nothing'] })
    expect(address).toMatchObject(refusal(400, 'invalid-request'))
    expect(address.body.error.details).toMatchObject([{ path: 'body.url' }])
    expect(await post({ url, events: ['nothing'] })).toMatchObject(refusal(400, 'warning-invalid-events'))
    expect(await post({ url, events })).toMatchObject(refusal(409, 'limit-reached'))
  })

  it(`400: an address has at most ${webhookUrlLengthMax} characters`, async () => {
    const long = url.padEnd(webhookUrlLengthMax, 'a')
    expect((await send('POST', '/webhooks', { url: long, events })).body.data.url).toBe(long)
    expect(await send('POST', '/webhooks', { url: `${long}a`, events })).toMatchObject(refusal(400, 'invalid-request'))
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
  ])('400: %s is no address of an endpoint', async (wrong) => {
    const answer = await send('POST', '/webhooks', { url: wrong, events })
    expect(answer).toMatchObject(refusal(400, 'invalid-request'))
    expect(answer.body.error.details).toMatchObject([{ path: 'body.url', message: expect.any(String) }])
  })

  it('201: is not repeated by a key: the secret of the first answer is stored nowhere', async () => {
    const post = () =>
      callApi('POST', '/webhooks', { key: world.apiKey, headers: { 'Idempotency-Key': 'same' }, body: { url, events } })
    const [first, second] = [await post(), await post()]
    expect(first.body.data.id).not.toBe(second.body.data.id)
    expect(second.headers.has('idempotent-replayed')).toBe(false)
  })

  it('201: a workspace of an organization has endpoints of its own', async () => {
    const organization = await newWorld()
    const { workspaceId, apiKey } = await newWorld({ organizationId: organization.workspaceId })
    const headers = { 'X-Service-Workspace': workspaceId }
    await callApi('POST', '/webhooks', { key: organization.apiKey, headers, body: { url, events } })
    expect((await callApi('GET', '/webhooks', { key: organization.apiKey })).body.paging.total).toBe(0)
    expect((await callApi('GET', '/webhooks', { key: apiKey })).body.paging.total).toBe(1)
  })
})

describe('PATCH /webhooks/{id}', () => {
  it('400: changes nothing where a part of it is refused', async () => {
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

  it('200: keeps the failures of an endpoint that was enabled already', async () => {
    const { id } = await givenWebhook(world)
    await updateWebhook(world, id, { failureCount: 7 })
    expect((await send('PATCH', `/webhooks/${id}`, { enabled: true })).body.data.failureCount).toBe(7)
  })

  it('200: edits that come at once all hold', async () => {
    const { id } = await givenWebhook(world)
    const edits = [{ url: 'https://example.com/moved' }, { events: ['video.published'] }, { enabled: false }]
    const answers = await Promise.all(edits.map((edit) => send('PATCH', `/webhooks/${id}`, edit)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await send('GET', `/webhooks/${id}`)).body.data).toMatchObject(Object.assign({}, ...edits))
  })
})

describe('DELETE /webhooks/{id}', () => {
  it('200: once, also where it is asked for many times at once, and its place is free again', async () => {
    const fresh = await newWorld()
    const { id } = await givenWebhook(fresh)
    const answers = await Promise.all([1, 2, 3, 4].map(() => send('DELETE', `/webhooks/${id}`, undefined, fresh)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404])
    expect((await send('GET', '/', undefined, fresh)).body.data.limits.webhooks.used).toBe(0)
  })
})
