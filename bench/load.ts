/**
 * `npm run bench:load`: reads and writes of 50 workspaces over HTTP on the local stack for two minutes: latency of each
 * request class, errors, and growth of the service's memory. Open loop: arrivals are a Poisson process, and latency
 * counts from the scheduled send time, so that a stalled service affects all requests during the stall (no coordinated
 * omission). `-- hostility` measures a hostile workspace beside ordinary ones instead (`load/hostility.ts`), with
 * `--quick` in one round of 10 s in place of three of 45 s. The last line of output is one JSON object. LOAD_SECONDS and
 * LOAD_PER_SECOND change the load.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { localEnvironment } from '../local/environment.ts'
import type { Figures } from './figures.ts'
import type { LoadServiceMessage, MemorySample } from './load/service.ts'
import { countErrors, percentile, type RequestSample, slopePerMinute, summarize } from './load/statistics.ts'
import { requestClasses, sendTraffic, type Traffic, type TrafficOptions } from './load/traffic.ts'
import { namesFromArguments, startBench } from './result-files.ts'
import { createScratchDirectory } from './scratch.ts'
import type { SeededWorkspace } from './seed-videos.ts'

const load = {
  workspaces: 50,
  videosEach: 40,
  warmUpSeconds: 20,
  seconds: Number(process.env.LOAD_SECONDS ?? 100),
  perSecond: Number(process.env.LOAD_PER_SECOND ?? 50),
}
const isQuick = process.argv.includes('--quick')
const hostility = isQuick ? { rounds: 1, seconds: 10 } : { rounds: 3, seconds: 45 }
const isHostility = namesFromArguments().includes('hostility')
/** Between the parts the load pauses, and memory is measured. */
const parts = 5
/** Until the work of the last requests has ended. */
const settleMs = 3_000

process.env.POWERTOOLS_LOG_LEVEL ??= 'SILENT'
const directory = createScratchDirectory()
// V8 discards unused bytecode, some megabytes at a time, which would hide growth.
const execArgv = ['--expose-gc', '--no-flush-bytecode']
const service = fork(join(import.meta.dirname, 'load/service.ts'), [directory], { execArgv })
const ended = once(service, 'exit')
try {
  const { baseUrl, endpoints, platformUrls } = await nextMessage<Extract<LoadServiceMessage, { baseUrl: string }>>()
  Object.assign(process.env, localEnvironment(endpoints, { platformUrls }))
  // Imported after the environment is set.
  const { seedVideos } = await import('./seed-videos.ts')
  const { measureHostility } = await import('./load/hostility.ts')
  if (isHostility) {
    const end = await startBench('hostility')
    const figures = await measureHostility({ baseUrl, ...hostility, sampleMemory })
    console.log(JSON.stringify(figures, null, 2))
    end(figures)
  } else {
    const end = await startBench('load')
    const libraries: SeededWorkspace[] = []
    while (libraries.length < load.workspaces) libraries.push(await seedVideos(load.videosEach))
    const figures = await measure({ baseUrl, libraries, perSecond: load.perSecond })
    console.table({ ...figures.classes, all: figures.all })
    end(figures)
  }
} finally {
  if (service.exitCode === null) service.send('stop')
  await ended
  rmSync(directory, { recursive: true, force: true })
}

async function nextMessage<Message extends LoadServiceMessage>(): Promise<Message> {
  const exited = ended.then(([code]) => {
    throw new Error(`The service exited with code ${code}.`)
  })
  const [message] = await Promise.race([once(service, 'message'), exited])
  return message
}

async function sampleMemory(): Promise<MemorySample> {
  await delay(settleMs)
  service.send('tell')
  return nextMessage<MemorySample>()
}

async function measure(options: Omit<TrafficOptions, 'seconds' | 'firstTurn'>): Promise<Figures['load']> {
  const warmUp = { ...options, seconds: load.warmUpSeconds, firstTurn: 0 }
  await sendTraffic(warmUp)
  const memorySamples = [await sampleMemory()]
  const traffic: Traffic[] = []
  let firstTurn = load.warmUpSeconds * load.perSecond
  for (let part = 0; part < parts; part++) {
    traffic.push(await sendTraffic({ ...options, seconds: load.seconds / parts, firstTurn }))
    firstTurn += (load.seconds / parts) * load.perSecond
    memorySamples.push(await sampleMemory())
  }
  // The pauses between the parts take almost no CPU time.
  const cpuShare = (memorySamples.at(-1)!.cpuMs - memorySamples[0]!.cpuMs) / 1000 / load.seconds
  return { load, ...summarizeTraffic(traffic), memory: memoryOf(memorySamples), service: { cpuShare } }
}

function summarizeTraffic(traffic: readonly Traffic[]) {
  const of = (name: string): RequestSample[] => traffic.flatMap(({ samples }) => samples.get(name) ?? [])
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

/** Growth per minute of load, without the pauses. */
function memoryOf(memorySamples: readonly MemorySample[]): Figures['load']['memory'] {
  const megabytes = (bytes: number) => bytes / 1024 / 1024
  const heldMegabytes = memorySamples.map(({ heldBytes }) => megabytes(heldBytes))
  const samples = heldMegabytes.map((value, part) => ({ at: (part * load.seconds * 1000) / parts, value }))
  return {
    heldMegabytes,
    heldMegabytesPerMinute: slopePerMinute(samples),
    rssMegabytes: { first: megabytes(memorySamples[0]!.rssBytes), last: megabytes(memorySamples.at(-1)!.rssBytes) },
  }
}
