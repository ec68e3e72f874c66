/** The delivery log through the API: pages that hold together, and what cannot be sent again. */
import { beforeAll, describe, expect, it } from 'vitest'
import { now } from '../../lib/clock.ts'
import type { DeliveryResource } from '../../lib/contract/resources/webhooks.ts'
import { secondsAfter } from '../../lib/domain/core/time.ts'
import { givenDelivery, givenWebhook } from '../support/given/webhooks.ts'
import { callApi, newWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const send = (method: string, path: string, { apiKey }: World = world) => callApi(method, path, { key: apiKey })
const resend = (id: string) => send('POST', `/webhooks/deliveries/${id}/resend`)
const refusal = (status: number, code: string) => ({ status, body: { error: { status, code } } })

describe('GET /webhooks/deliveries', () => {
  it('200: pages hold every delivery once, newest first, whatever their status', async () => {
    const fresh = await newWorld()
    const { id } = await givenWebhook(fresh)
    const made: string[] = []
    for (const [index, status] of (['pending', 'failed', 'delivered', 'failed', 'pending'] as const).entries()) {
      const createdAt = secondsAfter(now(), index - 60)
      made.unshift((await givenDelivery(fresh, id, 'video.created', { status, createdAt })).id)
    }
    const seen: string[] = []
    for (const offset of [0, 2, 4, 6]) {
      const { body } = await send('GET', `/webhooks/deliveries?limit=2&offset=${offset}`, fresh)
      expect(body.paging).toEqual({ limit: 2, offset, total: 5 })
      seen.push(...body.data.map((delivery: DeliveryResource) => delivery.id))
    }
    expect(seen).toEqual(made)
  })

  it('400: a page that is none, while a filter that is none is ignored', async () => {
    expect(await send('GET', '/webhooks/deliveries?limit=101')).toMatchObject(refusal(400, 'invalid-request'))
    expect(await send('GET', '/webhooks/deliveries?offset=-1')).toMatchObject(refusal(400, 'invalid-request'))
    expect((await send('GET', '/webhooks/deliveries?status=PENDING&event=&webhookId=%20')).status).toBe(200)
  })

  it('200: an id that could be an endpoint and is none selects nothing, also that of another workspace', async () => {
    const other = await newWorld()
    const { id } = await givenWebhook(other)
    await givenDelivery(other, id)
    await givenDelivery(world, (await givenWebhook(world)).id)
    for (const none of [id, 'whk_00000000000000000000000000'])
      expect((await send('GET', `/webhooks/deliveries?webhookId=${none}`)).body).toMatchObject({
        data: [],
        paging: { total: 0 },
      })
  })
})

describe('POST /webhooks/deliveries/{id}/resend', () => {
  it('409: to an endpoint that is disabled, which receives no new deliveries', async () => {
    const { id } = await givenWebhook(world)
    const delivery = await givenDelivery(world, id)
    await callApi('PATCH', `/webhooks/${id}`, { key: world.apiKey, body: { enabled: false } })
    expect(await resend(delivery.id)).toMatchObject(refusal(409, 'conflict'))
    await callApi('PATCH', `/webhooks/${id}`, { key: world.apiKey, body: { enabled: true } })
    expect((await resend(delivery.id)).status).toBe(201)
  })

  it('404: to an endpoint that was deleted', async () => {
    const { id } = await givenWebhook(world)
    const delivery = await givenDelivery(world, id)
    await send('DELETE', `/webhooks/${id}`)
    expect(await resend(delivery.id)).toMatchObject(refusal(404, 'not-found'))
  })

  it('201: every time anew, also of one that was sent again', async () => {
    const fresh = await newWorld()
    const { id } = await givenDelivery(fresh, (await givenWebhook(fresh)).id)
    const again = (await send('POST', `/webhooks/deliveries/${id}/resend`, fresh)).body.data
    const twice = (await send('POST', `/webhooks/deliveries/${again.id}/resend`, fresh)).body.data
    expect(new Set([id, again.id, twice.id]).size).toBe(3)
    expect(twice.payload).toEqual(again.payload)
    expect((await send('GET', '/webhooks/deliveries', fresh)).body.paging.total).toBe(3)
  })
})
