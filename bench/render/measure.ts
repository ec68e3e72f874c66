/** Measures a command with all its children: wall time, CPU time and memory. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'

export interface CommandTiming {
  wallSeconds: number
  cpuSeconds: number
  output: string
}

/** By `time` of bash, which includes all children that the command waits for. */
export function measureCommand(command: readonly string[]): Promise<CommandTiming> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', 'TIMEFORMAT="%R %U %S"; time "$@"', 'bash', ...command])
    let [output, log] = ['', '']
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (log += chunk))
    child.on('close', (code) => {
      const [wall, user, system] = (log.trim().split('\n').at(-1) ?? '').split(' ').map(Number)
      if (code !== 0) reject(new Error(`${command.join(' ')} exited with code ${code}: ${log}`))
      else resolve({ wallSeconds: wall!, cpuSeconds: user! + system!, output })
    })
  })
}

/**
 * For a command that does not wait for all its children, such as a browser: samples the CPU time of the process tree
 * ten times a second. The last tenth of a second of a process is not counted.
 */
export async function measureProcessTree(command: readonly string[]): Promise<Omit<CommandTiming, 'output'>> {
  const startedAt = performance.now()
  const child = spawn(command[0]!, command.slice(1), { stdio: ['ignore', 'ignore', 'inherit'] })
  const ticks = new Map<number, number>()
  const sample = () => {
    for (const pid of processTreeOf(child.pid!)) {
      // After the name in brackets: fields 12 and 13 are user and system time, in ticks.
      const fields = fieldOf(`/proc/${pid}/stat`, /^.*\) (.*)$/s).split(' ')
      if (fields.length > 12) ticks.set(pid, Number(fields[11]) + Number(fields[12]))
    }
  }
  const timer = setInterval(sample, 100)
  const [code] = await once(child, 'close')
  clearInterval(timer)
  if (code !== 0) throw new Error(`${command.join(' ')} exited with code ${code}`)
  const cpuTicks = ticks.values().reduce((sum, one) => sum + one, 0)
  return { wallSeconds: (performance.now() - startedAt) / 1000, cpuSeconds: cpuTicks / ticksPerSecond }
}
const ticksPerSecond = 100

/** The largest sum of proportional set sizes (shared pages counted once) of the command and its children, in MB. */
export async function peakMegabytes(command: readonly string[]): Promise<number> {
  const child = spawn(command[0]!, command.slice(1), { stdio: ['ignore', 'ignore', 'inherit'] })
  let peak = 0
  const timer = setInterval(() => {
    const kilobytes = processTreeOf(child.pid!).reduce((sum, pid) => sum + proportionalKilobytes(pid), 0)
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
  const isInTree = (pid: number): boolean => pid === root || (parents.has(pid) && isInTree(parents.get(pid)!))
  return [...parents.keys()].filter(isInTree)
}

const proportionalKilobytes = (pid: number) => Number(fieldOf(`/proc/${pid}/smaps_rollup`, /^Pss:\s+(\d+)/m))

function fieldOf(file: string, pattern: RegExp): string {
  try {
    return pattern.exec(readFileSync(file, 'utf8'))?.[1] ?? '0'
  } catch {
    // The process has ended.
    return '0'
  }
}
