/** What nobody was woken for: the sweeper finds it in the table, and wakes again. */
import { describe, expect, it } from 'vitest'
import { handler as sweep } from '../../functions/workers/sweep.ts'
import { now } from '../../lib/clock.ts'
import { mintId } from '../../lib/domain/core/id.ts'
import { resend } from '../../lib/domain/webhooks/delivery.ts'
import { editWebhook } from '../../lib/domain/webhooks/webhook.ts'
import { commit } from '../../lib/store/core/commit.ts'
import { getWebhook } from '../../lib/store/webhooks.ts'
import { answers } from '../support/receiver.ts'
import { newWorld } from '../support/world.ts'
import { ownEmulatorsAndReceiver, receiver } from './support/isolated-emulators.ts'
import {
  dispatchAll,
  logOf,
  moveClock,
  newEndpoint,
  onlyDelivery,
  takeWakes,
  tellEvent,
  work,
} from './support/run-workers.ts'

ownEmulatorsAndReceiver()

async function subscribed() {
  const { workspaceId } = await newWorld()
  return { workspaceId, ...(await newEndpoint(workspaceId, receiver.url)) }
}

describe('the sweeper', () => {
  it('fans out an event whose wake-up was lost, once', async () => {
    const { workspaceId } = await subscribed()
    await tellEvent(workspaceId)
    moveClock(61)
    await Promise.all([sweep(), sweep()])
    expect((await onlyDelivery(workspaceId)).status).toBe('pending')
    await work(workspaceId)
    expect(receiver.posts).toHaveLength(1)
    expect((await onlyDelivery(workspaceId)).status).toBe('delivered')
  })

  it('wakes a delivery again whose first message was lost', async () => {
    const { workspaceId } = await subscribed()
    await tellEvent(workspaceId)
    await dispatchAll(workspaceId)
    await takeWakes(workspaceId)
    moveClock(59)
    await sweep()
    expect(await takeWakes(workspaceId)).toEqual([])
    moveClock(2)
    await sweep()
    expect(await work(workspaceId)).toMatchObject([{ attempt: 0, slow: true }])
    expect((await onlyDelivery(workspaceId)).status).toBe('delivered')
    expect(receiver.posts).toHaveLength(1)
  })

  it('wakes a delivery again whose third message was lost, and counts nothing twice', async () => {
    const { workspaceId } = await subscribed()
    receiver.answering = answers(500)
    await tellEvent(workspaceId)
    await dispatchAll(workspaceId)
    await work(workspaceId)
    moveClock(5)
    await work(workspaceId)
    moveClock(20)
    expect(await takeWakes(workspaceId)).toMatchObject([{ attempt: 2 }])
    moveClock(60)
    await sweep()
    await work(workspaceId)
    expect(await onlyDelivery(workspaceId)).toMatchObject({ status: 'pending', attempts: 3 })
    expect(receiver.posts).toHaveLength(3)
  })

  it('wakes it again and again, less and less often, for as long as nobody works on it', async () => {
    const { workspaceId } = await subscribed()
    await tellEvent(workspaceId)
    await dispatchAll(workspaceId)
    await takeWakes(workspaceId)
    for (const seconds of [61, 301, 364, 728, 1_456, 2_912, 3_601, 3_601]) {
      moveClock(seconds)
      await sweep()
      expect(await takeWakes(workspaceId)).toHaveLength(1)
      await sweep()
      expect(await takeWakes(workspaceId)).toEqual([])
    }
  })

  it('leaves alone what has ended', async () => {
    const { workspaceId } = await subscribed()
    await tellEvent(workspaceId)
    await dispatchAll(workspaceId)
    await work(workspaceId)
    moveClock(5_000)
    await sweep()
    expect(await takeWakes(workspaceId)).toEqual([])
  })

  it('sends again a delivery whose resend was not heard of', async () => {
    const { workspaceId, id } = await subscribed()
    await tellEvent(workspaceId)
    await dispatchAll(workspaceId)
    await work(workspaceId)
    const [first] = await logOf(workspaceId)
    await commit(resend(first!, await getWebhook(workspaceId, id), mintId('dlv', now()), now()))
    moveClock(61)
    await sweep()
    await work(workspaceId)
    expect((await logOf(workspaceId)).map(({ status }) => status)).toEqual(['delivered', 'delivered'])
    expect(receiver.posts).toHaveLength(2)
  })

  it('drops what was queued for an endpoint whose end was not heard of', async () => {
    const { workspaceId, id } = await subscribed()
    await tellEvent(workspaceId)
    await dispatchAll(workspaceId)
    await takeWakes(workspaceId)
    await commit(editWebhook(await getWebhook(workspaceId, id), { enabled: false }, now()))
    moveClock(61)
    await sweep()
    expect(await onlyDelivery(workspaceId)).toMatchObject({
      status: 'failed',
      lastError: 'Dropped: the endpoint was disabled.',
    })
    expect(receiver.posts).toEqual([])
  })
})
