/** Lost wake-ups: the sweeper finds the work in the table, and wakes it again. */
import { describe, expect, it } from 'vitest'
import { handler as sweep } from '../../functions/workers/sweep.ts'
import { now } from '../../lib/clock.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { requeueDelivery } from '../../lib/domain/webhooks/delivery-attempts.ts'
import { editWebhook } from '../../lib/domain/webhooks/webhook-lifecycle.ts'
import { commit } from '../../lib/store/core/commit.ts'
import { getWebhook } from '../../lib/store/webhooks.ts'
import { respondWithStatus } from '../support/receiver.ts'
import { newWorld } from '../support/world.ts'
import { testReceiver, useEmulatorsAndReceiver } from './support/isolated-emulators.ts'
import {
  advanceFrozenClock,
  commitVideoEvent,
  deliveryLogOf,
  dispatchAll,
  givenEndpoint,
  onlyDelivery,
  processWakeUps,
  receiveWakeUps,
} from './support/run-workers.ts'

useEmulatorsAndReceiver()

async function subscribed() {
  const { workspaceId } = await newWorld()
  return { workspaceId, ...(await givenEndpoint(workspaceId, testReceiver.url)) }
}

describe('the sweeper', () => {
  it('fans out an event whose wake-up was lost, once', async () => {
    const { workspaceId } = await subscribed()
    await commitVideoEvent(workspaceId)
    advanceFrozenClock(61)
    await Promise.all([sweep(), sweep()])
    expect((await onlyDelivery(workspaceId)).status).toBe('pending')
    await processWakeUps(workspaceId)
    expect(testReceiver.posts).toHaveLength(1)
    expect((await onlyDelivery(workspaceId)).status).toBe('delivered')
  })

  it('wakes a delivery again whose first message was lost', async () => {
    const { workspaceId } = await subscribed()
    await commitVideoEvent(workspaceId)
    await dispatchAll(workspaceId)
    await receiveWakeUps(workspaceId)
    advanceFrozenClock(59)
    await sweep()
    expect(await receiveWakeUps(workspaceId)).toEqual([])
    advanceFrozenClock(2)
    await sweep()
    expect(await processWakeUps(workspaceId)).toMatchObject([{ attempt: 0, slow: true }])
    expect((await onlyDelivery(workspaceId)).status).toBe('delivered')
    expect(testReceiver.posts).toHaveLength(1)
  })

  it('wakes a delivery again whose third message was lost, and counts nothing twice', async () => {
    const { workspaceId } = await subscribed()
    testReceiver.answering = respondWithStatus(500)
    await commitVideoEvent(workspaceId)
    await dispatchAll(workspaceId)
    await processWakeUps(workspaceId)
    advanceFrozenClock(5)
    await processWakeUps(workspaceId)
    advanceFrozenClock(20)
    expect(await receiveWakeUps(workspaceId)).toMatchObject([{ attempt: 2 }])
    advanceFrozenClock(60)
    await sweep()
    await processWakeUps(workspaceId)
    expect(await onlyDelivery(workspaceId)).toMatchObject({ status: 'pending', attempts: 3 })
    expect(testReceiver.posts).toHaveLength(3)
  })

  it('repeats the wake-up at growing intervals until a worker takes it', async () => {
    const { workspaceId } = await subscribed()
    await commitVideoEvent(workspaceId)
    await dispatchAll(workspaceId)
    await receiveWakeUps(workspaceId)
    for (const seconds of [61, 301, 364, 728, 1_456, 2_912, 3_601, 3_601]) {
      advanceFrozenClock(seconds)
      await sweep()
      expect(await receiveWakeUps(workspaceId)).toHaveLength(1)
      await sweep()
      expect(await receiveWakeUps(workspaceId)).toEqual([])
    }
  })

  it('ignores what has ended', async () => {
    const { workspaceId } = await subscribed()
    await commitVideoEvent(workspaceId)
    await dispatchAll(workspaceId)
    await processWakeUps(workspaceId)
    advanceFrozenClock(5_000)
    await sweep()
    expect(await receiveWakeUps(workspaceId)).toEqual([])
  })

  it('wakes a resent delivery whose wake-up was lost', async () => {
    const { workspaceId, id } = await subscribed()
    await commitVideoEvent(workspaceId)
    await dispatchAll(workspaceId)
    await processWakeUps(workspaceId)
    const [first] = await deliveryLogOf(workspaceId)
    await commit(requeueDelivery(first!, await getWebhook(workspaceId, id), mintId('dlv', now()), now()))
    advanceFrozenClock(61)
    await sweep()
    await processWakeUps(workspaceId)
    expect((await deliveryLogOf(workspaceId)).map(({ status }) => status)).toEqual(['delivered', 'delivered'])
    expect(testReceiver.posts).toHaveLength(2)
  })

  it('drops the deliveries that were queued for an endpoint whose disabling message was lost', async () => {
    const { workspaceId, id } = await subscribed()
    await commitVideoEvent(workspaceId)
    await dispatchAll(workspaceId)
    await receiveWakeUps(workspaceId)
    await commit(editWebhook(await getWebhook(workspaceId, id), { enabled: false }, now()))
    advanceFrozenClock(61)
    await sweep()
    expect(await onlyDelivery(workspaceId)).toMatchObject({
      status: 'failed',
      lastError: 'Dropped: the endpoint was disabled.',
    })
    expect(testReceiver.posts).toEqual([])
  })
})
