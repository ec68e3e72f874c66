/** The measurements of webhooks. Each one has separate workspaces and waits until its deliveries have ended. */
import { setTimeout as delay } from 'node:timers/promises'
import { now } from '../../lib/clock.ts'
import { responseTimeoutMs } from '../../lib/domain/webhooks/delivery-attempts.ts'
import { listDeliveries } from '../../lib/store/deliveries.ts'
import { percentile } from '../load/statistics.ts'
import type { WebhookHarness } from './harness.ts'
import type { Arrival } from './receivers.ts'
import { commitEvent, seedBacklog, seedWorkspace, type WorkspaceWithWebhooks } from './seed.ts'

const timeoutMs = 300_000

async function waitFor(what: string, condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Timed out after ${timeoutMs / 1000} s: ${what}`)
    await delay(200)
  }
}

const arrivalsIn = async (
  harness: WebhookHarness,
  workspaces: readonly WorkspaceWithWebhooks[],
): Promise<Arrival[]> => {
  const ids = new Set(workspaces.map(({ workspaceId }) => workspaceId))
  return (await harness.arrivals()).filter(({ workspaceId }) => ids.has(workspaceId))
}

export interface Latency {
  events: number
  deliveries: number
  p50Ms: number
  p99Ms: number
  maxMs: number
}

function latencyOf(events: number, arrivals: readonly Arrival[]): Latency {
  const ms = arrivals.map(({ eventAt, arrivedAt }) => arrivedAt - eventAt)
  return {
    events,
    deliveries: ms.length,
    p50Ms: percentile(ms, 50),
    p99Ms: percentile(ms, 99),
    maxMs: percentile(ms, 100),
  }
}

/** Commits events at a steady rate across the workspaces, without waiting for earlier commits. */
async function commitSteadily(workspaces: readonly WorkspaceWithWebhooks[], perSecond: number, seconds: number) {
  const commits: Promise<void>[] = []
  const startedAt = performance.now()
  for (let index = 0; index < perSecond * seconds; index++) {
    await delay(Math.max(startedAt + (index * 1000) / perSecond - performance.now(), 0))
    commits.push(commitEvent(workspaces[index % workspaces.length]!.workspaceId))
  }
  await Promise.all(commits)
  return commits.length
}

/** Each endpoint is on another host. Those that respond immediately have acknowledged a delivery before. */
const workspaceAt = (
  harness: WebhookHarness,
  kind: 'ok' | 'late' | 'hang',
  endpoints: number,
): Promise<WorkspaceWithWebhooks> =>
  seedWorkspace(
    Array.from({ length: endpoints }, (_, index) => `${harness.receivers[index % harness.receivers.length]}/${kind}`),
    { areKnown: kind === 'ok' },
  )

/** From the creation of an event to the arrival of its request at the receiver. */
export async function measureLatency(
  harness: WebhookHarness,
  load: { perSecond: number; seconds: number },
): Promise<Latency> {
  // At most half the rate at which a host of a workspace gets deliveries: the figure is not the wait for that limit.
  const workspaces = await Promise.all(Array.from({ length: load.perSecond / 5 }, () => workspaceAt(harness, 'ok', 2)))
  const events = await commitSteadily(workspaces, load.perSecond, load.seconds)
  await waitFor('all arrived', async () => (await arrivalsIn(harness, workspaces)).length === events * 2)
  return latencyOf(events, await arrivalsIn(harness, workspaces))
}

interface Throughput {
  deliveries: number
  perSecond: number
}

function rateOf(arrivals: readonly Arrival[]): Throughput {
  const times = arrivals.map(({ arrivedAt }) => arrivedAt)
  const seconds = (Math.max(...times) - Math.min(...times)) / 1000
  return { deliveries: times.length, perSecond: times.length / seconds }
}

const endpoints = 5
/** Below the number of deliveries that a known host gets without a wait. */
const eventsEach = 80

/** Workspaces for `events` events, none of which has to wait for the limit of a host. */
const workspacesFor = (harness: WebhookHarness, events: number): Promise<WorkspaceWithWebhooks[]> =>
  Promise.all(Array.from({ length: Math.ceil(events / eventsEach) }, () => workspaceAt(harness, 'ok', endpoints)))

/** Throughput with deliveries that are queued when the service starts. */
export async function measureBacklog(harness: WebhookHarness, events: number): Promise<Throughput> {
  const workspaces = await workspacesFor(harness, events)
  for (const workspace of workspaces) await seedBacklog(workspace, events / workspaces.length)
  harness.resume()
  await untilDelivered(harness, workspaces, events * endpoints)
  return rateOf(await arrivalsIn(harness, workspaces))
}

/** Throughput with many events at once: fan-out and deliveries run concurrently. */
export async function measureBurst(harness: WebhookHarness, events: number): Promise<Throughput> {
  const workspaces = await workspacesFor(harness, events)
  const commitOne = (index: number) => commitEvent(workspaces[index % workspaces.length]!.workspaceId)
  for (let done = 0; done < events; done += 20)
    await Promise.all(Array.from({ length: Math.min(20, events - done) }, (_, index) => commitOne(done + index)))
  await untilDelivered(harness, workspaces, events * endpoints)
  return rateOf(await arrivalsIn(harness, workspaces))
}

async function untilDelivered(
  harness: WebhookHarness,
  workspaces: readonly WorkspaceWithWebhooks[],
  count: number,
): Promise<void> {
  const delivered = async () => Promise.all(workspaces.map((workspace) => recorded(workspace, 'delivered')))
  await waitFor('all arrived', async () => (await arrivalsIn(harness, workspaces)).length === count)
  await waitFor('all recorded', async () => (await delivered()).reduce((sum, one) => sum + one) === count)
}

const recorded = async ({ workspaceId }: WorkspaceWithWebhooks, status: 'pending' | 'delivered' | 'failed') =>
  (await listDeliveries(workspaceId, { status }, { limit: 1, offset: 0 }, now())).total

/** The same steady load, while another workspace has receivers that hold every request. */
export async function measureWithSlowReceivers(
  harness: WebhookHarness,
  kind: 'hang' | 'late',
  load: { perSecond: number; seconds: number },
): Promise<Latency> {
  const holding = await workspaceAt(harness, kind, endpoints)
  const committed = commitSteadily([holding], load.perSecond / 5, load.seconds + 2)
  // The load starts when the first requests are held.
  await waitFor('some are held', async () => (await arrivalsIn(harness, [holding])).length >= endpoints)
  const latency = await measureLatency(harness, load)
  await committed
  await waitFor('none is held', async () => (await recorded(holding, 'pending')) === 0)
  return latency
}

interface Hostility {
  receivers: number
  attempts: number
  /** The longest time for which a malicious receiver held its connection. */
  longestMs: number
  rssBefore: number
  rssPeak: number
  rssAfter: number
  /** Difference between the peak and the start. */
  rssRisenBytes: number
}

const webhooksEach = 25

/** Delivers events to malicious receivers of every kind concurrently, with retries in between. */
export async function measureHostility(harness: WebhookHarness, receivers: number, rounds: number): Promise<Hostility> {
  const urls = await harness.hostile(receivers)
  const workspaces = await Promise.all(
    Array.from({ length: receivers / webhooksEach }, (_, index) =>
      seedWorkspace(urls.slice(index * webhooksEach, (index + 1) * webhooksEach)),
    ),
  )
  const rssBefore = harness.memory().now
  for (let round = 0; round < rounds; round++) {
    await Promise.all(workspaces.map(({ workspaceId }) => commitEvent(workspaceId)))
    await delay(1_000)
  }
  await delay(responseTimeoutMs)
  await waitFor('none is held', async () => (await harness.held()).open === 0)
  const { openMs } = await harness.held()
  const { now: rssAfter, peak: rssPeak } = harness.memory()
  const [attempts, longestMs] = [openMs.length, percentile(openMs, 100)]
  return { receivers, attempts, longestMs, rssBefore, rssPeak, rssAfter, rssRisenBytes: rssPeak - rssBefore }
}
