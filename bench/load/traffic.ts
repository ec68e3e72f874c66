/** The requests of a load run, and how they are sent: each at its time, whether or not those before have been answered. */
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { SeededWorkspace } from '../seed-videos.ts'
import { poissonArrivals, type RequestSample } from './statistics.ts'

const timeoutMs = 30_000

type Call = [method: string, path: string, body?: object]
/** Of a hundred requests, so many are of a class. Nothing is generated: that is `bench:generate`. */
const mix: Record<string, { share: number; call: (library: SeededWorkspace, turn: number) => Call }> = {
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
export const requestClasses = Object.keys(mix)
const videoOf = ({ videoIds }: SeededWorkspace, turn: number) => videoIds[(turn * 7) % videoIds.length]!
/** Every class as often as its share, and evenly: classes stand at a distance that has no divisor in common with a hundred. */
const classSequence = Object.entries(mix).flatMap(([name, { share }]) => Array.from({ length: share }, () => name))
const classOf = (turn: number) => classSequence[(turn * 37) % classSequence.length]!

/** What was answered, by class, and how many requests waited for their answer at most. */
export interface Traffic {
  answers: Map<string, RequestSample[]>
  openAtMost: number
}

export interface TrafficOptions {
  baseUrl: string
  libraries: readonly SeededWorkspace[]
  perSecond: number
  seconds: number
  /** No two runs of the same service begin with the same turn: titles would not change. */
  firstTurn: number
}

/** Sends each request in the next workspace and waits for all answers. */
export async function sendTraffic({
  baseUrl,
  libraries,
  perSecond,
  seconds,
  firstTurn,
}: TrafficOptions): Promise<Traffic> {
  const answers = new Map(requestClasses.map((name) => [name, [] as RequestSample[]]))
  // As many connections as are needed: a request that waited for one here would not load the service.
  const agent = new Agent({ keepAlive: true })
  let [open, openAtMost] = [0, 0]
  const one = async (turn: number, at: number) => {
    // One further with each round of classes, so that every workspace sees all of them.
    const library = libraries[(turn + Math.floor(turn / classSequence.length)) % libraries.length]!
    const name = classOf(turn)
    openAtMost = Math.max(openAtMost, ++open)
    const sentLateMs = performance.now() - at
    const error = await ask(agent, baseUrl, library.apiKey, mix[name]!.call(library, turn))
    open -= 1
    answers.get(name)!.push({ ms: performance.now() - at, sentLateMs, error })
  }
  const from = performance.now()
  const sent: Promise<void>[] = []
  for (const [index, after] of poissonArrivals(seconds * perSecond, perSecond).entries()) {
    const at = from + after
    await until(at)
    sent.push(one(firstTurn + index, at))
  }
  await Promise.all(sent)
  agent.destroy()
  return { answers, openAtMost }
}

/** A timer may be early by less than a millisecond. */
async function until(at: number): Promise<void> {
  for (let left = at - performance.now(); left > 0; left = at - performance.now()) await delay(left)
}

/** What went wrong with a request, when the last byte of its answer has come. */
function ask(agent: Agent, baseUrl: string, apiKey: string, [method, path, body]: Call): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const text = body && JSON.stringify(body)
  const headers = { authorization: `Bearer ${apiKey}`, ...(text && { 'content-length': Buffer.byteLength(text) }) }
  const fail = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name)
  const signal = AbortSignal.timeout(timeoutMs)
  const asked = request(`${baseUrl}${path}`, { method, headers, agent, signal }, (answer) => {
    const { statusCode = 0 } = answer
    const chunks: Buffer[] = []
    answer.on('data', (chunk: Buffer) => chunks.push(chunk))
    answer.on('end', () =>
      resolve(statusCode < 300 ? undefined : `${statusCode} ${codeIn(Buffer.concat(chunks).toString())}`),
    )
    answer.on('error', fail)
  })
  asked.on('error', fail)
  asked.end(text)
  return promise
}

const codeIn = (body: string): string => /"code":\s*"([^"]+)"/.exec(body)?.[1] ?? 'without a code'
