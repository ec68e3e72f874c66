/** Deliveries whose endpoint is disabled, deleted or moved, and endpoints that keep failing. */
import { describe, expect, it } from 'vitest'
import { now } from '../../lib/clock.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import type { Webhook } from '../../lib/domain/records/webhook.ts'
import { requeueDelivery } from '../../lib/domain/webhooks/delivery-attempts.ts'
import { editWebhook, removeWebhook, type WebhookEdit } from '../../lib/domain/webhooks/webhook-lifecycle.ts'
import { commit } from '../../lib/store/core/commit.ts'
import { getDelivery } from '../../lib/store/deliveries.ts'
import { findWebhook, getWebhook } from '../../lib/store/webhooks.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { heldResponse, respondWithStatus } from '../support/receiver.ts'
import { newWorld } from '../support/world.ts'
import { testReceiver, useEmulatorsAndReceiver } from './support/isolated-emulators.ts'
import {
  advanceFrozenClock,
  commitEndpointChange,
  commitVideoEvent,
  deliverMessages,
  deliveryLogOf,
  dispatchAll,
  givenEndpoint,
  messageFor,
  onlyDelivery,
  processWakeUps,
  receiveWakeUps,
} from './support/run-workers.ts'

useEmulatorsAndReceiver()

/** A workspace with one endpoint and this many deliveries to it that wait for their first attempt. */
async function queued(count: number) {
  const { workspaceId } = await newWorld()
  const { id, secret } = await givenEndpoint(workspaceId, testReceiver.url)
  for (let one = 0; one < count; one++) await commitVideoEvent(workspaceId)
  await dispatchAll(workspaceId)
  expect(await deliveryLogOf(workspaceId, { status: 'pending' })).toHaveLength(count)
  const edit = async (input: WebhookEdit) => commit(editWebhook(await getWebhook(workspaceId, id), input, now()))
  const remove = async () => commit(removeWebhook(await getWebhook(workspaceId, id), now()))
  return { workspaceId, id, secret, edit, remove }
}

const summary = async (workspaceId: string) =>
  (await deliveryLogOf(workspaceId)).map(({ status, attempts, lastError }) => [status, attempts, lastError])

const disabledError = 'Dropped: the endpoint was disabled.'
const deletedError = 'Dropped: the endpoint was deleted.'

describe('the 25th failure in a row', () => {
  it('disables the endpoint and drops the queued deliveries; re-enabled it has a clean record, and only new events are sent', async () => {
    const { workspaceId, id, edit } = await queued(27)
    testReceiver.answering = respondWithStatus(500)
    const wakes = await receiveWakeUps(workspaceId)
    for (const { slow: _slow, ...wake } of wakes.slice(0, 24)) await deliverMessages(JSON.stringify(wake))
    expect(await getWebhook(workspaceId, id)).toMatchObject({ enabled: true, failureCount: 24, disabledReason: null })

    const { slow: _slow, ...last } = wakes[24]!
    await deliverMessages(JSON.stringify(last))
    expect(await getWebhook(workspaceId, id)).toMatchObject({
      enabled: false,
      failureCount: 25,
      disabledReason: '25 delivery attempts failed in a row.',
      epoch: 1,
    })
    expect(await getDelivery(workspaceId, last.deliveryId, now())).toMatchObject({
      status: 'failed',
      attempts: 1,
      lastError: `The endpoint answered 500. ${disabledError}`,
    })
    // The outbox row that was written with the 25th failure.
    await dispatchAll(workspaceId)
    expect(await deliveryLogOf(workspaceId, { status: 'pending' })).toEqual([])
    expect((await summary(workspaceId)).filter(([, attempts]) => attempts === 0)).toEqual([
      ['failed', 0, disabledError],
      ['failed', 0, disabledError],
    ])

    await edit({ enabled: true })
    expect(await getWebhook(workspaceId, id)).toMatchObject({ enabled: true, failureCount: 0, disabledReason: null })
    const before = await deliveryLogOf(workspaceId)
    testReceiver.answering = respondWithStatus(200)
    advanceFrozenClock(5_000)
    await deliverMessages(...before.map(messageFor))
    await processWakeUps(workspaceId)
    expect(await deliveryLogOf(workspaceId)).toEqual(before)
    expect(testReceiver.posts).toHaveLength(25)

    await commitVideoEvent(workspaceId)
    await dispatchAll(workspaceId)
    await processWakeUps(workspaceId)
    expect(testReceiver.posts).toHaveLength(26)
    expect(await deliveryLogOf(workspaceId, { status: 'delivered' })).toHaveLength(1)
  })

  it('is not reached when a delivery was acknowledged in between', async () => {
    const { workspaceId, id } = await queued(27)
    const wakes = (await receiveWakeUps(workspaceId)).map(({ slow: _slow, ...wake }) => JSON.stringify(wake))
    testReceiver.answering = respondWithStatus(500)
    for (const wake of wakes.slice(0, 24)) await deliverMessages(wake)
    testReceiver.answering = respondWithStatus(200)
    await deliverMessages(wakes[24]!)
    expect((await getWebhook(workspaceId, id)).failureCount).toBe(0)
    testReceiver.answering = respondWithStatus(500)
    for (const wake of wakes.slice(25)) await deliverMessages(wake)
    expect(await getWebhook(workspaceId, id)).toMatchObject({ enabled: true, failureCount: 2 })
  })
})

describe('a 410 response', () => {
  it('disables the endpoint immediately; its queued deliveries are dropped, and those of others are not', async () => {
    const { workspaceId, id } = await queued(2)
    const other = await givenEndpoint(workspaceId, testReceiver.url)
    testReceiver.answering = respondWithStatus(410)
    const [first] = await receiveWakeUps(workspaceId)
    await deliverMessages(JSON.stringify(first))
    expect(await getWebhook(workspaceId, id)).toMatchObject({
      enabled: false,
      disabledReason: 'The endpoint answered 410 Gone.',
    })
    await dispatchAll(workspaceId)
    expect((await summary(workspaceId)).toSorted((a, b) => Number(a[1]) - Number(b[1]))).toEqual([
      ['failed', 0, disabledError],
      ['failed', 1, `The endpoint answered 410. ${disabledError}`],
    ])
    testReceiver.answering = respondWithStatus(200)
    await commitVideoEvent(workspaceId)
    await dispatchAll(workspaceId)
    await processWakeUps(workspaceId)
    expect(await deliveryLogOf(workspaceId, { status: 'delivered' })).toMatchObject([{ webhookId: other.id }])
  })
})

describe('an endpoint with queued deliveries', () => {
  it('that is disabled gets none of them: they are dropped, before or after their messages arrive', async () => {
    const { workspaceId, edit } = await queued(2)
    await edit({ enabled: false })
    const [first] = await receiveWakeUps(workspaceId)
    await deliverMessages(JSON.stringify(first))
    await dispatchAll(workspaceId)
    expect(await summary(workspaceId)).toEqual([
      ['failed', 0, disabledError],
      ['failed', 0, disabledError],
    ])
    expect(testReceiver.posts).toEqual([])
  })

  it('that is disabled receives no new deliveries', async () => {
    const { workspaceId, edit } = await queued(0)
    await edit({ enabled: false })
    await commitVideoEvent(workspaceId)
    await dispatchAll(workspaceId)
    expect(await deliveryLogOf(workspaceId)).toEqual([])
  })

  it('that is disabled and immediately re-enabled does not get them any more', async () => {
    const { workspaceId, edit } = await queued(2)
    await edit({ enabled: false })
    await edit({ enabled: true })
    await processWakeUps(workspaceId)
    await dispatchAll(workspaceId)
    expect((await summary(workspaceId)).map(([status]) => status)).toEqual(['failed', 'failed'])
    expect(testReceiver.posts).toEqual([])
  })

  it('that is deleted loses them as well', async () => {
    const { workspaceId, id, remove } = await queued(2)
    expect((await getWorkspace(workspaceId)).webhooksUsed).toBe(1)
    await remove()
    const [first] = await receiveWakeUps(workspaceId)
    await deliverMessages(JSON.stringify(first))
    await dispatchAll(workspaceId)
    expect(await summary(workspaceId)).toEqual([
      ['failed', 0, deletedError],
      ['failed', 0, deletedError],
    ])
    expect(testReceiver.posts).toEqual([])
    expect(await findWebhook(workspaceId, id)).toBeUndefined()
    expect((await getWorkspace(workspaceId)).webhooksUsed).toBe(0)
  })

  it.each([
    ['deleted', 500, ['failed', 1, `The endpoint answered 500. ${deletedError}`]],
    ['deleted', 200, ['delivered', 1, null]],
    ['disabled', 500, ['failed', 1, `The endpoint answered 500. ${disabledError}`]],
    ['disabled', 200, ['delivered', 1, null]],
  ])('that is %s during an attempt and responds %i ends that delivery', async (how, status, expected) => {
    const { workspaceId, edit, remove } = await queued(1)
    const hold = heldResponse()
    testReceiver.answering = hold.answering
    const working = processWakeUps(workspaceId)
    await hold.arrived
    await (how === 'deleted' ? remove() : edit({ enabled: false }))
    // The attempt in progress is left to its worker.
    await dispatchAll(workspaceId)
    expect((await onlyDelivery(workspaceId)).status).toBe('pending')
    hold.release(respondWithStatus(status))
    await working
    expect(await summary(workspaceId)).toEqual([expected])
  })

  it('that is moved gets them at the old address, and new ones at the new address', async () => {
    const { workspaceId, edit } = await queued(1)
    await edit({ url: `${testReceiver.url}/moved` })
    await commitVideoEvent(workspaceId)
    await dispatchAll(workspaceId)
    await processWakeUps(workspaceId)
    expect(testReceiver.posts.map(({ path }) => path).toSorted()).toEqual(['/', '/moved'])
  })
})

describe('a resend', () => {
  it('sends the stored bytes again, under a new id, to the current address of the endpoint', async () => {
    const { workspaceId, id, edit } = await queued(1)
    await processWakeUps(workspaceId)
    const first = await onlyDelivery(workspaceId)
    await edit({ url: `${testReceiver.url}/moved` })
    advanceFrozenClock(60)
    const deliveryId = mintId('dlv', now())
    await commit(requeueDelivery(first, await getWebhook(workspaceId, id), deliveryId, now()))
    expect(await getDelivery(workspaceId, deliveryId, now())).toMatchObject({ status: 'pending', deliveredAt: null })
    await dispatchAll(workspaceId)
    await processWakeUps(workspaceId)
    const [original, again] = testReceiver.posts
    expect(again!.path).toBe('/moved')
    expect(again!.headers['x-service-delivery']).toBe(deliveryId)
    expect(again!.body.equals(original!.body)).toBe(true)
    const [newest, oldest] = await deliveryLogOf(workspaceId)
    expect(newest).toMatchObject({ id: deliveryId, status: 'delivered', url: `${testReceiver.url}/moved` })
    expect(oldest).toEqual(first)
  })
})

describe('an endpoint whose secret cannot be opened', () => {
  const exchanged = (webhook: Webhook, sealedSecret: string) => {
    const decision = editWebhook(webhook, {}, now())
    const after = { ...decision.webhook, sealedSecret }
    return { ...decision, webhook: after, changes: [{ record: 'webhook' as const, before: webhook, after }] }
  }

  it('gets no unsigned request: the attempt fails with the reason', async () => {
    const { workspaceId, id } = await queued(1)
    const other = await givenEndpoint(workspaceId, testReceiver.url, ['video.render_completed'])
    const { sealedSecret } = await getWebhook(workspaceId, other.id)
    await commitEndpointChange(workspaceId, id, (webhook) => exchanged(webhook, sealedSecret))
    await processWakeUps(workspaceId)
    expect(await onlyDelivery(workspaceId)).toMatchObject({
      status: 'pending',
      attempts: 1,
      lastError: 'The secret of the endpoint cannot be read: delete the endpoint and create a new one.',
    })
    expect(testReceiver.posts).toEqual([])
  })
})
