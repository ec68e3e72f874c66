/** How an event is delivered: acknowledgement, retries, and their effect on the endpoint. */
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { now } from '../../../lib/clock.ts'
import { secondsAfter } from '../../../lib/domain/core/time.ts'
import type { Delivery } from '../../../lib/domain/records/delivery.ts'
import { recordAttempt, responseTimeoutMs } from '../../../lib/domain/webhooks/delivery-attempts.ts'
import { endpointFailuresMax } from '../../../lib/domain/webhooks/webhook-lifecycle.ts'
import type { EgressDeps } from '../../../lib/egress/request.ts'
import { claimDelivery, getDelivery } from '../../../lib/store/deliveries.ts'
import { getWebhook } from '../../../lib/store/webhooks.ts'
import { attemptDelivery } from '../../../lib/use-cases/webhooks/attempt-delivery.ts'
import { sendWebhook } from '../../../lib/use-cases/webhooks/send-webhook.ts'
import { backoffMs, deliveryWith, endpointAfter, responded, webhookWith } from '../../domain/support/deliveries.ts'
import { at } from '../../domain/support/videos.ts'
import { givenDelivery, givenWebhook, updateWebhook } from '../../support/given/webhooks.ts'
import { type ReceiverHandler, respondWithStatus, startTestReceiver } from '../../support/receiver.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { commitVideoEvent, deliveryLogOf, dispatchAll } from '../../workers/support/run-workers.ts'
import { rule } from '../rules/rule.ts'

let world: World
const receiver = await startTestReceiver()
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => receiver.stop())

const send = (method: string, path: string, body?: unknown) => callApi(method, path, { key: world.apiKey, body })
const read = async (id: string) => (await send('GET', `/webhooks/${id}`)).body.data

/** A new endpoint at a path of the receiver of its own. */
let endpoints = 0
const newEndpoint = () => givenWebhook(world, { url: `${receiver.url}/${++endpoints}` })
const postsTo = (url: string) => receiver.posts.filter(({ path }) => url.endsWith(path))

/** One attempt of a delivery, as a worker makes it that was woken; how the row stands after it. */
async function attempt({ id, workspaceId, attempts }: Delivery, doors?: EgressDeps): Promise<Delivery> {
  await attemptDelivery({ workspaceId, deliveryId: id, attempt: attempts, isReserved: true }, doors)
  return getDelivery(workspaceId, id, now())
}

/** The first attempt of a new delivery to an endpoint that answers so. */
async function attemptAt(answering: ReceiverHandler, webhookId?: string): Promise<Delivery> {
  receiver.answering = answering
  return attempt(await givenDelivery(world, webhookId ?? (await newEndpoint()).id))
}

/** Walks a delivery that always fails through all of its attempts, by the rules alone. */
function allAttempts(chance: number): { delivery: Delivery; gaps: number[] } {
  let delivery = deliveryWith()
  const gaps: number[] = []
  for (let second = 0; delivery.status === 'pending'; second += 2_000) {
    delivery = recordAttempt(
      delivery,
      webhookWith(),
      responded(500),
      { jitter: chance, timeScale: 1 },
      at(second),
    ).delivery
    if (delivery.nextAttemptAt) gaps.push(backoffMs(delivery, at(second)) / 1_000)
  }
  return { delivery, gaps }
}

describe('an attempt', () => {
  rule('webhooks.deliver.acknowledge', async () => {
    for (const status of [200, 201, 202, 204, 226, 299])
      expect(await attemptAt(respondWithStatus(status))).toMatchObject({ status: 'delivered', responseStatus: status })
    for (const status of [304, 400, 404, 429, 500, 503])
      expect(await attemptAt(respondWithStatus(status))).toMatchObject({
        status: 'pending',
        responseStatus: status,
        lastError: expect.stringContaining(String(status)),
        nextAttemptAt: expect.any(String),
      })
  })

  rule(['webhooks.deliver.8-seconds', 'limits.webhook-acknowledgement'], async () => {
    expect(responseTimeoutMs).toBe(8_000)
    expect(await attemptAt(() => {})).toMatchObject({
      status: 'pending',
      attempts: 1,
      responseStatus: null,
      lastError: expect.stringContaining('8000 ms'),
    })
  })

  rule('webhooks.deliver.no-redirects', async () => {
    const { id, url } = await newEndpoint()
    const redirected = await attemptAt(respondWithStatus(307, { Location: `${receiver.url}/elsewhere` }), id)
    expect(redirected).toMatchObject({ status: 'pending', responseStatus: 307 })
    expect(postsTo(url)).toHaveLength(1)
    expect(postsTo('/elsewhere')).toEqual([])
  })

  rule('webhooks.deliver.address-again', async () => {
    const { id } = await newEndpoint()
    await updateWebhook(world, id, { url: 'https://hooks.example.com/in' })
    const delivery = await givenDelivery(world, id)
    const dialled: string[] = []
    const connect: EgressDeps['connect'] = ({ host }) => {
      dialled.push(host)
      throw new Error('Nobody is to be called.')
    }
    const after = await attempt(delivery, { resolve: async () => ['169.254.169.254'], connect })
    expect(after).toMatchObject({ status: 'pending', responseStatus: null, lastError: expect.stringMatching(/public/) })
    expect(dialled).toEqual([])
  })

  rule('webhooks.deliver.body-cap', async () => {
    const endless: ReceiverHandler = (_post, response) => {
      response.on('error', () => {})
      const more = () => void (response.destroyed || response.write(Buffer.alloc(16 * 1024), more))
      response.writeHead(200)
      more()
    }
    expect(await attemptAt(endless)).toMatchObject({ status: 'delivered', responseStatus: 200 })
  })

  rule('webhooks.deliver.at-least-once', async () => {
    const { id, url } = await newEndpoint()
    receiver.answering = respondWithStatus(200)
    const anHourAgo = secondsAfter(now(), -3_600)
    const delivery = await givenDelivery(world, id, 'video.created', { createdAt: anHourAgo })
    const { workspaceId } = world
    // A worker claims it, posts it, and is gone before it could write that down.
    const claimed = (await claimDelivery(workspaceId, delivery.id, 0, secondsAfter(anHourAgo, 1)))!
    const [webhook, deliveryId] = [await getWebhook(workspaceId, id), claimed.id]
    await sendWebhook({ webhook, url, event: claimed.event, body: claimed.payload, deliveryId, messageId: deliveryId })
    expect(await attempt(delivery)).toMatchObject({ status: 'delivered', attempts: 1 })
    const seen = postsTo(url)
    expect(seen.map(({ headers }) => headers['x-service-delivery'])).toEqual([deliveryId, deliveryId])
    expect(seen[1]!.body).toEqual(seen[0]!.body)
  })
})

describe('the attempts of a delivery', () => {
  rule(['webhooks.deliver.retries', 'webhooks.deliver.failed', 'limits.delivery-attempts'], () => {
    const steps = [4, 16, 64, 256, 1_024]
    const middle = allAttempts(0.5)
    expect(middle.gaps).toEqual(steps)
    expect(middle.delivery).toMatchObject({ status: 'failed', attempts: 6, nextAttemptAt: null, responseStatus: 500 })
    for (const [chance, factor] of [
      [0, 0.9],
      [1, 1.1],
    ] as const)
      allAttempts(chance).gaps.forEach((gap, index) => {
        expect(gap).toBeCloseTo(steps[index]! * factor, 2)
      })
  })

  rule('webhooks.deliver.retry-after', () => {
    const gapAfter = (retryAfter: string) => {
      const { delivery } = recordAttempt(
        deliveryWith(),
        webhookWith(),
        responded(503, retryAfter),
        { jitter: 0.5, timeScale: 1 },
        at(0),
      )
      return backoffMs(delivery, at(0)) / 1_000
    }
    expect(['10', new Date(at(12)).toUTCString(), '3600', '1', 'soon'].map(gapAfter)).toEqual([10, 12, 16, 4, 4])
  })
})

describe('the endpoint', () => {
  rule('webhooks.deliver.failure-count', async () => {
    const { id } = await newEndpoint()
    for (const failures of [1, 2, 3]) {
      await attemptAt(respondWithStatus(500), id)
      expect((await read(id)).failureCount).toBe(failures)
    }
    expect((await read(id)).lastDeliveryAt).toBeNull()
    await attemptAt(respondWithStatus(200), id)
    expect(await read(id)).toMatchObject({ failureCount: 0, lastDeliveryAt: expect.any(String) })
  })

  rule(['webhooks.deliver.auto-disable', 'limits.auto-disable'], async () => {
    expect(endpointFailuresMax).toBe(25)
    const { id } = await newEndpoint()
    await updateWebhook(world, id, { failureCount: 23 })
    await attemptAt(respondWithStatus(500), id)
    expect(await read(id)).toMatchObject({ enabled: true, failureCount: 24, disabledReason: null })
    expect(await attemptAt(respondWithStatus(500), id)).toMatchObject({ status: 'failed' })
    expect(await read(id)).toMatchObject({ enabled: false, failureCount: 25, disabledReason: expect.any(String) })
    const pace = { jitter: 0, timeScale: 1 }
    const [delivery, webhook] = [deliveryWith(), webhookWith({ failureCount: 24 })]
    expect(endpointAfter(recordAttempt(delivery, webhook, responded(200), pace, at(0)))).toMatchObject({
      enabled: true,
      failureCount: 0,
    })
  })

  rule('webhooks.deliver.gone', async () => {
    const { id } = await newEndpoint()
    expect(await attemptAt(respondWithStatus(410), id)).toMatchObject({
      status: 'failed',
      attempts: 1,
      responseStatus: 410,
    })
    expect(await read(id)).toMatchObject({ enabled: false, disabledReason: expect.stringContaining('410') })
  })

  rule('webhooks.deliver.nothing-new', async () => {
    const { workspaceId } = world
    const [{ id }, other] = [await newEndpoint(), await newEndpoint()]
    await send('PATCH', `/webhooks/${id}`, { enabled: false })
    await commitVideoEvent(workspaceId)
    await dispatchAll(workspaceId)
    expect(await deliveryLogOf(workspaceId, { webhookId: id })).toEqual([])
    expect(await deliveryLogOf(workspaceId, { webhookId: other.id })).toHaveLength(1)
  })

  rule('webhooks.deliver.dropped', async () => {
    receiver.answering = respondWithStatus(200)
    const [disabled, deleted] = [await newEndpoint(), await newEndpoint()]
    const queued = [await givenDelivery(world, disabled.id), await givenDelivery(world, deleted.id)]
    await send('PATCH', `/webhooks/${disabled.id}`, { enabled: false })
    await send('DELETE', `/webhooks/${deleted.id}`)
    await dispatchAll(world.workspaceId)
    const [first, second] = await Promise.all(queued.map(({ id }) => getDelivery(world.workspaceId, id, now())))
    expect(first).toMatchObject({ status: 'failed', attempts: 0, lastError: 'Dropped: the endpoint was disabled.' })
    expect(second).toMatchObject({ status: 'failed', attempts: 0, lastError: 'Dropped: the endpoint was deleted.' })
    await send('PATCH', `/webhooks/${disabled.id}`, { enabled: true })
    for (const delivery of queued) await attempt(delivery)
    expect([...postsTo(disabled.url), ...postsTo(deleted.url)]).toEqual([])
  })
})
