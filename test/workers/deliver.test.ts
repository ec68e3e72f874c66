/** One event on its way to a real receiver, through the real table and queue, on a clock that the test moves. */

import { Webhook as StandardWebhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { now } from '../../lib/clock.ts'
import { secondsUntilAttempt } from '../../lib/domain/webhooks/delivery-attempts.ts'
import { getWebhook } from '../../lib/store/webhooks.ts'
import { verifyWebhook } from '../../packages/client/webhooks.js'
import { closeConnection, respondWithStatus } from '../support/receiver.ts'
import { newWorld } from '../support/world.ts'
import { testReceiver, useEmulatorsAndReceiver } from './support/isolated-emulators.ts'
import {
  advanceFrozenClock,
  commitVideoEvent,
  deliverMessages,
  dispatchAll,
  givenEndpoint,
  messageFor,
  onlyDelivery,
  processWakeUps,
  receiveWakeUps,
} from './support/run-workers.ts'

useEmulatorsAndReceiver()

describe('a delivery that is never acknowledged', () => {
  it('is sent six times, 4^n s apart, each time signed and byte for byte as stored, and then has failed', async () => {
    const { workspaceId } = await newWorld()
    testReceiver.answering = respondWithStatus(500)
    const { id: webhookId, secret } = await givenEndpoint(workspaceId, `${testReceiver.url}/hook`)
    const event = await commitVideoEvent(workspaceId)
    await dispatchAll(workspaceId)
    const { id: deliveryId, payload, ...row } = await onlyDelivery(workspaceId)
    expect(row).toMatchObject({ webhookId, status: 'pending', attempts: 0, nextAttemptAt: event.createdAt })

    for (let attempts = 1; attempts <= 6; attempts++) {
      const wakes = await processWakeUps(workspaceId)
      expect(wakes).toMatchObject([{ workspaceId, deliveryId, attempt: attempts - 1, slow: attempts === 6 }])
      expect(testReceiver.posts).toHaveLength(attempts)
      const { body, headers } = testReceiver.posts.at(-1)!
      expect(body.equals(Buffer.from(payload))).toBe(true)
      expect(await verifyWebhook(body, headers, secret)).toEqual(JSON.parse(payload))
      const library = new StandardWebhook(secret)
      expect(library.verify(body, headers as Record<string, string>)).toEqual(JSON.parse(payload))
      expect(headers).toMatchObject({
        'x-service-event': 'video.created',
        'x-service-delivery': deliveryId,
        'webhook-id': deliveryId,
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      })
      const delivery = await onlyDelivery(workspaceId)
      expect(delivery).toMatchObject({ attempts, responseStatus: 500, lastError: 'The endpoint answered 500.' })
      if (attempts === 6) break
      const gap = (Date.parse(delivery.nextAttemptAt!) - Date.now()) / 1000
      expect(gap).toBeGreaterThanOrEqual(0.9 * 4 ** attempts)
      expect(gap).toBeLessThanOrEqual(1.1 * 4 ** attempts)
      await passUntilDue(workspaceId, deliveryId, attempts)
    }

    expect(await onlyDelivery(workspaceId)).toMatchObject({ status: 'failed', nextAttemptAt: null, deliveredAt: null })
    expect((await getWebhook(workspaceId, webhookId)).failureCount).toBe(6)
    advanceFrozenClock(5_000)
    expect(await processWakeUps(workspaceId)).toEqual([])
  })
})

/** Moves the clock to the next attempt; nothing is sent before, even if the queue wakes early. */
async function passUntilDue(workspaceId: string, deliveryId: string, attempts: number): Promise<void> {
  const posts = testReceiver.posts.length
  let hops = 0
  for (;;) {
    const seconds = secondsUntilAttempt(await onlyDelivery(workspaceId), now())
    advanceFrozenClock(Math.min(seconds, 900) - 1)
    expect(await processWakeUps(workspaceId)).toMatchObject([])
    advanceFrozenClock(1)
    if (seconds <= 900) break
    // SQS delays a message by at most 15 minutes: the worker requeues it for the rest of the wait.
    expect(await processWakeUps(workspaceId)).toMatchObject([
      { workspaceId, deliveryId, attempt: attempts, slow: attempts === 5 },
    ])
    hops++
  }
  expect(hops).toBe(attempts === 5 ? 1 : 0)
  expect(testReceiver.posts).toHaveLength(posts)
}

describe('a delivery', () => {
  const summary = async () => {
    const { workspaceId } = await newWorld()
    const endpoint = await givenEndpoint(workspaceId, testReceiver.url)
    await commitVideoEvent(workspaceId)
    await dispatchAll(workspaceId)
    return { workspaceId, ...endpoint }
  }

  it('that is acknowledged is not sent again, and records when it was', async () => {
    const { workspaceId, id } = await summary()
    advanceFrozenClock(2)
    await processWakeUps(workspaceId)
    expect(await onlyDelivery(workspaceId)).toMatchObject({
      status: 'delivered',
      attempts: 1,
      responseStatus: 200,
      lastError: null,
      nextAttemptAt: null,
      deliveredAt: now(),
    })
    expect(await getWebhook(workspaceId, id)).toMatchObject({ failureCount: 0, lastDeliveryAt: now() })
    advanceFrozenClock(5_000)
    expect(await processWakeUps(workspaceId)).toEqual([])
    expect(testReceiver.posts).toHaveLength(1)
  })

  it('whose receiver closes the connection is retried, and delivered by the next attempt', async () => {
    const { workspaceId, id } = await summary()
    testReceiver.answering = closeConnection
    await processWakeUps(workspaceId)
    const failed = await onlyDelivery(workspaceId)
    expect(failed).toMatchObject({ status: 'pending', attempts: 1, responseStatus: null })
    expect(failed.lastError).toContain('broke off')
    expect((await getWebhook(workspaceId, id)).failureCount).toBe(1)
    testReceiver.answering = respondWithStatus(204)
    advanceFrozenClock(secondsUntilAttempt(failed, now()))
    await processWakeUps(workspaceId)
    expect(await onlyDelivery(workspaceId)).toMatchObject({ status: 'delivered', attempts: 2, responseStatus: 204 })
    expect((await getWebhook(workspaceId, id)).failureCount).toBe(0)
    expect(testReceiver.posts[1]!.body.equals(testReceiver.posts[0]!.body)).toBe(true)
  })

  it("waits as long as the receiver's Retry-After", async () => {
    const { workspaceId } = await summary()
    testReceiver.answering = respondWithStatus(429, { 'Retry-After': '9' })
    await processWakeUps(workspaceId)
    expect(secondsUntilAttempt(await onlyDelivery(workspaceId), now())).toBe(9)
    advanceFrozenClock(8)
    expect(await processWakeUps(workspaceId)).toEqual([])
    advanceFrozenClock(1)
    expect(await processWakeUps(workspaceId)).toHaveLength(1)
    expect(testReceiver.posts).toHaveLength(2)
  })

  it('does not follow redirects', async () => {
    const { workspaceId } = await summary()
    testReceiver.answering = respondWithStatus(307, { Location: `${testReceiver.url}/elsewhere` })
    await processWakeUps(workspaceId)
    expect(testReceiver.posts.map(({ path }) => path)).toEqual(['/'])
    expect(await onlyDelivery(workspaceId)).toMatchObject({
      status: 'pending',
      responseStatus: 307,
      lastError: 'The endpoint answered 307: redirects are not followed.',
    })
  })
})

describe('a queue message', () => {
  const queued = async () => {
    const { workspaceId } = await newWorld()
    await givenEndpoint(workspaceId, testReceiver.url)
    await commitVideoEvent(workspaceId)
    await dispatchAll(workspaceId)
    await receiveWakeUps(workspaceId)
    return { workspaceId, delivery: await onlyDelivery(workspaceId) }
  }

  it('for an attempt that was made, or is not yet due, does nothing', async () => {
    const { workspaceId, delivery } = await queued()
    const early = messageFor({ ...delivery, attempts: 1 })
    expect(await deliverMessages(early)).toEqual([])
    expect(testReceiver.posts).toHaveLength(0)
    testReceiver.answering = respondWithStatus(500)
    expect(await deliverMessages(messageFor(delivery))).toEqual([])
    const failed = await onlyDelivery(workspaceId)
    expect(await deliverMessages(messageFor(delivery), messageFor(delivery))).toEqual([])
    expect(testReceiver.posts).toHaveLength(1)
    expect(await onlyDelivery(workspaceId)).toEqual(failed)
  })

  it('that arrives early is requeued for the rest of the wait, and two at one time cause one request', async () => {
    const { workspaceId, delivery } = await queued()
    testReceiver.answering = respondWithStatus(500)
    await deliverMessages(messageFor(delivery))
    const failed = await onlyDelivery(workspaceId)
    const seconds = secondsUntilAttempt(failed, now())
    expect(await deliverMessages(messageFor(failed))).toEqual([])
    expect(testReceiver.posts).toHaveLength(1)
    advanceFrozenClock(seconds - 1)
    expect(await receiveWakeUps(workspaceId)).toEqual([])
    advanceFrozenClock(1)
    // The requeued one, and the one that the first attempt sent.
    expect((await processWakeUps(workspaceId)).map(({ attempt }) => attempt)).toEqual([1, 1])
    expect(testReceiver.posts).toHaveLength(2)
  })

  it('of a delivery that does not exist is acknowledged', async () => {
    const { delivery } = await queued()
    expect(await deliverMessages(messageFor({ ...delivery, id: 'dlv_gone' }))).toEqual([])
    expect(await deliverMessages(messageFor({ ...delivery, workspaceId: 'wsp_other' }))).toEqual([])
    expect(testReceiver.posts).toHaveLength(0)
  })

  it.each([
    '',
    '{',
    'null',
    '[]',
    '{"workspaceId":"w","deliveryId":"d"}',
    '{"workspaceId":"w","deliveryId":1,"attempt":0}',
  ])('that is invalid (%s) is reported as failed, and the others are processed', async (broken) => {
    const { workspaceId, delivery } = await queued()
    expect(await deliverMessages(broken, messageFor(delivery))).toEqual(['message-0'])
    expect((await onlyDelivery(workspaceId)).status).toBe('delivered')
  })
})
