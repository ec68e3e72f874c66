/** What a workspace can make the service send to a host that never asked for it. */
import { expect, it } from 'vitest'
import { now } from '../../lib/clock.ts'
import { secondsAfter } from '../../lib/domain/core/time.ts'
import { getDelivery } from '../../lib/store/deliveries.ts'
import { reserveAttempt } from '../../lib/use-cases/webhooks/receiver-limits.ts'
import { respondWithStatus } from '../support/receiver.ts'
import { newWorld } from '../support/world.ts'
import { testReceiver, useEmulatorsAndReceiver } from './support/isolated-emulators.ts'
import { commitVideoEvent, deliverMessages, deliveryLogOf, dispatchAll, givenEndpoint } from './support/run-workers.ts'

useEmulatorsAndReceiver()

const at = (seconds: number) => secondsAfter('2026-11-23T10:00:00.000Z', seconds)

it('a host that never acknowledged anything gets five attempts at once, then one a second, over all paths and ports', async () => {
  const { workspaceId } = await newWorld()
  const attempt = (path: string, seconds: number) =>
    reserveAttempt({ workspaceId, url: `https://host.test${path}` }, { lastDeliveryAt: null }, at(seconds))
  for (const path of ['/a', '/b', '/c', ':8443/d', ':8444/']) expect((await attempt(path, 0)).waitMs).toBe(0)
  expect([await attempt('/f', 0), await attempt('/g', 0)]).toEqual([
    { waitMs: 1_000, isReserved: true },
    { waitMs: 2_000, isReserved: true },
  ])
  expect((await attempt('/h', 10)).waitMs).toBe(0)
})

it('hosts that never acknowledged anything get 25 attempts at once, then five a second, however many they are', async () => {
  const { workspaceId } = await newWorld()
  const attempt = (host: number) =>
    reserveAttempt({ workspaceId, url: `https://host-${host}.test/` }, { lastDeliveryAt: null }, at(0))
  for (let host = 0; host < 25; host++) expect((await attempt(host)).waitMs).toBe(0)
  expect([(await attempt(25)).waitMs, (await attempt(26)).waitMs]).toEqual([200, 400])
})

it('a host that has acknowledged a delivery gets 100 attempts at once, then ten a second', async () => {
  const { workspaceId } = await newWorld()
  const attempt = () => reserveAttempt({ workspaceId, url: 'https://host.test/' }, { lastDeliveryAt: at(0) }, at(1))
  for (let one = 0; one < 100; one++) expect((await attempt()).waitMs).toBe(0)
  expect((await attempt()).waitMs).toBe(100)
})

it('no attempt waits longer than a message can; another workspace does not wait', async () => {
  const [{ workspaceId }, neighbour] = [await newWorld(), await newWorld()]
  const attempt = (id: string) =>
    reserveAttempt({ workspaceId: id, url: 'https://host.test/' }, { lastDeliveryAt: null }, at(0))
  for (let one = 0; one < 905; one++) await attempt(workspaceId)
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
