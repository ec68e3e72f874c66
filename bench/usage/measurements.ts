/** The measurements of `npm run bench:usage`: each one does one kind of work and returns its usage. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { DeleteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { now } from '../../lib/clock.ts'
import { platforms } from '../../lib/domain/core/platform.ts'
import { secondsAfter } from '../../lib/domain/core/time.ts'
import type { Video } from '../../lib/domain/records/video.ts'
import { table, tableName } from '../../lib/store/core/client.ts'
import { type Key, keys, outboxPrefix } from '../../lib/store/core/keys.ts'
import { listDue } from '../../lib/store/due-index.ts'
import { getVideo, listAutomations } from '../../lib/store/videos.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { loadHandler } from '../../local/handlers.ts'
import type { Reelsmith } from '../../local/reelsmith.ts'
import { type Seed, seed } from '../../local/seed.ts'
import { seedAutomations } from '../automations/seed.ts'
import { seedVideos } from '../seed-videos.ts'
import { oneMinuteScript as text } from '../speech.ts'
import { commitEvent, seedWorkspace } from '../webhooks/seed.ts'
import type { UsageFigures } from './figures.ts'
import type { UsageByName } from './meter.ts'

const requestsEach = 20
const idleTicks = 10
const events = 100
const slots = 20
const rowsMax = 1_000
/** Until the work that a commit triggers has ended. */
const settleMs = 2_000
const pollMs = 100
/** Time limit, with room for a busy machine. */
const workMsMax = 600_000

/** Returns the usage since the last call. */
type DrainUsage = () => UsageByName

export async function measureUsage(
  service: Reelsmith,
  directory: string,
  drainUsage: DrainUsage,
): Promise<UsageFigures> {
  const seeded = await seed(directory)
  const library = await seedVideos(100)
  const routes = await measureRoutes(service.baseUrl, library, drainUsage)
  console.log('requests counted')
  const sweep = await measureSweep(service, drainUsage)
  const firedSlots = await measureSlots(drainUsage)
  // Deletes their pending work, which would be counted in the next measurements.
  for (const Key of await listDue(secondsAfter(now(), 400 * 24 * 60 * 60), rowsMax))
    await table.send(new DeleteCommand({ TableName: tableName(), Key }))
  console.log('sweeps and slots counted')
  service.resume()
  await drainSettledUsage(drainUsage)

  const target = { ...seeded, baseUrl: service.baseUrl }
  const videos = await measureVideo(target, drainUsage)
  return { routes, sweep, slots: firedSlots, ...videos, deliveries: await measureDeliveries(drainUsage) }
}

/** Without the sweeper and the bench itself, which run in the background. */
async function drainSettledUsage(drainUsage: DrainUsage): Promise<UsageByName> {
  await delay(settleMs)
  const { 'workers/sweep': _, 'usage.ts': __, ...used } = drainUsage()
  return used
}

async function request(target: { baseUrl: string; apiKey: string }, method: string, path: string, body?: object) {
  const response = await fetch(`${target.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${target.apiKey}`, prefer: 'wait=0' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} responded with ${response.status}: ${text}`)
  return JSON.parse(text)
}

async function measureRoutes(
  baseUrl: string,
  { apiKey, videoIds }: { apiKey: string; videoIds: string[] },
  drainUsage: DrainUsage,
): Promise<UsageFigures['routes']> {
  const probes: Record<string, [method: string, path: string, body?: object]> = {
    'read a record': ['GET', `/videos/${videoIds[0]}`],
    'read a list': ['GET', '/videos?limit=50'],
    'search a list': ['GET', '/videos?limit=50&search=bread'],
    'read the account': ['GET', ''],
    'change a record': ['PATCH', `/videos/${videoIds[1]}`, { title: 'Calm mornings' }],
    'begin a video': ['POST', '/videos', { prompt: 'An idea' }],
  }
  const routes: UsageFigures['routes'] = {}
  for (const [name, probe] of Object.entries(probes)) {
    // Warm-up, without the calls of a cold start.
    await request({ baseUrl, apiKey }, ...probe)
    drainUsage()
    for (let sent = 0; sent < requestsEach; sent++) await request({ baseUrl, apiKey }, ...probe)
    const { 'usage.ts': _, ...used } = drainUsage()
    routes[name] = { requests: requestsEach, used }
  }
  return routes
}

async function measureSweep(service: Reelsmith, drainUsage: DrainUsage): Promise<UsageFigures['sweep']> {
  await service.sweep()
  drainUsage()
  for (let tick = 0; tick < idleTicks; tick++) await service.sweep()
  return { ticks: idleTicks, used: drainUsage() }
}

/**
 * The decision of due slots, and the number of rows that it adds to the outbox: posts and next clips are measured
 * separately.
 */
async function measureSlots(drainUsage: DrainUsage): Promise<UsageFigures['slots']> {
  const [workspaceId] = await seedAutomations(slots, true)
  const automations = await listAutomations(workspaceId!, { limit: slots, offset: 0 })
  const runDueSlot = await loadHandler('workers/run-due-slot')
  drainUsage()
  for (const { id } of automations) await runDueSlot({ workspaceId, automationId: id } as never, {} as never)
  const { 'workers/run-due-slot': used } = drainUsage()
  if (!used) throw new Error('No slot was decided.')
  const outboxRows = (await outboxOf(workspaceId!)).length
  return { count: automations.length, outboxRows, used: { 'workers/run-due-slot': used } }
}

async function outboxOf(workspaceId: string): Promise<Key[]> {
  const { Items = [] } = await table.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': keys.outbox(workspaceId, '').pk, ':prefix': outboxPrefix },
      ConsistentRead: true,
    }),
  )
  return Items.map(({ pk, sk }) => ({ pk, sk }))
}

type BenchTarget = Seed & { baseUrl: string }

/** One video of a minute: generated, then rendered, then published to every platform. */
async function measureVideo(target: BenchTarget, drainUsage: DrainUsage) {
  const { workspaceId } = target
  drainUsage()
  const { data } = await request(target, 'POST', '/videos', { text, voiceId: 'en-clara', aspectRatio: '9:16' })
  const stored = async () => (await getWorkspace(workspaceId)).storageUsedBytes
  const generated = await untilEnded(workspaceId, data.id, ({ process }) => process)
  console.log('a video generated')
  const generation = {
    seconds: generated.durationSeconds!,
    storedBytes: await stored(),
    used: await drainSettledUsage(drainUsage),
  }

  await request(target, 'POST', `/videos/${data.id}/render`)
  const { durationSeconds, media } = await untilEnded(workspaceId, data.id, ({ render }) => render)
  const storedBytes = (await stored()) - generation.storedBytes
  const measured = { seconds: durationSeconds!, filmBytes: media.bytes!, storedBytes }
  console.log('rendered')
  const render = { ...measured, used: await drainSettledUsage(drainUsage) }

  const post = { platforms: platforms.map(({ id }) => id), caption: 'Calm mornings #reelsmith' }
  await request(target, 'POST', `/videos/${data.id}/publish`, post)
  await untilEnded(workspaceId, data.id, ({ publish }) => publish)
  console.log('published')
  const publication = { accounts: post.platforms.length, used: await drainSettledUsage(drainUsage) }
  const jobs = { generate: generation, render, publish: publication }
  for (const [machine, { used }] of Object.entries(jobs))
    if (used[`pipelines/${machine}/begin`]?.runs !== 1)
      throw new Error(`The usage is not that of exactly one ${machine} run.`)
  return { generation, render, publication }
}

/** Reads the table directly, so that no API request is counted. */
async function untilEnded(workspaceId: string, videoId: string, jobOf: (video: Video) => { status: string } | null) {
  for (const until = performance.now() + workMsMax; performance.now() < until; await delay(pollMs)) {
    const video = await getVideo(workspaceId, videoId)
    const job = jobOf(video)
    if (job?.status === 'COMPLETED') return video
    if (job && !['QUEUED', 'PROCESSING'].includes(job.status)) throw new Error(`The job failed: ${JSON.stringify(job)}`)
  }
  throw new Error(`The job of ${videoId} did not end within ${workMsMax / 1000} s.`)
}

/** Events of a workspace with one endpoint that responds immediately. */
async function measureDeliveries(drainUsage: DrainUsage): Promise<UsageFigures['deliveries']> {
  let count = 0
  const receiver = createServer((incoming, response) => {
    incoming.resume()
    count += 1
    response.end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  const { workspaceId } = await seedWorkspace([`http://127.0.0.1:${port}/`])
  await drainSettledUsage(drainUsage)
  for (let committed = 0; committed < events; committed++) await commitEvent(workspaceId)
  for (const until = performance.now() + workMsMax; count < events && performance.now() < until; ) await delay(pollMs)
  const used = await drainSettledUsage(drainUsage)
  receiver.close()
  return { count, used }
}
