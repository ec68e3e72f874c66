/** GET /webhooks/deliveries: the delivery log. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { now } from '../../../lib/clock.ts'
import type { DeliveryResource } from '../../../lib/contract/resources/webhooks.ts'
import { secondsAfter } from '../../../lib/domain/core/time.ts'
import { deliveryRetentionDays } from '../../../lib/domain/webhooks/delivery-attempts.ts'
import { ttlAttribute } from '../../../lib/store/core/keys.ts'
import { deliveryRow } from '../../../lib/store/core/rows.ts'
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
    const seen: string[] = []
    for (const offset of [0, 2, 4]) {
      const { data, paging } = await list(`?limit=2&offset=${offset}`, fresh)
      expect(paging).toEqual({ limit: 2, offset, total: 4 })
      seen.push(...data.map(({ id }: DeliveryResource) => id))
    }
    expect(seen).toEqual(made)
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
    await attemptDelivery({ workspaceId: fresh.workspaceId, deliveryId: id, attempt: 0, isReserved: true })
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

  it('400: invalid paging; an invalid filter is ignored', async () => {
    expect(await send('GET', '/webhooks/deliveries?limit=101')).toMatchObject(expectedError(400, 'invalid-request'))
    expect(await send('GET', '/webhooks/deliveries?offset=-1')).toMatchObject(expectedError(400, 'invalid-request'))
    expect((await send('GET', '/webhooks/deliveries?status=PENDING&event=&webhookId=%20')).status).toBe(200)
  })

  it('200: an unknown or foreign endpoint id selects nothing', async () => {
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
