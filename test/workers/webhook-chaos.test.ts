/** The webhook workers are killed repeatedly during hundreds of events: every subscriber receives every event. */

import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { now } from '../../lib/clock.ts'
import type { EventType } from '../../lib/domain/records/event.ts'
import { deliveryAttemptsMax } from '../../lib/domain/webhooks/delivery-attempts.ts'
import { listDeliveries } from '../../lib/store/deliveries.ts'
import { listDue } from '../../lib/store/due-index.ts'
import { listEvents } from '../../lib/store/event-journal.ts'
import { listWebhooks } from '../../lib/store/webhooks.ts'
import { verifyWebhook } from '../../packages/client/webhooks.js'
import { volume } from '../support/fuzz/volume.ts'
import { mapConcurrently } from '../support/map-concurrently.ts'
import {
  closeConnection,
  type Received,
  type ReceiverHandler,
  respondWithStatus,
  startTestReceiver,
} from '../support/receiver.ts'
import { newWorld } from '../support/world.ts'
import { createWorkerPool, mulberry32, startTestEmulators } from './support/chaos.ts'
import { commitVideoEvent, givenEndpoint, type VideoEventType } from './support/run-workers.ts'

const lives = volume(2, 10)
const eventsPerLife = volume(40, 100)
/**
 * A worker is killed after at most this many requests, so that even on a slow machine it is killed mid-work; or after
 * this time.
 */
const postsOfLifeMax = 1.2 * eventsPerLife
const lifeMsMax = 1_500

/** Alternating: half of the events are of the first type. */
const eventTypes: VideoEventType[] = [
  'video.created',
  'video.render_completed',
  'video.created',
  'video.generation_completed',
]
const subscriptions: EventType[][] = [
  ['video.created', 'video.render_completed'],
  ['video.created'],
  ['video.render_completed'],
  ['video.render_completed', 'video.generation_completed'],
  ['video.generation_completed'],
]

const deliveryOf = ({ headers }: Received) => String(headers['x-service-delivery'])

/** Fails sometimes, but no delivery more than three times: the service gives up after six attempts. */
function unreliable(random: () => number): ReceiverHandler {
  const failures = new Map<string, number>()
  return (post, response) => {
    const before = failures.get(deliveryOf(post)) ?? 0
    const fails = before < 3 && random() < 0.25
    if (fails) failures.set(deliveryOf(post), before + 1)
    return (fails ? (random() < 0.5 ? respondWithStatus(500) : closeConnection) : respondWithStatus(200))(
      post,
      response,
    )
  }
}

async function until(isSo: () => boolean, withinMs: number): Promise<void> {
  for (const end = performance.now() + withinMs; !isSo() && performance.now() < end; ) await delay(2)
}

/** The amount of open work: events to fan out, deliveries to make. */
const countWaiting = async () => (await listDue('9999', 1_000)).length

const restMs = 4_000

/** Waits until no work is left, or no progress is made; returns whether none is left. */
async function comesToRest(countPosts: () => number): Promise<boolean> {
  let seen = ''
  let since = performance.now()
  while (performance.now() - since < restMs) {
    const waiting = await countWaiting()
    if (waiting === 0) return true
    const seenNow = `${waiting} ${countPosts()}`
    if (seenNow !== seen) since = performance.now()
    seen = seenNow
    // Counting takes time from the workers.
    await delay(1_000)
  }
  return false
}

/** The delay with which a busy process observes a request. */
const heardLateMs = 1_000

const hoursAhead = (hours: number) => ({ aheadSeconds: hours * 3_600, sweepEveryMs: 3_000 })

const killsDuring = (posts: readonly Received[], kills: readonly number[]) => {
  const [first, last] = [posts[0]!.at - heardLateMs, posts.at(-1)!.at]
  return kills.filter((at) => at > first && at < last).length
}

test('every event reaches every subscriber at least once, despite killed workers', async () => {
  const seed = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000)
  console.log(`CHAOS_SEED=${seed}`)
  const random = mulberry32(seed)
  // Divides the waits so that every retry is due immediately.
  const { endpoints, streamArn, directory } = await startTestEmulators(1_000_000)
  const receiver = await startTestReceiver()
  onTestFinished(receiver.stop)
  const { workspaceId } = await newWorld()
  const hooks = await Promise.all(
    subscriptions.map(async (events, index) => ({
      events,
      ...(await givenEndpoint(workspaceId, `${receiver.url}/${index}`, events)),
    })),
  )

  const workers = createWorkerPool({ endpoints, streamArn, directory, aheadSeconds: 0, sweepEveryMs: null })
  receiver.answering = unreliable(random)
  const happening: Promise<unknown>[] = []
  for (let life = 0; life < lives; life++) {
    const types = Array.from({ length: eventsPerLife }, (_, index) => eventTypes[index % eventTypes.length])
    happening.push(mapConcurrently(2, types, (type) => commitVideoEvent(workspaceId, type)))
    const posts = receiver.posts.length + random() * postsOfLifeMax
    const isLast = life === lives - 1
    await workers.during(() => until(() => receiver.posts.length > posts, lifeMsMax), {}, isLast ? hoursAhead(1) : {})
  }
  await Promise.all(happening)

  // From now on no busy worker is killed. The clock moves on, so that lost wake-ups become due and the leases of killed
  // workers expire.
  let ended = false
  for (let hour = 1; hour <= 6 && !ended; hour++)
    await workers.during(async () => {
      ended = await comesToRest(() => receiver.posts.length)
    }, hoursAhead(hour))

  const events = await listEvents(workspaceId)
  expect(events).toHaveLength(lives * eventsPerLife)
  const expectedOf = ({ type, sequence }: { type: string; sequence: number }) =>
    hooks.filter(({ events }) => events.some((one) => one === type)).map(({ id }) => `${sequence} ${id}`)
  const { deliveries } = await listDeliveries(workspaceId, {}, { limit: 10_000, offset: 0 }, now())
  // Compared as missing and unexpected items: a difference of thousands is not readable.
  const expected = new Set(events.flatMap(expectedOf))
  const rows = deliveries.map(({ payload, webhookId }) => `${JSON.parse(payload).sequence} ${webhookId}`)
  expect(expected.difference(new Set(rows))).toEqual(new Set())
  expect(rows.filter((row, index) => !expected.has(row) || rows.indexOf(row) !== index)).toEqual([])
  expect(deliveries.filter(({ status }) => status !== 'delivered').map(({ id, status }) => [id, status])).toEqual([])

  const posts = Map.groupBy(receiver.posts, deliveryOf)
  expect(posts.size).toBe(deliveries.length)
  for (const { id, payload, webhookId, attempts } of deliveries) {
    const hook = hooks.findIndex((one) => one.id === webhookId)
    const made = posts.get(id) ?? []
    for (const { path, body, headers } of made) {
      expect(path).toBe(`/${hook}`)
      expect(body.equals(Buffer.from(payload))).toBe(true)
      await verifyWebhook(body, headers, hooks[hook]!.secret, { toleranceSeconds: Infinity })
    }
    expect(attempts).toBeLessThanOrEqual(deliveryAttemptsMax)
    expect(made.length).toBeGreaterThanOrEqual(attempts)
    // A request without a recorded attempt was sent by a worker that was killed before it recorded the attempt.
    expect(made.length - attempts, id).toBeLessThanOrEqual(killsDuring(made, workers.kills))
  }
  expect((await listWebhooks(workspaceId)).map(({ enabled, failureCount }) => [enabled, failureCount])).toEqual(
    hooks.map(() => [true, 0]),
  )
  const attempts = deliveries.reduce((sum, delivery) => sum + delivery.attempts, 0)
  console.log(
    `${events.length} events, ${deliveries.length} deliveries, ${attempts} attempts, ${receiver.posts.length} posts, ${workers.kills.length} kills`,
  )
}, 300_000)
