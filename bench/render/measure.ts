/** What a command takes: wall and CPU of it and all its children, and the memory they hold together. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'

export interface CommandTiming {
  wallSeconds: number
  cpuSeconds: number
  output: string
}

/** The shell waits for the command, and the command for its children: so `time` counts them all. */
export function measureCommand(command: readonly string[]): Promise<CommandTiming> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', 'TIMEFORMAT="%R %U %S"; time "$@"', 'bash', ...command])
    let [output, log] = ['', '']
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (log += chunk))
    child.on('close', (code) => {
      const [wall, user, system] = (log.trim().split('\n').at(-1) ?? '').split(' ').map(Number)
      if (code !== 0) reject(new Error(`${command.join(' ')} ended with ${code}: ${log}`))
      else resolve({ wallSeconds: wall!, cpuSeconds: user! + system!, output })
    })
  })
}

/**
 * The same for a command whose children are not all waited for, as those of a browser: their CPU time is read from outside, ten
 * times a second. What a process does in its last tenth of a second is lost.
 */
export async function measureProcessTree(command: readonly string[]): Promise<Omit<CommandTiming, 'output'>> {
  const began = performance.now()
  const child = spawn(command[0]!, command.slice(1), { stdio: ['ignore', 'ignore', 'inherit'] })
  const ticks = new Map<number, number>()
  const look = () => {
    for (const pid of processTreeOf(child.pid!)) {
      // After the name in brackets: state, parent, … and as 12th and 13th the time in user and system mode.
      const fields = fieldOf(`/proc/${pid}/stat`, /^.*\) (.*)$/s).split(' ')
      if (fields.length > 12) ticks.set(pid, Number(fields[11]) + Number(fields[12]))
    }
  }
  const timer = setInterval(look, 100)
  const [code] = await once(child, 'close')
  clearInterval(timer)
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}`)
  const cpuTicks = ticks.values().reduce((sum, one) => sum + one, 0)
  return { wallSeconds: (performance.now() - began) / 1000, cpuSeconds: cpuTicks / ticksPerSecond }
}
const ticksPerSecond = 100

/** The largest sum of proportional set sizes (shared pages counted once) of the command and its children, in MB. */
export async function peakMegabytes(command: readonly string[]): Promise<number> {
  const child = spawn(command[0]!, command.slice(1), { stdio: ['ignore', 'ignore', 'inherit'] })
  let peak = 0
  const timer = setInterval(() => {
    const kilobytes = processTreeOf(child.pid!).reduce((sum, pid) => sum + heldBy(pid), 0)
    peak = Math.max(peak, kilobytes / 1024)
  }, 100)
  await new Promise((done) => child.once('close', done))
  clearInterval(timer)
  return Math.round(peak)
}

function processTreeOf(root: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (/^\d+$/.test(name)) parents.set(Number(name), Number(fieldOf(`/proc/${name}/status`, /^PPid:\s+(\d+)/m)))
  }
  const isOfFamily = (pid: number): boolean => pid === root || (parents.has(pid) && isOfFamily(parents.get(pid)!))
  return [...parents.keys()].filter(isOfFamily)
}

const heldBy = (pid: number) => Number(fieldOf(`/proc/${pid}/smaps_rollup`, /^Pss:\s+(\d+)/m))

function fieldOf(file: string, pattern: RegExp): string {
  try {
    return pattern.exec(readFileSync(file, 'utf8'))?.[1] ?? '0'
  } catch {
    // It ended while we looked.
    return '0'
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
