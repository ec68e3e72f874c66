/** POST /webhooks/{id}/test. */

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { getWebhook } from '../../../lib/store/webhooks.ts'
import { verifyWebhook } from '../../../packages/client/webhooks.js'
import { givenWebhook, unreachableUrl, updateWebhook } from '../../support/given/webhooks.ts'
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
  receiver.answering = respondWithStatus(200)
  receiver.posts.length = 0
})

const send = (method: string, path: string, body?: unknown, { apiKey }: World = world) =>
  callApi(method, path, { key: apiKey, body })

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

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

  it('200 or 401: is sent for a workspace of the organization, for no other, however it is written', async () => {
    const child = await newWorld({ organizationId: world.workspaceId })
    const { id } = await givenWebhook(child, { url: `${receiver.url}/hook` })
    const statusFor = async (workspaceId: string) => {
      const headers = { Authorization: `Bearer ${world.apiKey}`, 'X-Service-Workspace': workspaceId }
      return (await callApi('POST', `/webhooks/${id}/test`, { headers })).status
    }
    expect(await statusFor(child.workspaceId)).toBe(200)
    for (const other of ['wsp', 'abc', 'wsp_1', '*', world.workspaceId, child.workspaceId.replace(/.$/, '!')])
      expect(await statusFor(other), other).toBe(401)
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
    expect((await verifyWebhook(post!.body, post!.headers, secret)).event).toBe('webhook.test')
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

  it('429: the endpoints of a workspace are tested ten times a minute', async () => {
    const busy = await newWorld()
    const { id } = await givenWebhook(busy, { url: unreachableUrl })
    const test = () => send('POST', `/webhooks/${id}/test`, undefined, busy)
    const answers = []
    for (let one = 0; one < 11; one++) answers.push(await test())
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 200), 429])
    expect(answers.at(-1)!.headers.get('Retry-After')).toBe('6')
  })
})
