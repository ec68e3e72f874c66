/** What a workspace can make the service send to a host that never asked for it. */
import { describe, expect, it, vi } from 'vitest'
import { now } from '../../lib/clock.ts'
import { secondsAfter } from '../../lib/domain/core/time.ts'
import { editWebhook } from '../../lib/domain/webhooks/webhook-lifecycle.ts'
import { table } from '../../lib/store/core/client.ts'
import { getDelivery } from '../../lib/store/deliveries.ts'
import { countTokens } from '../../lib/store/token-buckets.ts'
import { reserveAttempt } from '../../lib/use-cases/webhooks/receiver-limits.ts'
import { respondWithStatus } from '../support/receiver.ts'
import { newWorld } from '../support/world.ts'
import { testReceiver, useEmulatorsAndReceiver } from './support/isolated-emulators.ts'
import {
  commitEndpointChange,
  commitVideoEvent,
  deliverMessages,
  deliveryLogOf,
  dispatchAll,
  givenEndpoint,
} from './support/run-workers.ts'

useEmulatorsAndReceiver()

/** Of the clock that the tests stop: the table deletes buckets of an hour that is long past. */
const at = (seconds: number) => secondsAfter(now(), seconds)

it('a host that never acknowledged anything gets five attempts at once, then one a second, over all paths and ports', async () => {
  const { workspaceId } = await newWorld()
  const attempt = (path: string, seconds: number) =>
    reserveAttempt({ workspaceId, url: `https://host.test${path}` }, {}, at(seconds))
  for (const path of ['/a', '/b', '/c', ':8443/d', ':8444/']) expect((await attempt(path, 0)).waitMs).toBe(0)
  expect([await attempt('/f', 0), await attempt('/g', 0)]).toEqual([
    { waitMs: 1_000, isReserved: true },
    { waitMs: 2_000, isReserved: true },
  ])
  expect((await attempt('/h', 10)).waitMs).toBe(0)
})

it('hosts that never acknowledged anything get 25 attempts at once, then five a second, however many they are', async () => {
  const { workspaceId } = await newWorld()
  const attempt = (host: number) => reserveAttempt({ workspaceId, url: `https://host-${host}.test/` }, {}, at(0))
  for (let host = 0; host < 25; host++) expect((await attempt(host)).waitMs).toBe(0)
  expect([(await attempt(25)).waitMs, (await attempt(26)).waitMs]).toEqual([200, 400])
})

it('a host that has acknowledged a delivery gets 100 attempts at once, then ten a second', async () => {
  const { workspaceId } = await newWorld()
  const attempt = () =>
    reserveAttempt({ workspaceId, url: 'https://host.test/' }, { acknowledgedHost: 'host.test' }, at(1))
  for (let one = 0; one < 100; one++) expect((await attempt()).waitMs).toBe(0)
  expect((await attempt()).waitMs).toBe(100)
})

it('each attempt at a host costs one write, however many follow each other', async () => {
  const { workspaceId } = await newWorld()
  const attempt = () =>
    reserveAttempt({ workspaceId, url: 'https://host.test/' }, { acknowledgedHost: 'host.test' }, at(0))
  const send = vi.spyOn(table, 'send')
  for (let one = 0; one < 20; one++) await attempt()
  expect(send).toHaveBeenCalledTimes(20)
})

describe('an acknowledgement counts for the host that gave it alone', () => {
  const move = (workspaceId: string, webhookId: string, url: string) =>
    commitEndpointChange(workspaceId, webhookId, (webhook) => editWebhook(webhook, { url }, now()))
  /** Attempts the pending deliveries at once; returns how many the receiver got. */
  const postsOfPending = async (workspaceId: string) => {
    const pending = await deliveryLogOf(workspaceId, { status: 'pending' })
    testReceiver.posts.length = 0
    for (const { id: deliveryId } of pending)
      expect(await deliverMessages(JSON.stringify({ workspaceId, deliveryId, attempt: 0 }))).toEqual([])
    return testReceiver.posts.length
  }
  const commitEvents = async (workspaceId: string, events: number) => {
    for (let one = 0; one < events; one++) await commitVideoEvent(workspaceId)
    await dispatchAll(workspaceId)
  }
  const otherHost = () => testReceiver.url.replace('127.0.0.1', 'localhost')

  it('not for the host that its endpoint is moved to', async () => {
    const { workspaceId } = await newWorld()
    const { id } = await givenEndpoint(workspaceId, testReceiver.url)
    await commitEvents(workspaceId, 1)
    expect(await postsOfPending(workspaceId)).toBe(1)
    await move(workspaceId, id, otherHost())
    testReceiver.answering = respondWithStatus(500)
    await commitEvents(workspaceId, 7)
    expect(await postsOfPending(workspaceId)).toBe(5)
  })

  it('not for the host that its endpoint was moved from, whose deliveries are still queued', async () => {
    const { workspaceId } = await newWorld()
    const { id } = await givenEndpoint(workspaceId, otherHost())
    await commitEvents(workspaceId, 7)
    const queued = await deliveryLogOf(workspaceId, { status: 'pending' })
    await move(workspaceId, id, testReceiver.url)
    await commitEvents(workspaceId, 1)
    const own = (await deliveryLogOf(workspaceId, { status: 'pending' })).find(({ url }) => url === testReceiver.url)!
    await deliverMessages(JSON.stringify({ workspaceId, deliveryId: own.id, attempt: 0 }))
    expect([queued.length, await postsOfPending(workspaceId)]).toEqual([7, 5])
  })

  it('again once the host has acknowledged a delivery itself, on any port', async () => {
    const { workspaceId } = await newWorld()
    const { id } = await givenEndpoint(workspaceId, testReceiver.url.replace(/:\d+$/, ':1'))
    await move(workspaceId, id, testReceiver.url)
    await commitEvents(workspaceId, 1)
    expect(await postsOfPending(workspaceId)).toBe(1)
    await commitEvents(workspaceId, 12)
    expect(await postsOfPending(workspaceId)).toBe(12)
  })
})

it('no attempt waits longer than a message can; another workspace does not wait', async () => {
  const [{ workspaceId }, neighbour] = [await newWorld(), await newWorld()]
  const attempt = (id: string) => reserveAttempt({ workspaceId: id, url: 'https://host.test/' }, {}, at(0))
  // As 904 attempts would, one after another: five at once, the last one in 899 s.
  await countTokens({ workspaceId, name: 'receiver#host.test' }, 904_000, 0, Date.parse(at(0)))
  expect(await attempt(workspaceId)).toEqual({ waitMs: 900_000, isReserved: true })
  expect(await attempt(workspaceId)).toEqual({ waitMs: 900_000 })
  expect((await attempt(neighbour.workspaceId)).waitMs).toBe(0)
})

it('an attempt that has to wait is no failure: it is sent when its message returns', async () => {
  const { workspaceId } = await newWorld()
  await givenEndpoint(workspaceId, testReceiver.url)
  for (let one = 0; one < 6; one++) await commitVideoEvent(workspaceId)
  await dispatchAll(workspaceId)
  const deliveries = await deliveryLogOf(workspaceId, { status: 'pending' })
  testReceiver.answering = respondWithStatus(500)
  const messages = deliveries.map(({ id: deliveryId, attempts: attempt }) => ({ workspaceId, deliveryId, attempt }))
  for (const message of messages) expect(await deliverMessages(JSON.stringify(message))).toEqual([])
  const waiting = (await deliveryLogOf(workspaceId)).filter(({ attempts }) => attempts === 0)
  expect([waiting.length, testReceiver.posts.length]).toEqual([1, 5])
  const id = waiting[0]!.id
  testReceiver.answering = respondWithStatus(200)
  expect(await getDelivery(workspaceId, id, now())).toMatchObject({ attempts: 0, claims: 0, lastError: null })
  const again = { workspaceId, deliveryId: id, attempt: 0, isReserved: true }
  await deliverMessages(JSON.stringify(again))
  expect(await getDelivery(workspaceId, id, now())).toMatchObject({ status: 'delivered', attempts: 1 })
})
