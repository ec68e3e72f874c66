/**
 * `npm run bench:load`: reads and writes of 50 workspaces over HTTP on the local stack, for two minutes: how fast each class of routes
 * answers, what fails, and whether the service's memory grows. Requests come at random moments and do not wait for one another (an open
 * loop), and are timed from the moment at which they were to be sent: a service that stands still is told by all that come meanwhile. The
 * last line is one JSON object. LOAD_SECONDS and LOAD_PER_SECOND change the load.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { localEnvironment } from '../local/environment.ts'
import type { Figures } from './figures.ts'
import type { LoadServiceMessage, MemorySample } from './load/service.ts'
import { countErrors, percentile, type RequestSample, slopePerMinute, summarize } from './load/statistics.ts'
import { requestClasses, sendTraffic, type Traffic, type TrafficOptions } from './load/traffic.ts'
import { startBench } from './result-files.ts'
import type { SeededWorkspace } from './seed-videos.ts'

const load = {
  workspaces: 50,
  videosEach: 40,
  warmUpSeconds: 20,
  seconds: Number(process.env.LOAD_SECONDS ?? 100),
  perSecond: Number(process.env.LOAD_PER_SECOND ?? 50),
}
/** Between them the load pauses, and what the service holds is looked at. */
const parts = 5
/** After it nothing waits any more for what the last requests were given. */
const settleMs = 3_000

process.env.POWERTOOLS_LOG_LEVEL ??= 'SILENT'
const end = await startBench('load')
// In memory where there is such a place: what is measured is the work, not a disk.
const directory = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'reelsmith-bench-'))
// V8 throws code away that was long not used, some megabytes at an odd moment: that would hide what grows.
const execArgv = ['--expose-gc', '--no-flush-bytecode']
const service = fork(join(import.meta.dirname, 'load/service.ts'), [directory], { execArgv })
const ended = once(service, 'exit')
try {
  const { baseUrl, endpoints } = await answer<Extract<LoadServiceMessage, { baseUrl: string }>>()
  Object.assign(process.env, localEnvironment(endpoints, { platformUrls: {} }))
  // Only now: it reads the environment.
  const { seedVideos: newLibrary } = await import('./seed-videos.ts')
  const libraries: SeededWorkspace[] = []
  while (libraries.length < load.workspaces) libraries.push(await newLibrary(load.videosEach))
  const figures = await measure({ baseUrl, libraries, perSecond: load.perSecond })
  console.table({ ...figures.classes, all: figures.all })
  end(figures)
} finally {
  if (service.exitCode === null) service.send('stop')
  await ended
  rmSync(directory, { recursive: true, force: true })
}

async function answer<Message extends LoadServiceMessage>(): Promise<Message> {
  const gone = ended.then(([code]) => {
    throw new Error(`The service ended with ${code}.`)
  })
  const [message] = await Promise.race([once(service, 'message'), gone])
  return message
}

async function held(): Promise<MemorySample> {
  await delay(settleMs)
  service.send('tell')
  return answer<MemorySample>()
}

async function measure(order: Omit<TrafficOptions, 'seconds' | 'firstTurn'>): Promise<Figures['load']> {
  const warmUp = { ...order, seconds: load.warmUpSeconds, firstTurn: 0 }
  await sendTraffic(warmUp)
  const memorySamples = [await held()]
  const traffic: Traffic[] = []
  let firstTurn = load.warmUpSeconds * load.perSecond
  for (let part = 0; part < parts; part++) {
    traffic.push(await sendTraffic({ ...order, seconds: load.seconds / parts, firstTurn }))
    firstTurn += (load.seconds / parts) * load.perSecond
    memorySamples.push(await held())
  }
  // The pauses between take next to nothing.
  const cpuShare = (memorySamples.at(-1)!.cpuMs - memorySamples[0]!.cpuMs) / 1000 / load.seconds
  return { load, ...summarizeTraffic(traffic), memory: memoryOf(memorySamples), service: { cpuShare } }
}

function summarizeTraffic(traffic: readonly Traffic[]) {
  const of = (name: string): RequestSample[] => traffic.flatMap(({ answers }) => answers.get(name) ?? [])
  const all = requestClasses.flatMap(of)
  return {
    classes: Object.fromEntries(requestClasses.map((name) => [name, summarize(of(name))])),
    all: summarize(all),
    errors: countErrors(all),
    sentLateMs: percentile(
      all.map((one) => one.sentLateMs),
      99,
    ),
    openAtMost: Math.max(...traffic.map(({ openAtMost }) => openAtMost)),
  }
}

/** A minute is one of load: between its parts there is none. */
function memoryOf(looks: readonly MemorySample[]): Figures['load']['memory'] {
  const megabytes = (bytes: number) => bytes / 1024 / 1024
  const heldMegabytes = looks.map(({ heldBytes }) => megabytes(heldBytes))
  const samples = heldMegabytes.map((value, part) => ({ at: (part * load.seconds * 1000) / parts, value }))
  return {
    heldMegabytes,
    heldMegabytesPerMinute: slopePerMinute(samples),
    rssMegabytes: { first: megabytes(looks[0]!.rssBytes), last: megabytes(looks.at(-1)!.rssBytes) },
  }
}
