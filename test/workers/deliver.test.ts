/** One event on its way to a real receiver, through the real table and the real queue, with a clock that the test moves. */
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { now } from '../../lib/clock.ts'
import { verifyWebhook } from '../../lib/contract/verify-webhook.ts'
import { secondsUntil } from '../../lib/domain/webhooks/delivery.ts'
import { getWebhook } from '../../lib/store/webhooks.ts'
import { answers, hangsUp } from '../support/receiver.ts'
import { newWorld } from '../support/world.ts'
import { ownEmulatorsAndReceiver, receiver } from './support/isolated-emulators.ts'
import {
  deliverMessages,
  dispatchAll,
  messageFor,
  moveClock,
  newEndpoint,
  onlyDelivery,
  takeWakes,
  tellEvent,
  work,
} from './support/run-workers.ts'

ownEmulatorsAndReceiver()

describe('a delivery that is never acknowledged', () => {
  it('is posted six times, byte for byte as it is stored and signed each time, 4^n s apart, and then has failed', async () => {
    const { workspaceId } = await newWorld()
    receiver.answering = answers(500)
    const { id: webhookId, secret } = await newEndpoint(workspaceId, `${receiver.url}/hook`)
    const event = await tellEvent(workspaceId)
    await dispatchAll(workspaceId)
    const { id: deliveryId, payload, ...row } = await onlyDelivery(workspaceId)
    expect(row).toMatchObject({ webhookId, status: 'pending', attempts: 0, nextAttemptAt: event.createdAt })

    for (let attempts = 1; attempts <= 6; attempts++) {
      const wakes = await work(workspaceId)
      expect(wakes).toEqual([{ workspaceId, deliveryId, attempt: attempts - 1, slow: attempts === 6 }])
      expect(receiver.posts).toHaveLength(attempts)
      const { body, headers } = receiver.posts.at(-1)!
      expect(body.equals(Buffer.from(payload))).toBe(true)
      expect(verifyWebhook(body, headers, secret)).toEqual(JSON.parse(payload))
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
    moveClock(5_000)
    expect(await work(workspaceId)).toEqual([])
  })
})

/** Moves the clock to the next attempt; on the way nothing is posted, also where the queue wakes early. */
async function passUntilDue(workspaceId: string, deliveryId: string, attempts: number): Promise<void> {
  const posts = receiver.posts.length
  let hops = 0
  for (;;) {
    const seconds = secondsUntil(await onlyDelivery(workspaceId), now())
    moveClock(Math.min(seconds, 900) - 1)
    expect(await work(workspaceId)).toEqual([])
    moveClock(1)
    if (seconds <= 900) break
    // SQS waits 15 minutes at most: the worker sends the rest of the wait on.
    expect(await work(workspaceId)).toEqual([{ workspaceId, deliveryId, attempt: attempts, slow: attempts === 5 }])
    hops++
  }
  expect(hops).toBe(attempts === 5 ? 1 : 0)
  expect(receiver.posts).toHaveLength(posts)
}

describe('a delivery', () => {
  const told = async () => {
    const { workspaceId } = await newWorld()
    const endpoint = await newEndpoint(workspaceId, receiver.url)
    await tellEvent(workspaceId)
    await dispatchAll(workspaceId)
    return { workspaceId, ...endpoint }
  }

  it('that is acknowledged is not posted again, and tells when it was', async () => {
    const { workspaceId, id } = await told()
    moveClock(2)
    await work(workspaceId)
    expect(await onlyDelivery(workspaceId)).toMatchObject({
      status: 'delivered',
      attempts: 1,
      responseStatus: 200,
      lastError: null,
      nextAttemptAt: null,
      deliveredAt: now(),
    })
    expect(await getWebhook(workspaceId, id)).toMatchObject({ failureCount: 0, lastDeliveryAt: now() })
    moveClock(5_000)
    expect(await work(workspaceId)).toEqual([])
    expect(receiver.posts).toHaveLength(1)
  })

  it('whose receiver hangs up is tried again, and delivered by the next attempt', async () => {
    const { workspaceId, id } = await told()
    receiver.answering = hangsUp
    await work(workspaceId)
    const failed = await onlyDelivery(workspaceId)
    expect(failed).toMatchObject({ status: 'pending', attempts: 1, responseStatus: null })
    expect(failed.lastError).toContain('broke off')
    expect((await getWebhook(workspaceId, id)).failureCount).toBe(1)
    receiver.answering = answers(204)
    moveClock(secondsUntil(failed, now()))
    await work(workspaceId)
    expect(await onlyDelivery(workspaceId)).toMatchObject({ status: 'delivered', attempts: 2, responseStatus: 204 })
    expect((await getWebhook(workspaceId, id)).failureCount).toBe(0)
    expect(receiver.posts[1]!.body.equals(receiver.posts[0]!.body)).toBe(true)
  })

  it('whose receiver asks for patience waits that long', async () => {
    const { workspaceId } = await told()
    receiver.answering = answers(429, { 'Retry-After': '9' })
    await work(workspaceId)
    expect(secondsUntil(await onlyDelivery(workspaceId), now())).toBe(9)
    moveClock(8)
    expect(await work(workspaceId)).toEqual([])
    moveClock(1)
    expect(await work(workspaceId)).toHaveLength(1)
    expect(receiver.posts).toHaveLength(2)
  })

  it('is not followed to where its receiver redirects it', async () => {
    const { workspaceId } = await told()
    receiver.answering = answers(307, { Location: `${receiver.url}/elsewhere` })
    await work(workspaceId)
    expect(receiver.posts.map(({ path }) => path)).toEqual(['/'])
    expect(await onlyDelivery(workspaceId)).toMatchObject({
      status: 'pending',
      responseStatus: 307,
      lastError: 'The endpoint answered 307: redirects are not followed.',
    })
  })
})

describe('a message', () => {
  const queued = async () => {
    const { workspaceId } = await newWorld()
    await newEndpoint(workspaceId, receiver.url)
    await tellEvent(workspaceId)
    await dispatchAll(workspaceId)
    await takeWakes(workspaceId)
    return { workspaceId, delivery: await onlyDelivery(workspaceId) }
  }

  it('for an attempt that was made, or is not to be made yet, does nothing', async () => {
    const { workspaceId, delivery } = await queued()
    const early = messageFor({ ...delivery, attempts: 1 })
    expect(await deliverMessages(early)).toEqual([])
    expect(receiver.posts).toHaveLength(0)
    receiver.answering = answers(500)
    expect(await deliverMessages(messageFor(delivery))).toEqual([])
    const failed = await onlyDelivery(workspaceId)
    expect(await deliverMessages(messageFor(delivery), messageFor(delivery))).toEqual([])
    expect(receiver.posts).toHaveLength(1)
    expect(await onlyDelivery(workspaceId)).toEqual(failed)
  })

  it('that comes before its time is sent on for the rest of it, and two at one time make one post', async () => {
    const { workspaceId, delivery } = await queued()
    receiver.answering = answers(500)
    await deliverMessages(messageFor(delivery))
    const failed = await onlyDelivery(workspaceId)
    const seconds = secondsUntil(failed, now())
    expect(await deliverMessages(messageFor(failed))).toEqual([])
    expect(receiver.posts).toHaveLength(1)
    moveClock(seconds - 1)
    expect(await takeWakes(workspaceId)).toEqual([])
    moveClock(1)
    // The one that was sent on, and the one that the first attempt sent.
    expect((await work(workspaceId)).map(({ attempt }) => attempt)).toEqual([1, 1])
    expect(receiver.posts).toHaveLength(2)
  })

  it('of a delivery that is not there is acknowledged', async () => {
    const { delivery } = await queued()
    expect(await deliverMessages(messageFor({ ...delivery, id: 'dlv_gone' }))).toEqual([])
    expect(await deliverMessages(messageFor({ ...delivery, workspaceId: 'wsp_other' }))).toEqual([])
    expect(receiver.posts).toHaveLength(0)
  })

  it.each([
    '',
    '{',
    'null',
    '[]',
    '{"workspaceId":"w","deliveryId":"d"}',
    '{"workspaceId":"w","deliveryId":1,"attempt":0}',
  ])('that says nothing (%s) is reported as failed, and the others are worked on', async (broken) => {
    const { workspaceId, delivery } = await queued()
    expect(await deliverMessages(broken, messageFor(delivery))).toEqual(['message-0'])
    expect((await onlyDelivery(workspaceId)).status).toBe('delivered')
  })
})
