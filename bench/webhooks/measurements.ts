/** The four measurements of webhooks. Each has workspaces of its own and waits until what it caused has ended. */
import { setTimeout as delay } from 'node:timers/promises'
import { now } from '../../lib/clock.ts'
import { responseTimeoutMs } from '../../lib/domain/webhooks/delivery.ts'
import { listDeliveries } from '../../lib/store/deliveries.ts'
import { percentile } from '../load/statistics.ts'
import type { WebhookHarness } from './harness.ts'
import type { Arrival } from './receivers.ts'
import { commitEvent, seedBacklog, seedWorkspace, type WorkspaceWithWebhooks } from './seed.ts'

const timeoutMs = 300_000

async function waitFor(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`Not after ${timeoutMs / 1000} s: ${what}`)
    await delay(200)
  }
}

const arrivalsIn = async (rig: WebhookHarness, workspaces: readonly WorkspaceWithWebhooks[]): Promise<Arrival[]> => {
  const ids = new Set(workspaces.map(({ workspaceId }) => workspaceId))
  return (await rig.arrivals()).filter(({ workspaceId }) => ids.has(workspaceId))
}

export interface Latency {
  events: number
  deliveries: number
  p50Ms: number
  p99Ms: number
  maxMs: number
}

function latencyOf(events: number, arrivals: readonly Arrival[]): Latency {
  const ms = arrivals.map(({ eventAt: toldAt, arrivedAt }) => arrivedAt - toldAt)
  return {
    events,
    deliveries: ms.length,
    p50Ms: percentile(ms, 50),
    p99Ms: percentile(ms, 99),
    maxMs: percentile(ms, 100),
  }
}

/** Commits events at a steady rate, each in the next workspace, whether or not the one before has ended. */
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

const workspaceAt = (
  rig: WebhookHarness,
  kind: 'ok' | 'late' | 'hang',
  endpoints: number,
): Promise<WorkspaceWithWebhooks> =>
  seedWorkspace(Array.from({ length: endpoints }, (_, index) => `${rig.receivers}/${kind}/${index}`))

/** From the decision that an event happened to the first byte of its post at the receiver. */
export async function measureLatency(
  rig: WebhookHarness,
  load: { perSecond: number; seconds: number },
): Promise<Latency> {
  const workspaces = await Promise.all(Array.from({ length: 5 }, () => workspaceAt(rig, 'ok', 2)))
  const events = await commitSteadily(workspaces, load.perSecond, load.seconds)
  await waitFor('all arrived', async () => (await arrivalsIn(rig, workspaces)).length === events * 2)
  return latencyOf(events, await arrivalsIn(rig, workspaces))
}

export interface Throughput {
  deliveries: number
  perSecond: number
}

function rateOf(arrivals: readonly Arrival[]): Throughput {
  const times = arrivals.map(({ arrivedAt }) => arrivedAt)
  const seconds = (Math.max(...times) - Math.min(...times)) / 1000
  return { deliveries: times.length, perSecond: times.length / seconds }
}

const endpoints = 5

/** Works off deliveries that wait when the service begins. */
export async function measureBacklog(rig: WebhookHarness, events: number): Promise<Throughput> {
  const workspace = await workspaceAt(rig, 'ok', endpoints)
  await seedBacklog(workspace, events)
  rig.resume()
  await untilDelivered(rig, workspace, events * endpoints)
  return rateOf(await arrivalsIn(rig, [workspace]))
}

/** Works off events that happen all at once: they are fanned out while their deliveries are posted. */
export async function measureBurst(rig: WebhookHarness, events: number): Promise<Throughput> {
  const workspace = await workspaceAt(rig, 'ok', endpoints)
  for (let index = 0; index < events; index += 20)
    await Promise.all(Array.from({ length: Math.min(20, events - index) }, () => commitEvent(workspace.workspaceId)))
  await untilDelivered(rig, workspace, events * endpoints)
  return rateOf(await arrivalsIn(rig, [workspace]))
}

async function untilDelivered(rig: WebhookHarness, workspace: WorkspaceWithWebhooks, count: number): Promise<void> {
  await waitFor('all arrived', async () => (await arrivalsIn(rig, [workspace])).length === count)
  await waitFor('all recorded', async () => (await recorded(workspace, 'delivered')) === count)
}

const recorded = async ({ workspaceId }: WorkspaceWithWebhooks, status: 'pending' | 'delivered' | 'failed') =>
  (await listDeliveries(workspaceId, { status }, { limit: 1, offset: 0 }, now())).total

/** The same steady load, while another workspace gets events at receivers of a kind that holds every post. */
export async function measureWithSlowReceivers(
  rig: WebhookHarness,
  kind: 'hang' | 'late',
  load: { perSecond: number; seconds: number },
): Promise<Latency> {
  const holding = await workspaceAt(rig, kind, endpoints)
  const over = commitSteadily([holding], 10, load.seconds + 2)
  // The others begin when the first posts are held.
  await waitFor('some are held', async () => (await arrivalsIn(rig, [holding])).length >= endpoints)
  const latency = await measureLatency(rig, load)
  await over
  await waitFor('none is held', async () => (await recorded(holding, 'pending')) === 0)
  return latency
}

export interface Hostility {
  receivers: number
  attempts: number
  /** How long a hostile receiver could hold its connection. */
  longestMs: number
  rssBefore: number
  rssPeak: number
  rssAfter: number
  /** From before to the peak. */
  rssRisenBytes: number
}

const webhooksEach = 25

/** Posts events to hostile receivers of every kind, all at once; second attempts come in between. */
export async function measureHostility(rig: WebhookHarness, receivers: number, rounds: number): Promise<Hostility> {
  const urls = await rig.hostile(receivers)
  const workspaces = await Promise.all(
    Array.from({ length: receivers / webhooksEach }, (_, index) =>
      seedWorkspace(urls.slice(index * webhooksEach, (index + 1) * webhooksEach)),
    ),
  )
  const rssBefore = rig.memory().now
  for (let round = 0; round < rounds; round++) {
    await Promise.all(workspaces.map(({ workspaceId }) => commitEvent(workspaceId)))
    await delay(1_000)
  }
  await delay(responseTimeoutMs)
  await waitFor('none is held', async () => (await rig.held()).open === 0)
  const { openMs } = await rig.held()
  const { now: rssAfter, peak: rssPeak } = rig.memory()
  const [attempts, longestMs] = [openMs.length, percentile(openMs, 100)]
  return { receivers, attempts, longestMs, rssBefore, rssPeak, rssAfter, rssRisenBytes: rssPeak - rssBefore }
}
