/** POST /webhooks/deliveries/{id}/resend. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { now } from '../../../lib/clock.ts'
import type { DeliveryResource } from '../../../lib/contract/resources/webhooks.ts'
import { attemptDelivery } from '../../../lib/use-cases/webhooks/attempt-delivery.ts'
import { givenDelivery, givenWebhook } from '../../support/given/webhooks.ts'
import { startTestReceiver, type TestReceiver } from '../../support/receiver.ts'
import { expectedError } from '../../support/refusals.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

let world: World

let receiver: TestReceiver

beforeAll(async () => {
  world = await newWorld()
  receiver = await startTestReceiver()
})

afterAll(() => receiver.stop())

const send = (method: string, path: string, body?: unknown, { apiKey }: World = world) =>
  callApi(method, path, { key: apiKey, body })

const list = async (query = '', as = world) => (await send('GET', `/webhooks/deliveries${query}`, undefined, as)).body

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const resend = (id: string) => send('POST', `/webhooks/deliveries/${id}/resend`)

describe('POST /webhooks/deliveries/{id}/resend', () => {
  rule(['deliveries.resend', 'deliveries.resend.new-id', 'deliveries.resend.current-url'], async () => {
    const { id: webhookId } = await givenWebhook(world)
    const ended = { status: 'delivered', attempts: 3, deliveredAt: now(), nextAttemptAt: null, dueAt: null } as const
    const first = await givenDelivery(world, webhookId, 'video.render_failed', ended)
    const url = `${receiver.url}/moved`
    await send('PATCH', `/webhooks/${webhookId}`, { url })
    const { status, body } = await send('POST', `/webhooks/deliveries/${first.id}/resend`)
    expect(status).toBe(201)
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^dlv_/),
        webhookId,
        event: 'video.render_failed',
        url,
        status: 'pending',
        attempts: 0,
        responseStatus: null,
        lastError: null,
        nextAttemptAt: time,
        createdAt: time,
        deliveredAt: null,
        payload: JSON.parse(first.payload),
      },
    })
    const { id } = body.data
    expect(id).not.toBe(first.id)
    await attemptDelivery({ workspaceId: world.workspaceId, deliveryId: id, attempt: 0, isReserved: true })
    const posted = receiver.posts.filter(({ path }) => path === '/moved')
    expect(posted.map(({ headers }) => headers['x-service-delivery'])).toEqual([id])
    expect(posted[0]!.body.toString()).toBe(first.payload)
    const { data } = await list(`?webhookId=${webhookId}`)
    expect(data.map(({ status, attempts }: DeliveryResource) => [status, attempts])).toEqual([
      ['delivered', 1],
      ['delivered', 3],
    ])
  })

  it('201: creates a new delivery each time, also for a resent one', async () => {
    const fresh = await newWorld()
    const { id } = await givenDelivery(fresh, (await givenWebhook(fresh)).id)
    const again = (await send('POST', `/webhooks/deliveries/${id}/resend`, undefined, fresh)).body.data
    const twice = (await send('POST', `/webhooks/deliveries/${again.id}/resend`, undefined, fresh)).body.data
    expect(new Set([id, again.id, twice.id]).size).toBe(3)
    expect(twice.payload).toEqual(again.payload)
    expect((await send('GET', '/webhooks/deliveries', undefined, fresh)).body.paging.total).toBe(3)
  })

  it('429: a message is resent ten times an hour, resends of its resends included', async () => {
    const { id: webhookId } = await givenWebhook(world)
    let { id } = await givenDelivery(world, webhookId)
    for (let times = 0; times < 10; times++) {
      const { status, body } = await resend(id)
      expect(status).toBe(201)
      id = body.data.id
    }
    const { status, headers, body } = await resend(id)
    expect([status, body.error.code, headers.get('Retry-After')]).toEqual([429, 'rate-limited', '360'])
  })

  it('404: the endpoint was deleted', async () => {
    const { id } = await givenWebhook(world)
    const delivery = await givenDelivery(world, id)
    await send('DELETE', `/webhooks/${id}`)
    expect(await resend(delivery.id)).toMatchObject(expectedError(404, 'not-found'))
  })

  it('409: the endpoint is disabled', async () => {
    const { id } = await givenWebhook(world)
    const delivery = await givenDelivery(world, id)
    await callApi('PATCH', `/webhooks/${id}`, { key: world.apiKey, body: { enabled: false } })
    expect(await resend(delivery.id)).toMatchObject(expectedError(409, 'conflict'))
    await callApi('PATCH', `/webhooks/${id}`, { key: world.apiKey, body: { enabled: true } })
    expect((await resend(delivery.id)).status).toBe(201)
  })
})
