/** Finds the local run, or starts one for the duration of a command. */

import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createDataDirectory } from '../../local/data-directory.ts'
import { dataDirectory, findRuntime, type Runtime } from '../../local/runtime.ts'

const startTimeoutMs = 60_000

export interface LocalService {
  runtime: Runtime
  /** Whether this command started it and will stop it. */
  startedHere: boolean
  /** Stops the service if this command started it. */
  release: () => Promise<void>
}

/** The running local run. Throws an error with the command to start one. */
export function findLocalService(): Runtime {
  const directory = resolve(dataDirectory())
  const running = findRuntime(directory)
  if (running) return running
  throw new Error(`No local run uses ${directory}. Start it in another terminal, with the same DATA_DIR: npm start`)
}

/** The service logs to `service.log` in the data directory. If it does not start, the error has the last lines of the log. */
export async function ensureLocalService(): Promise<LocalService> {
  const directory = resolve(dataDirectory())
  const running = findRuntime(directory)
  if (running) return { runtime: running, startedHere: false, release: async () => {} }

  createDataDirectory(directory)
  const logFile = join(directory, 'service.log')
  const output = openSync(logFile, 'w')
  const service = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../../local/main.ts')],
    {
      stdio: ['ignore', output, output],
      // A free port, because the default may be in use. The time scale shortens the waits for platforms.
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
  for (let waited = 0; waited < startTimeoutMs; waited += 50) {
    const runtime = findRuntime(directory)
    if (runtime?.pid === service.pid && runtime)
      return { runtime, startedHere: true, release: () => stop(service, ended) }
    if (service.exitCode !== null) break
    await delay(50)
  }
  service.kill()
  const lastLines = readFileSync(logFile, 'utf8').trim().split('\n').slice(-5).join('\n')
  throw new Error(`The local service did not start:\n${lastLines}`)
}

/** The process may have ended already: Ctrl-C reaches every process of the terminal. */
async function stop(service: ChildProcess, ended: Promise<void>): Promise<void> {
  service.kill('SIGTERM')
  await ended
}
