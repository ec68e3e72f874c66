/** Hostile receivers: each attempt ends, is recorded with a useful reason, and reads a limited amount. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { now } from '../../lib/clock.ts'
import type { Delivery } from '../../lib/domain/records/delivery.ts'
import { responseTimeoutMs } from '../../lib/domain/webhooks/delivery-attempts.ts'
import { getDelivery } from '../../lib/store/deliveries.ts'
import { getWebhook } from '../../lib/store/webhooks.ts'
import { attemptDelivery } from '../../lib/use-cases/webhooks/attempt-delivery.ts'
import { type HostileReceiver, hostileKinds, startHostileReceiver } from '../egress/hostile-receivers.ts'
import { givenDelivery } from '../support/given/webhooks.ts'
import { newWorld } from '../support/world.ts'
import { givenEndpoint } from './support/run-workers.ts'

/** Covers the read limit and the loopback buffers; a flood that is read for 8 s is thousands of times larger. */
const sentBytesMax = 32 * 1024 * 1024
const lastErrorCharactersMax = 400

interface Attempted {
  receiver: HostileReceiver
  delivery: Delivery
  failureCount: number
}

/** A new workspace, one endpoint, one delivery and one attempt. */
async function attempted(receiver: HostileReceiver): Promise<Attempted> {
  const world = await newWorld()
  const { workspaceId } = world
  const { id: webhookId } = await givenEndpoint(workspaceId, receiver.url)
  const { id: deliveryId } = await givenDelivery(world, webhookId)
  await attemptDelivery({ workspaceId, deliveryId, attempt: 0, isReserved: true })
  const { failureCount } = await getWebhook(workspaceId, webhookId)
  return { receiver, delivery: await getDelivery(workspaceId, deliveryId, now()), failureCount }
}

const attempts = new Map<string, Attempted>()
beforeAll(async () => {
  const receivers = await Promise.all(hostileKinds.map((kind) => startHostileReceiver(kind)))
  // All run concurrently: the slow ones take the whole deadline, once.
  for (const one of await Promise.all(receivers.map(attempted))) attempts.set(one.receiver.kind.name, one)
})
afterAll(() => {
  for (const { receiver } of attempts.values()) receiver.stop()
})

describe('a delivery to a receiver that', () => {
  it.each(hostileKinds.map((kind) => [kind.name, kind] as const))('%s', async (name, { outcome, isSlow }) => {
    const { receiver, delivery, failureCount } = attempts.get(name)!
    if (outcome === 'delivered') {
      expect(delivery).toMatchObject({ status: 'delivered', attempts: 1, responseStatus: 200, lastError: null })
    } else {
      expect(delivery).toMatchObject({ status: 'pending', attempts: 1, lastError: expect.stringMatching(outcome) })
      expect(delivery.lastError!.length).toBeLessThan(lastErrorCharactersMax)
      if (isSlow) expect(delivery.lastError).toContain(` ${responseTimeoutMs} ms`)
    }
    expect(failureCount).toBe(outcome === 'delivered' ? 0 : 1)
    // In every case the connection has ended, and little was read from it.
    await vi.waitFor(() => expect(receiver).toMatchObject({ open: 0, openMs: [expect.any(Number)] }), 30_000)
    expect(receiver.sentBytes).toBeLessThan(sentBytesMax)
  })
})

describe('the recorded reason of a failure', () => {
  it('stays short for any length of the host name', async () => {
    const world = await newWorld()
    const { workspaceId } = world
    const host = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`
    const { id: webhookId } = await givenEndpoint(workspaceId, `https://${host}/`)
    const { id: deliveryId } = await givenDelivery(world, webhookId)
    const resolve = () => Promise.reject(new Error('x'.repeat(10_000)))
    await attemptDelivery({ workspaceId, deliveryId, attempt: 0, isReserved: true }, { resolve })
    const { lastError } = await getDelivery(workspaceId, deliveryId, now())
    expect(lastError).toBe(`The host ${host} cannot be resolved (no further reason).`)
    expect(lastError!.length).toBeLessThan(lastErrorCharactersMax)
  })
})
