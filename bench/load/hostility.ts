/**
 * Latency of ordinary traffic, and time of a render, without and with a hostile workspace beside it, in turns, in one run
 * of the service.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Hostility } from '../figures.ts'
import { type SeededWorkspace, seedVideos } from '../seed-videos.ts'
import type { HostileCommand, HostileFigures, HostileMessage } from './hostile-workspace.ts'
import type { MemorySample } from './service.ts'
import { generateVideo, type ServiceClient } from './service-client.ts'
import { countErrors, median, type RequestSample, summarize } from './statistics.ts'
import { sendTraffic, type Traffic, type TrafficMix, videoOf } from './traffic.ts'

interface HostilityOptions {
  baseUrl: string
  /** Each measures without, then with a hostile workspace: what else changes on the machine meets both. */
  rounds: number
  /** Of each measurement. */
  seconds: number
  /** After a garbage collection. */
  sampleMemory: () => Promise<MemorySample>
}

const neighbours = { workspaces: 20, videosEach: 40, perSecond: 20, warmUpSeconds: 5 }

/** Classes by method. The captions belong to a generated video, the last of its library. */
const mix: TrafficMix = {
  'GET /videos/{id}': { share: 40, call: (library, turn) => ['GET', `/videos/${videoOf(library, turn)}`] },
  'GET /videos': { share: 25, call: () => ['GET', '/videos?limit=20'] },
  POST: {
    share: 20,
    call: (_, turn) => ['POST', '/uploads', { fileName: `film-${turn}.mp4`, contentType: 'video/mp4', bytes: 1_000 }],
  },
  PUT: { share: 15, call: ({ videoIds }, turn) => ['PUT', `/videos/${videoIds.at(-1)}/captions`, captions(turn)] },
}
const methods = ['GET', 'POST', 'PUT']

const captions = (turn: number) => ({
  captions: ['calm', 'mornings', String(turn)].map((text, index) => ({
    startMs: 500 * index,
    endMs: 500 * index + 400,
    text,
  })),
})

interface Measurement {
  traffic: Traffic
  /** Seconds from the request to the finished video, one after the other. */
  renders: number[]
}

export async function measureHostility({
  baseUrl,
  rounds,
  seconds,
  sampleMemory,
}: HostilityOptions): Promise<Hostility> {
  const libraries = await seedNeighbours(baseUrl)
  const rendering: ServiceClient = { baseUrl, apiKey: (await seedVideos(0)).apiKey }
  const { perSecond, warmUpSeconds } = neighbours
  let firstTurn = 0
  const send = async (seconds: number) => {
    const traffic = await sendTraffic({ baseUrl, libraries, perSecond, seconds, firstTurn, mix })
    firstTurn += seconds * perSecond
    return traffic
  }
  const measure = async (): Promise<Measurement> => {
    const ending = new AbortController()
    const renders = renderRepeatedly(rendering, ending.signal)
    const traffic = await send(seconds)
    ending.abort()
    return { traffic, renders: await renders }
  }
  const alone: Measurement[] = []
  const beside: Measurement[] = []
  const attacks: HostileFigures[] = []
  const memory: MemorySample[] = []
  await send(warmUpSeconds)
  for (let round = 0; round < rounds; round++) {
    // A new one, whose limits are not used up.
    const hostile = await startHostileWorkspace(baseUrl)
    try {
      alone.push(await measure())
      memory.push(await sampleMemory())
      const [measured, attack] = await Promise.all([measure(), hostile.attack(seconds)])
      beside.push(measured)
      attacks.push(attack)
      memory.push(await sampleMemory())
    } finally {
      hostile.stop()
    }
  }
  return { rounds, seconds, ...compare(alone, beside), memory: memoryOf(memory), hostile: sumOf(attacks) }
}

/** The last video of each library is a generated one, which all its caption requests change. */
async function seedNeighbours(baseUrl: string): Promise<SeededWorkspace[]> {
  const libraries: SeededWorkspace[] = []
  while (libraries.length < neighbours.workspaces) {
    const library = await seedVideos(neighbours.videosEach)
    const videoId = await generateVideo({ baseUrl, apiKey: library.apiKey }, shortVideo('Calm mornings.', false))
    libraries.push({ ...library, videoIds: [...library.videoIds, videoId] })
  }
  return libraries
}

interface HostileWorkspace {
  attack: (seconds: number) => Promise<HostileFigures>
  stop: () => void
}

/** Its process has the environment of this one: it seeds its records itself. */
async function startHostileWorkspace(baseUrl: string): Promise<HostileWorkspace> {
  const child = fork(join(import.meta.dirname, 'hostile-workspace.ts'))
  const ended = once(child, 'exit')
  const ask = async (command: HostileCommand): Promise<HostileMessage> => {
    child.send(command)
    const exited = ended.then(([code]) => {
      throw new Error(`The hostile workspace exited with code ${code}.`)
    })
    const [message] = await Promise.race([once(child, 'message'), exited])
    return message
  }
  await ask({ prepare: baseUrl })
  return {
    attack: async (seconds) => (await ask({ attackSeconds: seconds })) as HostileFigures,
    stop: () => child.disconnect(),
  }
}

const shortVideo = (text: string, render: boolean) => ({ text, imageStyle: 'ai_image', process: { render } })

/** Each text differs, so that nothing is reused. A render that began before the end is included. */
async function renderRepeatedly(client: ServiceClient, signal: AbortSignal): Promise<number[]> {
  const seconds: number[] = []
  while (!signal.aborted) {
    const startedAt = performance.now()
    await generateVideo(client, shortVideo(`Habit number ${renderNumber++} makes mornings calm.`, true))
    seconds.push((performance.now() - startedAt) / 1000)
    await delay(100)
  }
  return seconds
}
let renderNumber = 1

function compare(
  alone: readonly Measurement[],
  beside: readonly Measurement[],
): Pick<Hostility, 'classes' | 'renders' | 'errors'> {
  const samplesOf = (measurements: readonly Measurement[], method: string): RequestSample[] =>
    measurements.flatMap(({ traffic }) =>
      [...traffic.samples].flatMap(([name, samples]) => (name.startsWith(method) ? samples : [])),
    )
  const classes = methods.map((method): [string, Hostility['classes'][string]] => {
    const [without, within] = [summarize(samplesOf(alone, method)), summarize(samplesOf(beside, method))]
    return [method, { alone: without, beside: within, p99Ratio: within.p99Ms / without.p99Ms }]
  })
  const rendersOf = (measurements: readonly Measurement[]) => {
    const seconds = measurements.flatMap(({ renders }) => renders)
    return { renders: seconds.length, medianSeconds: median(seconds) }
  }
  const renders = { alone: rendersOf(alone), beside: rendersOf(beside) }
  return {
    classes: Object.fromEntries(classes),
    renders: { ...renders, ratio: renders.beside.medianSeconds / renders.alone.medianSeconds },
    errors: countErrors(methods.flatMap((method) => [...samplesOf(alone, method), ...samplesOf(beside, method)])),
  }
}

/** Before the first attack, and after the last one. */
function memoryOf(samples: readonly MemorySample[]): Hostility['memory'] {
  const megabytes = (name: 'heldBytes' | 'rssBytes') => ({
    before: samples[0]![name] / 1024 / 1024,
    after: samples.at(-1)![name] / 1024 / 1024,
  })
  return { heldMegabytes: megabytes('heldBytes'), rssMegabytes: megabytes('rssBytes') }
}

function sumOf(attacks: readonly HostileFigures[]): HostileFigures {
  const sum = (countOf: (attack: HostileFigures) => number) =>
    attacks.reduce((total, attack) => total + countOf(attack), 0)
  const statuses = [...new Set(attacks.flatMap((attack) => Object.keys(attack.statuses)))].toSorted()
  return {
    requests: sum(({ requests }) => requests),
    statuses: Object.fromEntries(statuses.map((status) => [status, sum((attack) => attack.statuses[status] ?? 0)])),
    attemptsAtFailingHosts: sum(({ attemptsAtFailingHosts }) => attemptsAtFailingHosts),
  }
}
