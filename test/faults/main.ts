/**
 * `npm run test:faults`: the local run as a process of its own, with clients at work, is killed, stopped and restarted,
 * and its table, disk, objects and clock fail; then it has to come to rest, and keep every promise. `KILLS` sets the
 * number of kills, `SEED` what happens when.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { now } from '../../lib/clock.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { eventTypes } from '../../lib/domain/records/event.ts'
import { hashApiKey, mintApiKey } from '../../lib/domain/workspaces/api-key.ts'
import type { PlanId } from '../../lib/domain/workspaces/plan.ts'
import { createWorkspace } from '../../lib/domain/workspaces/workspace.ts'
import { createApiKey } from '../../lib/store/api-keys.ts'
import { listDue } from '../../lib/store/due-index.ts'
import { putWorkspace } from '../../lib/store/workspaces.ts'
import { localEnvironment } from '../../local/environment.ts'
import { startTestReceiver } from '../support/receiver.ts'
import { storeResult } from '../support/results.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { judge } from './promises.ts'
import { act, type Customer, createdBy, lookBack, newRequest, send } from './traffic.ts'
import { startVictim } from './victim.ts'

const { SEED = '1', KILLS = '40' } = process.env
const random = seededRandom(Number(SEED))
const startedAt = performance.now()
const receiver = await startTestReceiver()
const victim = await startVictim()
process.once('uncaughtExceptionMonitor', () => victim.endAtOnce())
const { runtime } = victim.current()
// The store of this process uses the table of the other, before its first request.
Object.assign(process.env, localEnvironment(runtime.endpoints, runtime))
const baseUrl = () => victim.current().runtime.baseUrl
if (victim.unlimited) console.log(victim.unlimited)

const customer = (fields: Pick<Customer, 'workspaceId' | 'apiKey' | 'profileId'>, planId: PlanId) => ({
  ...fields,
  planId,
  sent: [],
  videos: [],
  parentOf: new Map(),
  deleted: new Set<string>(),
})

async function newWorkspace(planId: PlanId) {
  const [workspaceId, apiKey] = [mintId('wsp', now()), mintApiKey()]
  const mediaSecret = randomBytes(16).toString('hex')
  await putWorkspace(
    createWorkspace({ id: workspaceId, name: 'Faults', planId, organizationId: null, mediaSecret }, now()),
  )
  const key = {
    id: mintId('key', now()),
    workspaceId,
    name: 'faults',
    scope: 'admin' as const,
    hash: hashApiKey(apiKey),
  }
  await createApiKey({ ...key, lastFour: apiKey.slice(-4), createdAt: now(), revokedAt: null })
  return customer({ workspaceId, apiKey, profileId: undefined }, planId)
}

const customers = [customer(runtime, 'self-hosted'), await newWorkspace('starter')]
/** Of the webhook endpoints, by id. */
const secrets = new Map<string, string>()
for (const { apiKey, workspaceId } of customers) {
  const request = newRequest(workspaceId, 'POST /webhooks', { url: `${receiver.url}/hook`, events: eventTypes })
  const { body } = await send(() => ({ baseUrl: baseUrl(), apiKey }), request)
  secrets.set(createdBy(request)!, (body.data as { secret: string }).secret)
}

let isTrafficOver = false
const failures: unknown[] = []
/** Two for each workspace. */
const clients = [...customers, ...customers].map(async (one) => {
  while (!isTrafficOver) {
    await act(one, baseUrl, random).catch((error) => failures.push(error))
    await delay(100 + random(900))
  }
})

const injected: Record<string, number> = {}
const damaged = new Map<string, number>()
let aheadSeconds = 0
let aheadMax = 0

async function jump(seconds: number): Promise<void> {
  aheadSeconds += seconds
  aheadMax = Math.max(aheadMax, aheadSeconds)
  await victim.setClock(aheadSeconds)
}

function damage(how: 'truncated' | 'flipped') {
  return async () => {
    const found = victim.damage(how, random)
    if (!found) return false
    damaged.set(found.file, damaged.get(found.file) ?? found.bytes)
  }
}

/** Each beside the kills, in turn. A fault that finds nothing to break returns false. */
const others: Record<string, () => Promise<unknown>> = {
  'process stopped for seconds (SIGSTOP)': () => victim.freeze(1_000 + random(3_000)),
  'table killed (SIGKILL)': () => victim.killTable(),
  'object truncated': damage('truncated'),
  'slow disk (table stopped repeatedly)': () => victim.slowTable(5, 600),
  'clock an hour ahead': () => jump(3_600),
  'object with flipped bits': damage('flipped'),
  'clock half an hour back': () => jump(-1_800),
  ...(!victim.unlimited && { 'disk full': () => victim.fillDisk(2_000) }),
}

async function inject(name: string, fault: () => Promise<unknown>): Promise<void> {
  if ((await fault()) !== false) injected[name] = (injected[name] ?? 0) + 1
}

const otherFaults = Object.entries(others)
for (let kill = 0; kill < Number(KILLS); kill++) {
  await delay(300 + random(2_500))
  if (kill % 2 === 1) {
    const [name, fault] = otherFaults[(kill >> 1) % otherFaults.length]!
    await inject(name, fault)
    await victim.revive()
    await delay(200 + random(1_500))
  }
  await inject('process killed (SIGKILL)', victim.kill)
  if (kill % 10 === 9) console.log(`${kill + 1} kills, ${Math.round((performance.now() - startedAt) / 1000)} s`)
}

isTrafficOver = true
await Promise.all(clients)
// What was due at the latest of its times is due again; later passes over deleted files follow one by one.
const restMsMax = 300_000
let due: Awaited<ReturnType<typeof listDue>> = []
let isOver = false
await jump(aheadMax - aheadSeconds)
for (const endsAt = performance.now() + restMsMax; !isOver && performance.now() < endsAt; await delay(5_000)) {
  due = await listDue('9999', 100)
  isOver = due.length === 0
  if (!isOver) await jump(300)
}
for (const row of due) console.log(`Still due: ${JSON.stringify(row)}`)
for (const one of customers) await lookBack(one, baseUrl)

const platformPosts = new URL('/__sandbox/posts?platform=bluesky', victim.current().runtime.endpoints.sandbox)
const { posts: published } = (await (await fetch(platformPosts)).json()) as {
  posts: { caption?: string; text?: string }[]
}
const verdict = await judge({
  directory: victim.directory,
  customers,
  received: receiver.posts,
  secrets,
  logs: victim.output().split('\n'),
  published: published.map(({ caption, text }) => caption ?? text ?? ''),
  damaged,
  aheadSeconds,
  isOver,
})
const { lost, doubled, accepted } = verdict
const broken = [...verdict.broken, ...failures.map(String)]
for (const line of [...lost, ...doubled, ...broken]) console.log(line)
const seconds = Math.round((performance.now() - startedAt) / 1000)
console.log(`Faults: ${JSON.stringify(injected)}`)
console.log(
  `${KILLS} kills, ${accepted} accepted requests, ${receiver.posts.length} deliveries: ${lost.length} lost, ` +
    `${doubled.length} doubled, ${broken.length} broken promises, ${seconds} s`,
)
storeResult('faults', `KILLS=${KILLS} SEED=${SEED} npm run test:faults`, {
  ...{ runs: Number(KILLS), injected, accepted, lost: lost.length, doubled: doubled.length },
  ...{ broken: broken.length, seconds },
})
process.exitCode = lost.length + doubled.length + broken.length > 0 ? 1 : 0
if (process.env.KEEP) console.log(`The service still runs in ${victim.directory}.`)
else await victim.end()
await receiver.stop()
