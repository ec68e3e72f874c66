/** DELETE /webhooks/{id}. */
import { beforeAll, describe, expect, it } from 'vitest'
import { givenDelivery, givenWebhook } from '../../support/given/webhooks.ts'
import { expectedError } from '../../support/refusals.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

let world: World

beforeAll(async () => {
  world = await newWorld()
})

const send = (method: string, path: string, body?: unknown, { apiKey }: World = world) =>
  callApi(method, path, { key: apiKey, body })

const read = async (id: string, as = world) => (await send('GET', `/webhooks/${id}`, undefined, as)).body.data

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
        expectedError(404, 'not-found'),
      )
    expect((await read(otherId)).id).toBe(otherId)
  })

  it('200: concurrent deletions succeed once, and the endpoint no longer counts', async () => {
    const fresh = await newWorld()
    const { id } = await givenWebhook(fresh)
    const answers = await Promise.all([1, 2, 3, 4].map(() => send('DELETE', `/webhooks/${id}`, undefined, fresh)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404])
    expect((await send('GET', '/', undefined, fresh)).body.data.limits.webhooks.used).toBe(0)
  })
})
