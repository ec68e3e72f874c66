/**
 * The stored results of the instruments that break things: one file `test/results/NAME.json` each, the source of
 * docs/proof.md (`npm run proof`). An instrument stores its figures only with `RESULTS=1`, at the end of a whole run.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'

/** How often each fault of an instrument was injected, by its name. */
export type Injected = Record<string, number>

/** A stored result may contain further figures. */
export interface ProofFigures {
  /** `npm run simulate`; `broken`: seeds with a broken promise. */
  simulator: {
    from: number
    seeds: number
    broken: number
    calls: number
    crashes: number
    faults: Injected
    seconds: number
  }
  /** `npm run mutants`: one row a mutant, with the first seed and the invariant that killed it; none: it survived. */
  mutants: { file: string; breaks: string; seed?: number; invariant?: string }[]
  /** Mutants of `lib/domain`, drawn by the seed, against its tests. */
  'domain-mutants': { seed: number; mutants: number; killed: number; seconds: number }
  /** `npm run test:model`; `commands` by name. */
  model: {
    seed: number
    sequences: number
    length: number
    commands: Record<string, number>
    answers: Record<string, number>
    requests: number
    events: number
    differences: number
    seconds: number
  }
  /** `npm run test:faults`: requests that were accepted, and what of them was lost or happened twice. */
  faults: {
    runs: number
    injected: Injected
    accepted: number
    lost: number
    doubled: number
    broken: number
    seconds: number
  }
  /** `npm run test:upgrades`: from a commit to this version, back, and again; each time with runs in flight. */
  upgrades: {
    from: string
    switches: number
    runs: number
    failed: number
    events: number
    lost: number
    seconds: number
  }
  /** `npm run fuzz`. */
  fuzz: { seed: number; calls: number; answers: Record<string, number>; isClean: boolean; seconds: number }
  /** Suites with a fixed number of cases. */
  kill: SuiteFigures
  publish: SuiteFigures
  schedule: SuiteFigures
}

export interface SuiteFigures {
  tests: number
  failed: number
  seconds: number
}

export type ProofName = keyof ProofFigures

export interface StoredResult<Figures> {
  /** As a reader would repeat it, with its settings: `npm run simulate`, `SEEDS=2000 npm run test:model`. */
  command: string
  /** UTC, as `2026-11-23`. */
  date: string
  machine: string
  node: string
  figures: Figures
}

const fileOf = (name: ProofName) => join(import.meta.dirname, '../results', `${name}.json`)

/** Does nothing without `RESULTS=1`. */
export function storeResult<Name extends ProofName>(name: Name, command: string, figures: ProofFigures[Name]): void {
  if (process.env.RESULTS !== '1') return
  const result: StoredResult<ProofFigures[Name]> = {
    command,
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} x ${cpus()[0]?.model.trim()}`,
    node: process.version,
    figures,
  }
  mkdirSync(join(fileOf(name), '..'), { recursive: true })
  writeFileSync(fileOf(name), `${JSON.stringify(result, null, 2)}\n`)
  console.log(`Stored test/results/${name}.json. \`npm run proof\` shows it in docs/proof.md.`)
}

export const readStoredResult = <Name extends ProofName>(name: Name): StoredResult<ProofFigures[Name]> | undefined =>
  existsSync(fileOf(name)) ? JSON.parse(readFileSync(fileOf(name), 'utf8')) : undefined
