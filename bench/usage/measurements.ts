/** The measurements of `npm run bench:usage`: each does one kind of work and tells what it took. */
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
/** What a commit wakes has been done by then. */
const settleMs = 2_000
const pollMs = 100
/** Bounds for a machine that is busy otherwise. */
const workMsMax = 600_000

/** What was used since this was asked for the last time. */
type DrainUsage = () => UsageByName

export async function measureUsage(service: Reelsmith, directory: string, taken: DrainUsage): Promise<UsageFigures> {
  const seeded = await seed(directory)
  const library = await seedVideos(100)
  const routes = await measureRoutes(service.baseUrl, library, taken)
  console.log('requests counted')
  const sweep = await measureSweep(service, taken)
  const firedSlots = await measureSlots(taken)
  // What these left to do is not done: it would be counted with what follows.
  for (const Key of await listDue(secondsAfter(now(), 400 * 24 * 60 * 60), rowsMax))
    await table.send(new DeleteCommand({ TableName: tableName(), Key }))
  console.log('sweeps and slots counted')
  service.resume()
  await drainSettledUsage(taken)

  const place = { ...seeded, baseUrl: service.baseUrl }
  const videos = await measureVideo(place, taken)
  return { routes, sweep, slots: firedSlots, ...videos, deliveries: await measureDeliveries(taken) }
}

/** The work that went on beside is not counted: the sweeper's, and this process's own. */
async function drainSettledUsage(taken: DrainUsage): Promise<UsageByName> {
  await delay(settleMs)
  const { 'workers/sweep': _, 'usage.ts': __, ...used } = taken()
  return used
}

async function request(place: { baseUrl: string; apiKey: string }, method: string, path: string, body?: object) {
  const response = await fetch(`${place.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${place.apiKey}`, prefer: 'wait=0' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${answer}`)
  return JSON.parse(answer)
}

async function measureRoutes(
  baseUrl: string,
  { apiKey, videoIds }: { apiKey: string; videoIds: string[] },
  taken: DrainUsage,
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
    // The first one loads what a cold start would.
    await request({ baseUrl, apiKey }, ...probe)
    taken()
    for (let made = 0; made < requestsEach; made++) await request({ baseUrl, apiKey }, ...probe)
    const { 'usage.ts': _, ...used } = taken()
    routes[name] = { requests: requestsEach, used }
  }
  return routes
}

async function measureSweep(service: Reelsmith, taken: DrainUsage): Promise<UsageFigures['sweep']> {
  await service.sweep()
  taken()
  for (let tick = 0; tick < idleTicks; tick++) await service.sweep()
  return { ticks: idleTicks, used: taken() }
}

/** The decision on slots that are due, and how much it leaves to the outbox: their posts and next clips are counted as such. */
async function measureSlots(taken: DrainUsage): Promise<UsageFigures['slots']> {
  const [workspaceId] = await seedAutomations(slots, true)
  const automations = await listAutomations(workspaceId!, { limit: slots, offset: 0 })
  const fire = await loadHandler('workers/run-due-slot')
  taken()
  for (const { id } of automations) await fire({ workspaceId, automationId: id } as never, {} as never)
  const { 'workers/run-due-slot': used } = taken()
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

/** One video of a minute on its way: generated, then rendered, then published to every platform. */
async function measureVideo(place: BenchTarget, taken: DrainUsage) {
  const { workspaceId } = place
  taken()
  const { data } = await request(place, 'POST', '/videos', { text, voiceId: 'en-clara', aspectRatio: '9:16' })
  const stored = async () => (await getWorkspace(workspaceId)).storageUsedBytes
  const generated = await untilEnded(workspaceId, data.id, ({ process }) => process)
  console.log('a video generated')
  const generation = {
    seconds: generated.durationSeconds!,
    storedBytes: await stored(),
    used: await drainSettledUsage(taken),
  }

  await request(place, 'POST', `/videos/${data.id}/render`)
  const { durationSeconds, media } = await untilEnded(workspaceId, data.id, ({ render }) => render)
  const storedBytes = (await stored()) - generation.storedBytes
  const film = { seconds: durationSeconds!, filmBytes: media.bytes!, storedBytes }
  console.log('rendered')
  const render = { ...film, used: await drainSettledUsage(taken) }

  const wish = { platforms: platforms.map(({ id }) => id), caption: 'Calm mornings #reelsmith' }
  await request(place, 'POST', `/videos/${data.id}/publish`, wish)
  await untilEnded(workspaceId, data.id, ({ publish }) => publish)
  console.log('published')
  const publication = { accounts: wish.platforms.length, used: await drainSettledUsage(taken) }
  const begun = { generate: generation, render, publish: publication }
  for (const [machine, { used }] of Object.entries(begun))
    if (used[`pipelines/${machine}/begin`]?.runs !== 1) throw new Error(`Not one ${machine} alone was measured.`)
  return { generation, render, publication }
}

/** Asks the table, so that no request of ours is counted. */
async function untilEnded(workspaceId: string, videoId: string, jobOf: (video: Video) => { status: string } | null) {
  for (const until = performance.now() + workMsMax; performance.now() < until; await delay(pollMs)) {
    const video = await getVideo(workspaceId, videoId)
    const job = jobOf(video)
    if (job?.status === 'COMPLETED') return video
    if (job && !['QUEUED', 'PROCESSING'].includes(job.status)) throw new Error(`It ended badly: ${JSON.stringify(job)}`)
  }
  throw new Error(`Nothing came of ${videoId} in ${workMsMax / 1000} s.`)
}

/** Events of a workspace that one endpoint listens to, which answers at once. */
async function measureDeliveries(taken: DrainUsage): Promise<UsageFigures['deliveries']> {
  let count = 0
  const receiver = createServer((received, answer) => {
    received.resume()
    count += 1
    answer.end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  const { workspaceId } = await seedWorkspace([`http://127.0.0.1:${port}/`])
  await drainSettledUsage(taken)
  for (let told = 0; told < events; told++) await commitEvent(workspaceId)
  for (const until = performance.now() + workMsMax; count < events && performance.now() < until; ) await delay(pollMs)
  const used = await drainSettledUsage(taken)
  receiver.close()
  return { count, used }
}
