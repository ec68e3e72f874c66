/**
 * `npm run test:upgrades`: an earlier version and this one take turns on one data directory. Each starts runs and is killed
 * in the middle of them; the other one finishes them. `-- COMMIT` selects the earlier version. It uses the packages of this one.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { VideoResource } from '../../lib/contract/resources/index.ts'
import {
  type ApiCredentials,
  callApiOf,
  type ServiceProcess,
  startServiceProcess,
  temporaryDataDirectory,
} from '../pipelines/service-process.ts'
import { respondWithStatus, startTestReceiver } from '../support/receiver.ts'
import { storeResult } from '../support/results.ts'

/** Before replays of events, keys with scopes and revisions. No version is tagged yet. */
const defaultCommit = 'cf265f79'
const commit = process.argv[2] ?? defaultCommit
const root = join(import.meta.dirname, '../..')
const startedAt = performance.now()

const earlier = mkdtempSync(join(tmpdir(), 'reelsmith-earlier-'))
execFileSync('git', ['clone', '--quiet', '--no-checkout', root, earlier])
execFileSync('git', ['checkout', '--quiet', commit], { cwd: earlier })
symlinkSync(join(root, 'node_modules'), join(earlier, 'node_modules'))

const { directory, remove } = temporaryDataDirectory()
const receiver = await startTestReceiver()
const arrived = () =>
  receiver.posts.map(({ body }) => JSON.parse(String(body)) as { event: string; data: Data; sequence: number })
interface Data {
  video?: { id: string }
}

const events = ['video.created', 'video.generation_completed', 'video.render_completed']
/** All runs that were started, by the version that did. */
const videos: string[] = []

interface Automation {
  id: string
}

/** A render, a script, an edit, deliveries that fail at first, and in the first turn an automation. */
async function startWork(run: ServiceProcess['runtime'], turn: number): Promise<void> {
  receiver.answering = respondWithStatus(500)
  const call = <Result>(method: string, path: string, body?: unknown) => callApiOf<Result>(run, method, path, body)
  if (turn === 0) {
    await call('POST', '/webhooks', { url: `${receiver.url}/hook`, events })
    const automation = await call<Automation>('POST', '/automations', { text: 'Calm mornings begin in the evening.' })
    await call('PATCH', `/automations/${automation.id}`, { profileId: run.profileId, platforms: ['bluesky'] })
  }
  const brief = { text: `Turn ${turn} of the calm mornings begins in the evening.`, process: { render: true } }
  const { id } = await call<VideoResource>('POST', '/videos', brief)
  const [rendered] = videos
  if (rendered) {
    await call('POST', `/videos/${rendered}/script`, {})
    await call('PATCH', `/videos/${id}`, { title: `Turn ${turn}` })
  }
  videos.push(id)
  await delay(1_500)
}

const minutesMax = 4

async function until(what: string, isDone: () => Promise<boolean>, service: ServiceProcess): Promise<void> {
  for (const end = Date.now() + minutesMax * 60_000; !(await isDone()); await delay(500))
    if (Date.now() > end)
      throw new Error(`Not within ${minutesMax} minutes: ${what}.\n${service.output().slice(-3_000)}`)
}

const ofAll = (run: ApiCredentials) =>
  Promise.all(videos.map((id) => callApiOf<VideoResource>(run, 'GET', `/videos/${id}`)))

/** The runs of the version before end well, and its deliveries arrive. */
async function finishWork(service: ServiceProcess): Promise<void> {
  receiver.answering = respondWithStatus(200)
  const { runtime } = service
  const isOpen = (job: { status: string } | null) => job?.status === 'QUEUED' || job?.status === 'PROCESSING'
  const rest = async () => {
    const found = await ofAll(runtime)
    return found.every(({ process, render }) => !isOpen(process) && !isOpen(render))
  }
  await until('all runs end', rest, service)
  const failed = (await ofAll(runtime)).filter(({ status }) => status !== 'ready')
  if (failed.length > 0)
    throw new Error(`Not ready: ${JSON.stringify(failed.map(({ id, process, render }) => ({ id, process, render })))}`)
  const pending = async () =>
    (await callApiOf<unknown[]>(runtime, 'GET', '/webhooks/deliveries?status=pending')).length === 0
  await until('all deliveries end', pending, service)
}

/** Whether the automation has a clip that waits for its slot, made by whichever version. */
const isArmed = async (run: ApiCredentials): Promise<boolean> => {
  const [automation] = await callApiOf<Automation[]>(run, 'GET', '/automations')
  const clips = await callApiOf<VideoResource[]>(run, 'GET', `/videos/${automation!.id}/clips`)
  return clips.filter(({ publish }) => publish?.status === 'SCHEDULED').length === 1
}

function lostEvents(): string[] {
  const seen = new Set(arrived().map(({ event, data }) => `${event} ${data.video?.id}`))
  return videos.flatMap((id) => events.map((event) => `${event} ${id}`)).filter((event) => !seen.has(event))
}

const turns: [name: string, checkout: string][] = [
  [commit, earlier],
  ['this version', root],
  [commit, earlier],
  ['this version', root],
]
try {
  for (const [turn, [name, checkout]] of turns.entries()) {
    const service = await startServiceProcess(directory, {}, checkout)
    if (turn > 0) await finishWork(service)
    const isLast = turn === turns.length - 1
    console.log(
      `${name}: ${turn === 0 ? 'starts' : `has finished ${videos.length} videos, and starts`} ${isLast ? 'nothing' : 'more'}`,
    )
    if (!isLast) {
      await startWork(service.runtime, turn)
      await service.kill()
      continue
    }
    await until('the automation has a clip', () => isArmed(service.runtime), service)
    await service.stop()
  }
  const lost = lostEvents()
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  console.log(
    `${turns.length - 1} switches, ${videos.length} videos, ${arrived().length} deliveries, ${lost.length} events lost, ${seconds} s`,
  )
  for (const event of lost) console.log(`lost: ${event}`)
  const figures = {
    from: commit,
    switches: turns.length - 1,
    runs: videos.length,
    failed: 0,
    lost: lost.length,
    seconds,
  }
  storeResult('upgrades', `npm run test:upgrades -- ${commit}`, { ...figures, events: arrived().length })
  process.exitCode = lost.length > 0 ? 1 : 0
} finally {
  await receiver.stop()
  remove()
  rmSync(earlier, { recursive: true, force: true })
}
