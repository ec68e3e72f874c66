/** POST /webhooks/{id}/replay. */
import { createHmac } from 'node:crypto'
import { SQSClient } from '@aws-sdk/client-sqs'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { now } from '../../../lib/clock.ts'
import { secondsAfter } from '../../../lib/domain/core/time.ts'
import { keys } from '../../../lib/store/core/keys.ts'
import { dispatchOutboxRow } from '../../../lib/use-cases/outbox/dispatch-outbox.ts'
import { attemptDelivery } from '../../../lib/use-cases/webhooks/attempt-delivery.ts'
import { refuseManyReplays } from '../../../lib/use-cases/webhooks/receiver-limits.ts'
import { givenJournal } from '../../support/given/journal.ts'
import { givenWebhook } from '../../support/given/webhooks.ts'
import { expectMatchesOpenApi } from '../../support/openapi-validation.ts'
import { startTestReceiver, type TestReceiver } from '../../support/receiver.ts'
import { expectedError } from '../../support/refusals.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { deliveryLogOf, dispatchAll, outboxIdsOf } from '../../workers/support/run-workers.ts'
import { rule } from '../rules/rule.ts'

let receiver: TestReceiver
beforeAll(async () => {
  receiver = await startTestReceiver()
})
afterAll(() => receiver.stop())
afterEach(() => void vi.restoreAllMocks())

const replay = ({ apiKey }: World, webhookId: string, body: unknown, headers: Record<string, string> = {}) =>
  callApi('POST', `/webhooks/${webhookId}/replay`, { key: apiKey, body, headers })

const sequencesOf = async ({ workspaceId }: World) =>
  (await deliveryLogOf(workspaceId)).map(({ payload }) => JSON.parse(payload).sequence).toSorted((a, b) => a - b)

describe('POST /webhooks/{id}/replay', () => {
  rule(['webhooks.replay', 'webhooks.replay.delivery', 'webhooks.replay.subscription'], async () => {
    const world = await newWorld()
    const entries = await givenJournal(world.workspaceId, 5, { types: ['video.created', 'video.render_failed'] })
    const { id, secret } = await givenWebhook(world)
    const path = `/${world.workspaceId}`
    await callApi('PATCH', `/webhooks/${id}`, { key: world.apiKey, body: { url: `${receiver.url}${path}` } })
    const { status, body } = await replay(world, id, { from: 2, to: 5 })
    expect([status, body]).toEqual([202, { data: { events: 2, firstSequence: 3, lastSequence: 5 } }])
    expectMatchesOpenApi('POST', '/webhooks/{id}/replay', 202, body)
    await dispatchAll(world.workspaceId)
    const deliveries = await deliveryLogOf(world.workspaceId)
    for (const delivery of deliveries) {
      expect(delivery).toMatchObject({ webhookId: id, status: 'pending', attempts: 0 })
      await attemptDelivery({ workspaceId: world.workspaceId, deliveryId: delivery.id, attempt: 0, isReserved: true })
    }
    const posts = receiver.posts.filter((post) => post.path === path)
    expect(posts.map((post) => post.body.toString()).toSorted()).toEqual([entries[2]!.payload, entries[4]!.payload])
    expect(posts.map(({ headers }) => headers['x-service-delivery']).toSorted()).toEqual(
      deliveries.map((delivery) => delivery.id).toSorted(),
    )
    for (const { headers, body } of posts)
      expect(headers['x-service-signature']).toBe(createHmac('sha256', secret).update(body).digest('hex'))
    expect((await deliveryLogOf(world.workspaceId, { status: 'delivered' })).length).toBe(2)
  })

  rule('webhooks.replay.range', async () => {
    const world = await newWorld()
    const at = secondsAfter(now(), -3600)
    await givenJournal(world.workspaceId, 4, { at, types: ['video.created', 'video.published'] })
    const { id } = await givenWebhook(world, { events: ['video.created', 'video.published'] })
    const cases = [
      [{ from: at, to: secondsAfter(at, 2) }, 3, 1, 3],
      [{ from: secondsAfter(at, 0.001), to: secondsAfter(at, 1.999) }, 1, 2, 2],
      [{ from: 2, to: now() }, 3, 2, 4],
      [{ from: 1, to: 4, events: ['video.published'] }, 2, 2, 4],
      [{ from: 5, to: 9 }, 0, null, null],
    ] as const
    for (const [range, events, firstSequence, lastSequence] of cases) {
      const { status, body } = await replay(world, id, range)
      expect([status, body.data]).toEqual([202, { events, firstSequence, lastSequence }])
    }
  })

  rule('webhooks.replay.once', async () => {
    const world = await newWorld()
    await givenJournal(world.workspaceId, 3)
    const { id } = await givenWebhook(world)
    const once = { 'Idempotency-Key': 'replay-1' }
    const answers = await Promise.all([1, 2, 3].map(() => replay(world, id, { from: 1, to: 3 }, once)))
    expect(answers.map(({ status, body }) => [status, body.data.events])).toEqual(Array(3).fill([202, 3]))
    const [part] = await outboxIdsOf(world.workspaceId)
    const key = keys.outbox(world.workspaceId, part!)
    // The messages are lost, and the part is dispatched again.
    vi.spyOn(SQSClient.prototype, 'send').mockRejectedValueOnce(new Error('No queue.') as never)
    await expect(dispatchOutboxRow(key)).rejects.toThrow('No queue.')
    await dispatchAll(world.workspaceId)
    await dispatchOutboxRow(key)
    expect(await sequencesOf(world)).toEqual([1, 2, 3])
    expect(await outboxIdsOf(world.workspaceId)).toEqual([])
    // Without the key, it is another replay.
    await replay(world, id, { from: 1, to: 3 })
    await dispatchAll(world.workspaceId)
    expect(await sequencesOf(world)).toEqual([1, 1, 2, 2, 3, 3])
  })

  rule('webhooks.replay.limits', async () => {
    const world = await newWorld()
    await givenJournal(world.workspaceId, 1_001)
    const { id } = await givenWebhook(world)
    const { status, body } = await replay(world, id, { from: 1, to: 1_001 })
    expect([status, body.error.details[0].path]).toEqual([400, 'body.to'])
    expect(body.error.details[0].message).toContain('sequence 1000')
    expect((await replay(world, id, { from: 1, to: 1_000 })).body.data.events).toBe(1_000)
    await refuseManyReplays(world.workspaceId, 9_000, now())
    const refused = await replay(world, id, { from: 1, to: 1_000 })
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate-limited'])
    expect(refused.headers.get('Retry-After')).toBe('360')
  })

  it('409: the endpoint is disabled, or does not subscribe to the event', async () => {
    const world = await worldWithEvent()
    const { id } = await givenWebhook(world)
    const unsubscribed = { from: 1, to: 1, events: ['video.published'] }
    expect(await replay(world, id, unsubscribed)).toMatchObject(expectedError(409, 'conflict'))
    await callApi('PATCH', `/webhooks/${id}`, { key: world.apiKey, body: { enabled: false } })
    expect(await replay(world, id, { from: 1, to: 1 })).toMatchObject(expectedError(409, 'conflict'))
  })

  it('202: nothing is queued where the endpoint is disabled meanwhile', async () => {
    const world = await worldWithEvent()
    const { id } = await givenWebhook(world)
    await replay(world, id, { from: 1, to: 1 })
    for (const enabled of [false, true])
      await callApi('PATCH', `/webhooks/${id}`, { key: world.apiKey, body: { enabled } })
    await dispatchAll(world.workspaceId)
    expect(await deliveryLogOf(world.workspaceId)).toEqual([])
  })

  it('400: an event that is none, or a range that is none', async () => {
    const world = await worldWithEvent()
    const { id } = await givenWebhook(world)
    const refusedAt = async (body: object) => {
      const { status, body: answer } = await replay(world, id, body)
      expect(status).toBe(400)
      return answer.error.details?.[0].path ?? answer.error.code
    }
    expect(await refusedAt({ from: 1, to: 1, events: ['video.filmed'] })).toBe('warning-invalid-events')
    expect(await refusedAt({ from: 2, to: 1 })).toBe('body.to')
    expect(await refusedAt({ from: 'yesterday', to: 1 })).toBe('body.from')
    expect(await refusedAt({ from: 0, to: 1 })).toBe('body.from')
    expect(await refusedAt({ from: 1 })).toBe('body.to')
  })

  it('404: an endpoint of another workspace', async () => {
    const { id } = await givenWebhook(await newWorld())
    expect(await replay(await worldWithEvent(), id, { from: 1, to: 1 })).toMatchObject(expectedError(404, 'not-found'))
  })
})

async function worldWithEvent(): Promise<World> {
  const world = await newWorld()
  await givenJournal(world.workspaceId, 1)
  return world
}
