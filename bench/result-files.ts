/**
 * Start and end of every bench: records date, machine and load, and prints the result as one line of JSON. `npm run
 * bench:NAME -- keep` also writes it to bench/results/NAME.json, the source of the pages of `npm run benchmarks` and
 * `npm run cost`.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFfmpeg } from '../lib/ffmpeg/binary.ts'
import type { BenchName, Figures } from './figures.ts'

export interface BenchResult<Measured> {
  command: string
  /** UTC, as `2026-11-21`. */
  date: string
  machine: string
  node: string
  ffmpeg: string
  /** Whether the machine was idle before the start. */
  quiet: boolean
  /** Number of measurements, where figures are medians. */
  rounds?: number
  figures: Measured
}

const fileOf = (name: BenchName) => join(import.meta.dirname, 'results', `${name}.json`)
const commands: Partial<Record<BenchName, string>> = {
  remotion: 'npm run compare --prefix bench/remotion',
  hostility: 'npm run bench:load -- hostility',
}
/** CPU utilization below which a machine counts as idle. */
export const idleUtilizationMax = 0.1
const sampleMs = 1_000

/** Samples the CPU utilization of all cores, 0 to 1, for one second. */
export async function cpuUtilization(): Promise<number> {
  const now = () => {
    const all = cpus().flatMap(({ times }) => Object.entries(times))
    const sum = (some: typeof all) => some.reduce((total, [, ms]) => total + ms, 0)
    return { idle: sum(all.filter(([kind]) => kind === 'idle')), all: sum(all) }
  }
  const before = now()
  await delay(sampleMs)
  const after = now()
  return 1 - (after.idle - before.idle) / (after.all - before.all)
}

/** The number of rounds on the command line. */
export const roundsFromArguments = (defaultRounds: number): number =>
  Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? defaultRounds)

/** The arguments that are neither `keep` nor a number. */
export const namesFromArguments = (): string[] =>
  process.argv.slice(2).filter((word) => word !== 'keep' && !/^\d+$/.test(word))

/** Call it before measuring. Returns the function that reports the figures, to be called once. */
export async function startBench<Name extends BenchName>(name: Name) {
  const quiet = (await cpuUtilization()) < idleUtilizationMax
  const ffmpeg = ffmpegVersion()
  return <Measured extends Figures[Name]>(figures: Measured, rounds?: number): void => {
    const result: BenchResult<Measured> = {
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

/** The time of the stored result, in ms since 1970; 0 without one. */
export const resultTime = (name: BenchName): number => statSync(fileOf(name), { throwIfNoEntry: false })?.mtimeMs ?? 0

/** The stored result of a bench. */
export function readResult<Name extends BenchName>(name: Name): BenchResult<Figures[Name]> | undefined {
  return existsSync(fileOf(name)) ? JSON.parse(readFileSync(fileOf(name), 'utf8')) : undefined
}

const ffmpegVersion = (): string =>
  /^ffmpeg version (\S+?)(-static)?\s/.exec(execFileSync(findFfmpeg(), ['-version'], { encoding: 'utf8' }))?.[1] ??
  'unknown'

/** Four significant digits: further ones are noise. */
function rounded<Value>(value: Value): Value {
  const shorter = (one: number) => (Number.isInteger(one) ? one : Number(one.toPrecision(4)))
  return JSON.parse(JSON.stringify(value, (_name, one) => (typeof one === 'number' ? shorter(one) : one)))
}
