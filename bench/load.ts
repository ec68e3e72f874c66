/**
 * `npm run bench:load`: reads and writes of 50 workspaces over HTTP at a steady rate on the local stack, for about a minute: how fast each
 * class of routes answers, what fails, and whether the service's memory grows. Requests begin at their time whether or not those before
 * have ended, and are timed from then. The last line is one JSON object. LOAD_SECONDS and LOAD_PER_SECOND change the load.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { environment } from '../local/environment.ts'
import type { BenchLibrary } from './library.ts'
import { type Answered, rowOf, type Sample, slopePerMinute } from './load/figures.ts'
import type { LoadServiceMessage } from './load/service.ts'

const load = {
  workspaces: 50,
  videosEach: 40,
  warmUpSeconds: 15,
  seconds: Number(process.env.LOAD_SECONDS ?? 60),
  perSecond: Number(process.env.LOAD_PER_SECOND ?? 40),
}
const timeoutMs = 30_000

type Call = [method: string, path: string, body?: object]
/** Of a hundred requests, so many are of a class. Nothing is generated: that is `bench:generate`. */
const mix: Record<string, { share: number; call: (library: BenchLibrary, turn: number) => Call }> = {
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
const videoOf = ({ videoIds }: BenchLibrary, turn: number) => videoIds[(turn * 7) % videoIds.length]!
/** Every class as often as its share, and evenly: classes stand at a distance that has no divisor in common with a hundred. */
const turns = Object.entries(mix).flatMap(([name, { share }]) => Array.from({ length: share }, () => name))
const classOf = (turn: number) => turns[(turn * 37) % turns.length]!

process.env.POWERTOOLS_LOG_LEVEL ??= 'SILENT'
// In memory where there is such a place: what is measured is the work, not a disk.
const directory = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'reelsmith-bench-'))
const service = fork(join(import.meta.dirname, 'load/service.ts'), [directory], { execArgv: ['--expose-gc'] })
const ended = once(service, 'exit')
const memory: Sample[] = []
const started = Promise.withResolvers<Extract<LoadServiceMessage, { baseUrl: string }>>()
service.on('message', (message: LoadServiceMessage) => {
  if ('rssBytes' in message) memory.push({ at: performance.now(), value: message.rssBytes })
  else if ('baseUrl' in message) started.resolve(message)
})
/** What the service holds when all garbage is collected: the rest of its memory is room that it took once. */
async function heldBytes(): Promise<number> {
  service.send('collect')
  for (;;) {
    const [message] = (await once(service, 'message')) as [LoadServiceMessage]
    if ('heapBytes' in message) return message.heapBytes
  }
}
service.on('exit', (code) => started.reject(new Error(`The service ended with ${code}.`)))
const agent = new Agent({ keepAlive: true, maxSockets: load.workspaces })
try {
  const { baseUrl, endpoints } = await started.promise
  Object.assign(process.env, environment(endpoints, { platformUrls: {} }))
  // Only now: it reads the environment.
  const { newLibrary } = await import('./library.ts')
  const libraries: BenchLibrary[] = []
  while (libraries.length < load.workspaces) libraries.push(await newLibrary(load.videosEach))

  await run(baseUrl, libraries, load.warmUpSeconds)
  const heldBefore = await heldBytes()
  const from = performance.now()
  const answers = await run(baseUrl, libraries, load.seconds)
  const seconds = (performance.now() - from) / 1000
  const heldAfter = await heldBytes()
  const measured = memory.filter(({ at }) => at > from)

  const classes = Object.fromEntries(Object.keys(mix).map((name) => [name, rowOf(answers.get(name)!)]))
  const all = rowOf([...answers.values()].flat())
  console.table({ ...classes, all })
  const megabytes = (bytes: number) => Math.round(bytes / 1024 / 102.4) / 10
  const rss = {
    firstMegabytes: megabytes(measured[0]!.value),
    lastMegabytes: megabytes(measured.at(-1)!.value),
    slopeMegabytesPerMinute: megabytes(slopePerMinute(measured)),
  }
  const held = { beforeMegabytes: megabytes(heldBefore), afterMegabytes: megabytes(heldAfter) }
  const machine = { cpus: cpus().length, model: cpus()[0]?.model.trim(), node: process.version }
  const perSecond = Math.round((all.requests / seconds) * 10) / 10
  console.log(JSON.stringify({ bench: 'load', machine, load, perSecond, classes, all, rss, held }))
  process.exitCode = all.errors > 0 ? 1 : 0
} finally {
  agent.destroy()
  if (service.exitCode === null) service.send('stop')
  await ended
  rmSync(directory, { recursive: true, force: true })
}

/** Each request in the next workspace, at its time. */
async function run(
  baseUrl: string,
  libraries: readonly BenchLibrary[],
  seconds: number,
): Promise<Map<string, Answered[]>> {
  const answers = new Map(Object.keys(mix).map((name) => [name, [] as Answered[]]))
  const open: Promise<void>[] = []
  const from = performance.now()
  for (let turn = 0; turn < seconds * load.perSecond; turn++) {
    const at = from + (turn * 1000) / load.perSecond
    await delay(Math.max(at - performance.now(), 0))
    // One further with each round of classes, so that every workspace sees all of them.
    const library = libraries[(turn + Math.floor(turn / turns.length)) % libraries.length]!
    const name = classOf(turn)
    open.push(
      ask(baseUrl, library.apiKey, mix[name]!.call(library, turn)).then((status) => {
        answers.get(name)!.push({ ms: performance.now() - at, status })
      }),
    )
  }
  await Promise.all(open)
  return answers
}

/** The status of the answer when its last byte has come. */
function ask(baseUrl: string, apiKey: string, [method, path, body]: Call): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const text = body && JSON.stringify(body)
  const headers = { authorization: `Bearer ${apiKey}`, ...(text && { 'content-length': Buffer.byteLength(text) }) }
  const asked = request(`${baseUrl}${path}`, { method, headers, agent, timeout: timeoutMs }, (answer) => {
    answer.resume()
    answer.on('end', () => resolve(answer.statusCode ?? 0))
    answer.on('error', () => resolve(0))
  })
  asked.on('timeout', () => asked.destroy(new Error('No answer in time.')))
  asked.on('error', () => resolve(0))
  asked.end(text)
  return promise
}
