/**
 * `npm run mutants`: runs the simulator on every mutant until a promise breaks, at most 500 seeds, and fails on one that
 * survives or whose line is no longer in the code. `MUTANT=text` selects those whose description contains it.
 */
import './environment.ts'
import { storeResult } from '../support/results.ts'
import { bundleService, StaleMutant } from './bundle.ts'
import { type Mutant, mutants } from './mutants.ts'
import { runSeeds } from './parallel.ts'

const { MUTANT = '', SEEDS = '500' } = process.env

interface Outcome {
  mutant: Mutant
  /** The first seed that broke a promise, and which; undefined for a survivor. */
  killed?: { seed: number; invariant: string }
  stale?: string
}

async function run(mutant: Mutant): Promise<Outcome> {
  try {
    let killed: Outcome['killed']
    await runSeeds({
      from: 1,
      count: Number(SEEDS),
      code: await bundleService(mutant),
      onResult: ({ seed, violations }) => {
        const [first] = violations
        if (first && (!killed || seed < killed.seed)) killed = { seed, invariant: first.invariant }
        return !first
      },
    })
    return { mutant, ...(killed && { killed }) }
  } catch (error) {
    const stale = messagesOf(error).find((text) => text.includes('does not have exactly once'))
    if (stale || error instanceof StaleMutant) return { mutant, stale: stale ?? String(error) }
    // A change that cannot be built or run shows nothing about promises.
    return { mutant, stale: `it does not run: ${(error as Error).message.slice(0, 80)}` }
  }
}

/** A plugin's error is one of the messages of the build. */
const messagesOf = (error: unknown): string[] => [
  String(error),
  ...((error as { errors?: { text: string }[] }).errors ?? []).map(({ text }) => text),
]

const startedAt = performance.now()
const outcomes: Outcome[] = []
for (const mutant of mutants.filter(({ breaks, file }) => `${breaks} ${file}`.includes(MUTANT))) {
  const outcome = await run(mutant)
  outcomes.push(outcome)
  const { killed, stale } = outcome
  const state = stale
    ? `STALE (${stale})`
    : killed
      ? `killed by ${killed.invariant} at seed ${killed.seed}`
      : 'SURVIVED'
  console.log(`${state.padEnd(28)} ${mutant.breaks} (${mutant.file})`)
}
const survivors = outcomes.filter(({ killed }) => !killed)
const seconds = Math.round((performance.now() - startedAt) / 1000)
console.log(
  `${outcomes.length - survivors.length} of ${outcomes.length} mutants killed within ${SEEDS} seeds, ${seconds} s`,
)
const figures = outcomes.map(({ mutant: { file, breaks }, killed }) => ({ file, breaks, ...killed }))
storeResult('mutants', `SEEDS=${SEEDS} npm run mutants`, figures)
process.exitCode = survivors.length > 0 ? 1 : 0
