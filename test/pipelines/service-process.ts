/** A separate local run as a child process, as `npm start` makes it: it can be killed. */
import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { VideoResource } from '../../lib/contract/resources/index.ts'
import { findRuntime, type Runtime } from '../../local/runtime.ts'
import { createClient } from '../../packages/client/index.js'

const root = join(import.meta.dirname, '../..')

export interface ServiceProcess {
  runtime: Runtime
  /** Like a power failure. */
  kill: () => Promise<void>
  stop: () => Promise<void>
  /** Its output so far, including its tasks. */
  output: () => string
}

/** Where a data directory needs no disk: the database then takes half the time. It holds renders, so it needs room. */
const memoryBytesMin = 2 ** 30
const scratch = (): string => {
  const memory = '/dev/shm'
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > memoryBytesMin ? memory : tmpdir()
}

export function temporaryDataDirectory(): { directory: string; remove: () => void } {
  const directory = mkdtempSync(join(scratch(), 'reelsmith-run-'))
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) }
}

/** Sizes of the stored objects of a video, by the part of their name that identifies the kind. */
export const storedObjects = (directory: string, videoId: string): { kind: string; bytes: number }[] =>
  globSync(`s3/**/${videoId}/*/*._S3rver_object`, { cwd: directory }).map((file) => ({
    kind: file.split('/').at(-2)!,
    bytes: statSync(join(directory, file)).size,
  }))

/** The providers of a developer: a test chooses its own. */
const withoutProviders = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !/^(?:PROVIDERS$|MAKERS$|OPENAI_)/.test(name)))

/** `environment` is what a developer might set before `npm start`; `checkout` is that of another version. */
export async function startServiceProcess(
  directory: string,
  environment: Record<string, string> = {},
  checkout = root,
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(checkout, 'local/main.ts')], {
    cwd: checkout,
    env: {
      ...withoutProviders(process.env),
      DATA_DIR: directory,
      PORT: '0',
      TIME_SCALE: '20',
      POWERTOOLS_LOG_LEVEL: 'WARN',
      LOG: 'json',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const exited = new Promise<void>((done) => child.once('exit', () => done()))
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await exited
  }
  for (let waited = 0; waited < 60_000 && child.exitCode === null; waited += 20) {
    const runtime = findRuntime(directory)
    if (runtime?.pid === child.pid && runtime)
      return { runtime, kill: () => end('SIGKILL'), stop: () => end('SIGTERM'), output: () => output }
    await delay(20)
  }
  throw new Error(`The local run did not start: ${output.slice(-2000)}`)
}

/** The URL and the key to call it with. */
export type ApiCredentials = Pick<Runtime, 'baseUrl' | 'apiKey'>

/** Calls the API of a run. */
export async function callApiOf<Data>(
  { baseUrl, apiKey }: ApiCredentials,
  method: string,
  path: string,
  body?: unknown,
): Promise<Data> {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { Authorization: `Bearer ${apiKey}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as { data: Data }
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
  return answer.data
}

/** Polling costs time of the work that is waited for: this interval is short enough. */
export const pollMs = 200
/** For short waits. */
export const fastPollMs = 20

/** Waits for a condition on a video, nearly as long as a test may take. */
export const waitForVideo = (
  { baseUrl, apiKey }: ApiCredentials,
  id: string,
  wanted: (video: VideoResource) => boolean,
  everyMs = pollMs,
): Promise<VideoResource> =>
  createClient({ baseUrl, apiKey, sleep: () => delay(everyMs) }).waitFor(id, { until: wanted, timeoutMs: 85_000 })

/** Runs an operator's command against the run of a directory. */
export const runAdmin = <Result>(directory: string, ...words: string[]): Promise<Result> =>
  runAdminWithInput<Result>(directory, '', ...words)

/** The same for a command that reads a secret from standard input. */
export async function runAdminWithInput<Result>(directory: string, input: string, ...words: string[]): Promise<Result> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(root, 'scripts/admin.ts'), ...words, '--json'],
    {
      env: { ...process.env, DATA_DIR: directory },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  // Most commands read nothing, and may exit before their input is written.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  await new Promise<void>((done) => child.once('close', () => done()))
  return JSON.parse(output)
}
