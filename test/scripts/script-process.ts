/** Runs a command of `scripts/` as a person would, in a separate process. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Client, createClient } from '../../packages/client/index.js'
import type { ServiceProcess } from '../pipelines/service-process.ts'

/** The client of the workspace that the first run has made. */
export const firstWorkspaceClient = ({ runtime: { baseUrl, apiKey } }: Pick<ServiceProcess, 'runtime'>): Client =>
  createClient({ baseUrl, apiKey })

export interface ScriptProcess {
  pid: number
  /** Its output so far. */
  output: () => string
  errors: () => string
  interrupt: () => void
  kill: () => void
  /** Its exit code; null where a signal ended it. */
  ended: Promise<number | null>
}

/** `directory` is its DATA_DIR, its home and where it writes files; it is killed when the test is over. */
export function spawnScript(name: string, words: string[], directory: string): ScriptProcess {
  const file = join(import.meta.dirname, '../../scripts', name)
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...words], {
    cwd: directory,
    env: {
      ...process.env,
      DATA_DIR: directory,
      PORT: '0',
      TIME_SCALE: '20',
      NO_COLOR: '1',
      XDG_CONFIG_HOME: directory,
      XDG_STATE_HOME: directory,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (errors += chunk))
  const ended = new Promise<number | null>((done) => child.once('close', done))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    pid: child.pid!,
    output: () => output,
    errors: () => errors,
    interrupt: () => child.kill('SIGINT'),
    kill: () => child.kill('SIGKILL'),
    ended,
  }
}
