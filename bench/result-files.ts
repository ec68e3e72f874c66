/**
 * What every bench begins and ends with: where, when and beside what it was measured, and a line of JSON. `npm run bench:NAME -- keep`
 * also writes that into bench/results/NAME.json, of which `npm run benchmarks` and `npm run cost` write their pages.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFfmpeg } from '../lib/ffmpeg/binary.ts'
import type { BenchName, Figures } from './figures.ts'

export interface BenchResult<Told> {
  command: string
  /** UTC, as `2026-11-21`. */
  date: string
  machine: string
  node: string
  ffmpeg: string
  /** Whether nothing else ran just before it. */
  quiet: boolean
  /** How often it was measured, where a figure is the median of several. */
  rounds?: number
  figures: Told
}

const fileOf = (name: BenchName) => join(import.meta.dirname, 'results', `${name}.json`)
const commands: Partial<Record<BenchName, string>> = { remotion: 'npm run compare --prefix bench/remotion' }
/** Of a machine that does nothing else, at most so much is busy. */
export const idleUtilizationMax = 0.1
const lookMs = 1_000

/** The share of all processors' time that is spent on something, during the next second. */
export async function cpuUtilization(): Promise<number> {
  const now = () => {
    const all = cpus().flatMap(({ times }) => Object.entries(times))
    const sum = (some: typeof all) => some.reduce((total, [, ms]) => total + ms, 0)
    return { idle: sum(all.filter(([kind]) => kind === 'idle')), all: sum(all) }
  }
  const before = now()
  await delay(lookMs)
  const after = now()
  return 1 - (after.idle - before.idle) / (after.all - before.all)
}

/** How many rounds were asked for on the command line. */
export const roundsFromArguments = (usual: number): number =>
  Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? usual)

/** The words of the command line that are neither `keep` nor a number. */
export const namesFromArguments = (): string[] =>
  process.argv.slice(2).filter((word) => word !== 'keep' && !/^\d+$/.test(word))

/** To be called before anything is measured. What it answers is to be called once, with what was measured. */
export async function startBench<Name extends BenchName>(name: Name) {
  const quiet = (await cpuUtilization()) < idleUtilizationMax
  const ffmpeg = ffmpegVersion()
  return <Told extends Figures[Name]>(figures: Told, rounds?: number): void => {
    const result: BenchResult<Told> = {
      command: commands[name] ?? `npm run bench:${name}`,
      date: new Date().toISOString().slice(0, 10),
      machine: `${cpus().length} x ${cpus()[0]?.model.trim()}`,
      node: process.version,
      ffmpeg,
      quiet,
      ...(rounds === undefined ? {} : { rounds }),
      figures: rounded(figures),
    }
    if (process.argv.includes('keep')) {
      mkdirSync(join(fileOf(name), '..'), { recursive: true })
      writeFileSync(fileOf(name), `${JSON.stringify(result, null, 2)}\n`)
    }
    console.log(JSON.stringify(result))
  }
}

/** When something was kept of a bench for the last time, in ms since 1970; 0 where never. */
export const resultTime = (name: BenchName): number => statSync(fileOf(name), { throwIfNoEntry: false })?.mtimeMs ?? 0

/** What was kept of a bench; undefined where nothing was. */
export function readResult<Name extends BenchName>(name: Name): BenchResult<Figures[Name]> | undefined {
  return existsSync(fileOf(name)) ? JSON.parse(readFileSync(fileOf(name), 'utf8')) : undefined
}

const ffmpegVersion = (): string =>
  /^ffmpeg version (\S+?)(-static)?\s/.exec(execFileSync(findFfmpeg(), ['-version'], { encoding: 'utf8' }))?.[1] ??
  'unknown'

/** From the fifth digit on a figure is noise. */
function rounded<Value>(value: Value): Value {
  const shorter = (one: number) => (Number.isInteger(one) ? one : Number(one.toPrecision(4)))
  return JSON.parse(JSON.stringify(value, (_name, one) => (typeof one === 'number' ? shorter(one) : one)))
}
