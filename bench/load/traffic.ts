/** The traffic of a load run: each request is sent at its time, without waiting for earlier responses (open loop). */
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { SeededWorkspace } from '../seed-videos.ts'
import { poissonArrivals, type RequestSample } from './statistics.ts'

const timeoutMs = 30_000

/** A body that is a string is sent as it is. */
export type Call = [method: string, path: string, body?: object | string]
/** Request classes by name. `share`: percentage of the requests. */
export type TrafficMix = Record<string, { share: number; call: (library: SeededWorkspace, turn: number) => Call }>

/** No class starts a generation: see `bench:generate`. */
const ordinaryMix: TrafficMix = {
  'read a record': { share: 40, call: (library, turn) => ['GET', `/videos/${videoOf(library, turn)}`] },
  'read a list': { share: 20, call: () => ['GET', '/videos?limit=20'] },
  'search a list': { share: 5, call: () => ['GET', '/videos?limit=20&search=bread'] },
  'read what is fixed': { share: 10, call: (_, turn) => ['GET', turn % 2 ? '/voices' : '/platforms'] },
  'change a record': {
    share: 20,
    call: (library, turn) => ['PATCH', `/videos/${videoOf(library, turn)}`, { title: `Calm mornings ${turn}` }],
  },
  'make a record': {
    share: 5,
    call: (_, turn) => ['POST', '/uploads', { fileName: `film-${turn}.mp4`, contentType: 'video/mp4', bytes: 1_000 }],
  },
}
export const requestClasses = Object.keys(ordinaryMix)
export const videoOf = ({ videoIds }: SeededWorkspace, turn: number) => videoIds[(turn * 7) % videoIds.length]!
/** The shares of a mix sum up to 100. */
const sequenceLength = 100
/** Every class by its share, interleaved evenly: the stride of 37 is coprime with 100. */
function classSequence(mix: TrafficMix): (turn: number) => string {
  const names = Object.entries(mix).flatMap(([name, { share }]) => Array.from({ length: share }, () => name))
  return (turn) => names[(turn * 37) % sequenceLength]!
}

/** Samples by request class, and the maximal number of open requests. */
export interface Traffic {
  samples: Map<string, RequestSample[]>
  openAtMost: number
}

export interface TrafficOptions {
  baseUrl: string
  libraries: readonly SeededWorkspace[]
  perSecond: number
  seconds: number
  /** Must differ between runs of one service: otherwise the titles would not change. */
  firstTurn: number
  mix?: TrafficMix
}

/** Rotates through the workspaces and waits for all responses. */
export async function sendTraffic({
  baseUrl,
  libraries,
  perSecond,
  seconds,
  firstTurn,
  mix = ordinaryMix,
}: TrafficOptions): Promise<Traffic> {
  const samples = new Map(Object.keys(mix).map((name) => [name, [] as RequestSample[]]))
  const classOf = classSequence(mix)
  // No limit of connections: a request that waits for one would not load the service.
  const agent = new Agent({ keepAlive: true })
  let [open, openAtMost] = [0, 0]
  const sendOne = async (turn: number, at: number) => {
    // Shifted by one with each round of classes, so that every workspace gets all of them.
    const library = libraries[(turn + Math.floor(turn / sequenceLength)) % libraries.length]!
    const name = classOf(turn)
    openAtMost = Math.max(openAtMost, ++open)
    const sentLateMs = performance.now() - at
    const { error } = await send(agent, baseUrl, library.apiKey, mix[name]!.call(library, turn))
    open -= 1
    samples.get(name)!.push({ ms: performance.now() - at, sentLateMs, error })
  }
  const from = performance.now()
  const sent: Promise<void>[] = []
  for (const [index, after] of poissonArrivals(seconds * perSecond, perSecond).entries()) {
    const at = from + after
    await waitUntil(at)
    sent.push(sendOne(firstTurn + index, at))
  }
  await Promise.all(sent)
  agent.destroy()
  return { samples, openAtMost }
}

/** Loops, since a timer may fire up to a millisecond early. */
export async function waitUntil(at: number): Promise<void> {
  for (let left = at - performance.now(); left > 0; left = at - performance.now()) await delay(left)
}

/** `status` is 0 without a response. */
interface Answer {
  status: number
  error: string | undefined
}

/** Resolves after the last byte of the response. */
export function send(agent: Agent, baseUrl: string, apiKey: string, [method, path, body]: Call): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const text = typeof body === 'object' ? JSON.stringify(body) : body
  const headers = { authorization: `Bearer ${apiKey}`, ...(text && { 'content-length': Buffer.byteLength(text) }) }
  const fail = (error: NodeJS.ErrnoException) => resolve({ status: 0, error: error.code ?? error.name })
  const signal = AbortSignal.timeout(timeoutMs)
  const clientRequest = request(`${baseUrl}${path}`, { method, headers, agent, signal }, (response) => {
    const { statusCode = 0 } = response
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () => {
      const error = statusCode < 300 ? undefined : `${statusCode} ${codeIn(Buffer.concat(chunks).toString())}`
      resolve({ status: statusCode, error })
    })
    response.on('error', fail)
  })
  clientRequest.on('error', fail)
  clientRequest.end(text)
  return promise
}

const codeIn = (body: string): string => /"code":\s*"([^"]+)"/.exec(body)?.[1] ?? 'without a code'
