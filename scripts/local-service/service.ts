/** Finds the local run, and starts it for the time of one command that wants it so. */

import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { dataDirectory, findRuntime, type Runtime } from '../../local/runtime.ts'

const startMsMax = 60_000

export interface LocalService {
  runtime: Runtime
  /** Whether it ends with this command. */
  startedHere: boolean
  /** Stops it, where this command started it. */
  release: () => Promise<void>
}

/** The local run that is up; an Error says how to start it where there is none. */
export function findLocalService(): Runtime {
  const directory = resolve(dataDirectory())
  const running = findRuntime(directory)
  if (running) return running
  throw new Error(`No local run of ${directory} is up. Start it in another terminal, with the same DATA_DIR: npm start`)
}

/** Its output goes to `service.log` in the data directory; where it cannot start, the error shows the end of that. */
export async function ensureLocalService(): Promise<LocalService> {
  const directory = resolve(dataDirectory())
  const running = findRuntime(directory)
  if (running) return { runtime: running, startedHere: false, release: async () => {} }

  mkdirSync(directory, { recursive: true })
  const logFile = join(directory, 'service.log')
  const output = openSync(logFile, 'w')
  const service = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../../local/main.ts')],
    {
      stdio: ['ignore', output, output],
      // A port of its own: the usual one may be taken by another data directory. And nobody wants to wait as for real platforms.
      env: {
        ...process.env,
        DATA_DIR: directory,
        PORT: process.env.PORT ?? '0',
        TIME_SCALE: process.env.TIME_SCALE ?? '10',
      },
    },
  )
  closeSync(output)
  const ended = new Promise<void>((done) => service.once('exit', () => done()))
  for (let waited = 0; waited < startMsMax; waited += 50) {
    const runtime = findRuntime(directory)
    if (runtime?.pid === service.pid && runtime)
      return { runtime, startedHere: true, release: () => stop(service, ended) }
    if (service.exitCode !== null) break
    await delay(50)
  }
  service.kill()
  const words = readFileSync(logFile, 'utf8').trim().split('\n').slice(-5).join('\n')
  throw new Error(`The local service did not start:\n${words}`)
}

/** It may have ended already: a Ctrl-C reaches every process of the terminal. */
async function stop(service: ChildProcess, ended: Promise<void>): Promise<void> {
  service.kill('SIGTERM')
  await ended
}
