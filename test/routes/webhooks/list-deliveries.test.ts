/** The log of deliveries, and sending one again. */
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { now } from '../../../lib/clock.ts'
import type { DeliveryResource } from '../../../lib/contract/resources/webhooks.ts'
import { secondsAfter } from '../../../lib/domain/core/time.ts'
import { deliveryRetentionDays } from '../../../lib/domain/webhooks/delivery.ts'
import { ttlAttribute } from '../../../lib/store/core/keys.ts'
import { deliveryRow } from '../../../lib/store/core/rows.ts'
import { attemptDelivery } from '../../../lib/use-cases/webhooks/attempt-delivery.ts'
import { givenDelivery, givenWebhook } from '../../support/given/webhooks.ts'
import { startTestReceiver, type TestReceiver } from '../../support/receiver.ts'
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
const idsOf = async (query: string, as: World) =>
  (await list(query, as)).data.map(({ id }: DeliveryResource) => id).toSorted()
const secondsAgo = (seconds: number) => secondsAfter(now(), -seconds)
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe('GET /webhooks/deliveries', () => {
  rule('deliveries.list', async () => {
    const fresh = await newWorld()
    const [one, other] = [await givenWebhook(fresh), await givenWebhook(fresh)]
    const made: string[] = []
    for (const [index, status] of (['delivered', 'pending', 'failed', 'pending'] as const).entries()) {
      const fields = { status, createdAt: secondsAgo(60 - index) }
      made.unshift((await givenDelivery(fresh, index % 2 ? one.id : other.id, 'video.created', fields)).id)
    }
    const { data, paging } = await list('', fresh)
    expect(data.map(({ id }: DeliveryResource) => id)).toEqual(made)
    expect(paging).toEqual({ limit: 50, offset: 0, total: 4 })
    const page = await list('?limit=2&offset=1', fresh)
    expect(page.data.map(({ id }: DeliveryResource) => id)).toEqual(made.slice(1, 3))
    expect(page.paging).toEqual({ limit: 2, offset: 1, total: 4 })
    expect((await list('', await newWorld())).data).toEqual([])
  })

  rule(['deliveries.shape', 'deliveries.payload'], async () => {
    const fresh = await newWorld()
    const { id: webhookId } = await givenWebhook(fresh, { url: `${receiver.url}/shape` })
    const { id } = await givenDelivery(fresh, webhookId, 'video.render_completed')
    const base = { id, webhookId, event: 'video.render_completed', url: `${receiver.url}/shape`, createdAt: time }
    const { payload, ...queued } = (await list('', fresh)).data[0]
    expect(queued).toEqual({
      ...base,
      status: 'pending',
      attempts: 0,
      responseStatus: null,
      lastError: null,
      nextAttemptAt: time,
      deliveredAt: null,
    })
    await attemptDelivery({ workspaceId: fresh.workspaceId, deliveryId: id, attempt: 0 })
    const posted = receiver.posts.find(({ path }) => path === '/shape')
    expect(JSON.parse(posted!.body.toString())).toEqual(payload)
    expect(Object.keys(payload)).toEqual(['event', 'workspaceId', 'createdAt', 'sequence', 'data'])
    expect((await list('', fresh)).data).toEqual([
      {
        ...base,
        status: 'delivered',
        attempts: 1,
        responseStatus: 200,
        lastError: null,
        nextAttemptAt: null,
        deliveredAt: time,
        payload,
      },
    ])
  })

  rule(['deliveries.filters', 'deliveries.unknown-filters'], async () => {
    const fresh = await newWorld()
    const [one, other] = [await givenWebhook(fresh), await givenWebhook(fresh)]
    const pending = await givenDelivery(fresh, one.id, 'video.created')
    const failed = await givenDelivery(fresh, one.id, 'video.render_failed', { status: 'failed', lastError: 'No.' })
    const delivered = await givenDelivery(fresh, other.id, 'video.created', { status: 'delivered', deliveredAt: now() })
    const all = [pending.id, failed.id, delivered.id].toSorted()
    const expected: [query: string, ids: string[]][] = [
      ['?status=pending', [pending.id]],
      ['?status=delivered', [delivered.id]],
      ['?status=failed', [failed.id]],
      ['?event=video.created', [pending.id, delivered.id].toSorted()],
      [`?webhookId=${one.id}`, [pending.id, failed.id].toSorted()],
      [`?webhookId=${other.id}&event=video.render_failed`, []],
      [`?webhookId=${one.id}&event=video.render_failed&status=failed`, [failed.id]],
      ['?status=lost', all],
      ['?event=webhook.test', all],
      ['?webhookId=none', all],
      ['?status=lost&event=video.render_failed', [failed.id]],
    ]
    for (const [query, ids] of expected) {
      expect(await idsOf(query, fresh), query).toEqual(ids)
      expect((await list(query, fresh)).paging.total, query).toBe(ids.length)
    }
    await send('DELETE', `/webhooks/${other.id}`, undefined, fresh)
    expect(await idsOf(`?webhookId=${other.id}`, fresh)).toEqual([delivered.id])
  })

  rule('limits.delivery-retention', async () => {
    const fresh = await newWorld()
    const { id } = await givenWebhook(fresh)
    const days = (count: number) => count * 24 * 60 * 60
    const kept = await givenDelivery(fresh, id, 'video.created', { createdAt: secondsAgo(days(7) - 60) })
    const over = await givenDelivery(fresh, id, 'video.created', { createdAt: secondsAgo(days(7) + 1) })
    expect(await idsOf('', fresh)).toEqual([kept.id])
    expect((await send('POST', `/webhooks/deliveries/${over.id}/resend`, undefined, fresh)).status).toBe(404)
    expect(deliveryRetentionDays).toBe(7)
    expect(deliveryRow(kept)[ttlAttribute]).toBe(Math.floor(Date.parse(kept.createdAt) / 1000) + days(7))
  })
})

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
    await attemptDelivery({ workspaceId: world.workspaceId, deliveryId: id, attempt: 0 })
    const posted = receiver.posts.filter(({ path }) => path === '/moved')
    expect(posted.map(({ headers }) => headers['x-service-delivery'])).toEqual([id])
    expect(posted[0]!.body.toString()).toBe(first.payload)
    const { data } = await list(`?webhookId=${webhookId}`)
    expect(data.map(({ status, attempts }: DeliveryResource) => [status, attempts])).toEqual([
      ['delivered', 1],
      ['delivered', 3],
    ])
  })
})
