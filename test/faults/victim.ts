/** The local run that faults are injected into: a separate process with its table, on a data directory of its own. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, globSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type ServiceProcess, startServiceProcess, temporaryDataDirectory } from '../pipelines/service-process.ts'

export interface Victim {
  readonly directory: string
  /** Why the disk cannot be filled, if so. */
  readonly unlimited: string | undefined
  current: () => ServiceProcess
  /** What all its processes have written. */
  output: () => string
  /** Starts it again where it has ended. */
  revive: () => Promise<void>
  kill: () => Promise<void>
  freeze: (ms: number) => Promise<void>
  killTable: () => Promise<void>
  /** The table stands still again and again, as on a disk that is busy. */
  slowTable: (times: number, ms: number) => Promise<void>
  fillDisk: (ms: number) => Promise<void>
  /** Ahead of the machine's clock. */
  setClock: (aheadSeconds: number) => Promise<void>
  /** Damages a stored object: its file and its size before, or undefined where there is none yet. */
  damage: (
    how: 'truncated' | 'flipped',
    random: (below: number) => number,
  ) => { file: string; bytes: number } | undefined
  end: () => Promise<void>
  /** Where this process fails. */
  endAtOnce: () => void
}

const diskBytes = 400 * 2 ** 20

/** A small file system where the user may mount one. */
function limitDisk(directory: string): string | undefined {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes},mode=700`, 'tmpfs', directory], { stdio: 'pipe' })
    return undefined
  } catch {
    return 'The disk is not filled: only root may mount a small one.'
  }
}

function appendUntilFull(file: string, chunk: Uint8Array): void {
  try {
    for (;;) appendFileSync(file, chunk)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`)

/** The process of the table, a child of the service. */
function tableProcess(servicePid: number): number | undefined {
  const found = globSync('/proc/[0-9]*/stat').find((file) => {
    try {
      const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(file, 'utf8'))!
      return name!.startsWith('dynoxide') && Number(parent) === servicePid
    } catch {
      return false
    }
  })
  return found === undefined ? undefined : Number(found.split('/')[2])
}

/** For a process that may have ended. */
function signal(pid: number | undefined, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(pid, name)
  } catch {
    // It has ended.
  }
}

export async function startVictim(): Promise<Victim> {
  const { directory, remove } = temporaryDataDirectory()
  const unlimited = limitDisk(directory)
  const clockFile = join(directory, 'clock-offset')
  writeFileSync(clockFile, '0')
  const environment = {
    CLOCK_OFFSET_FILE: clockFile,
    NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import=${join(import.meta.dirname, 'jumping-clock.ts')}`,
  }
  const services = [await startServiceProcess(directory, environment)]
  const current = () => services.at(-1)!
  const pid = () => current().runtime.pid
  const pause = async (target: number | undefined, ms: number) => {
    signal(target, 'SIGSTOP')
    await delay(ms)
    signal(target, 'SIGCONT')
  }
  const removeAll = () => {
    // Lazily: its processes may still be ending.
    if (!unlimited) execFileSync('umount', ['--lazy', directory])
    remove()
  }
  const victim: Victim = {
    directory,
    unlimited,
    current,
    output: () => services.map(({ output }) => output()).join('\n'),
    revive: async () => {
      if (!isAlive(pid())) services.push(await startServiceProcess(directory, environment))
    },
    kill: async () => {
      await current().kill()
      await victim.revive()
    },
    freeze: (ms) => pause(pid(), ms),
    killTable: async () => signal(tableProcess(pid()), 'SIGKILL'),
    slowTable: async (times, ms) => {
      for (let time = 0; time < times; time++) {
        await pause(tableProcess(pid()), ms)
        await delay(ms / 4)
      }
    },
    fillDisk: async (ms) => {
      const ballast = join(directory, 'ballast')
      for (const chunk of [2 ** 20, 2 ** 12]) appendUntilFull(ballast, Buffer.alloc(chunk))
      await delay(ms)
      rmSync(ballast)
      await victim.revive()
    },
    setClock: async (aheadSeconds) => {
      writeFileSync(clockFile, String(aheadSeconds))
      signal(pid(), 'SIGUSR2')
    },
    damage: (how, random) => {
      const files = globSync(`s3/**/{narrations,visuals,scripts,segments}/*._S3rver_object`, { cwd: directory })
      if (files.length === 0) return undefined
      const file = join(directory, files[random(files.length)]!)
      const bytes = readFileSync(file)
      if (how === 'truncated') truncateSync(file, bytes.length >> 1)
      else {
        bytes[bytes.length >> 1]! ^= 0x55
        writeFileSync(file, bytes)
      }
      return { file, bytes: bytes.length }
    },
    end: async () => {
      await current().stop()
      removeAll()
    },
    endAtOnce: () => {
      signal(pid(), 'SIGKILL')
      removeAll()
    },
  }
  return victim
}
