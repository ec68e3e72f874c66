/**
 * `npm run test:model`: random sequences of commands against the service and a model of the contract
 * (`test/model`), in as many runs at once as there are processors, each with a service of its own. RESULTS=1 stores the figures.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { StoredOutcome } from '../test/model/run.ts'
import { storeResult } from '../test/support/results.ts'

const usage = 'npm run test:model -- [--seed N] [--sequences N] [--minutes N]'
/** So many in a run, after which the next one begins with an empty table. */
const sequencesPerRun = 100

function options(): { seed: number; sequences: number; minutes: number } {
  try {
    const { values } = parseArgs({
      options: {
        seed: { type: 'string', default: '1' },
        sequences: { type: 'string', default: '2000' },
        // No further hundred begins after them.
        minutes: { type: 'string', default: '60' },
      },
    })
    if (!Object.values(values).every((text) => /^\d{1,9}$/.test(text))) throw new Error('N is a whole number.')
    return { seed: Number(values.seed), sequences: Number(values.sequences), minutes: Number(values.minutes) }
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`)
    process.exit(2)
  }
}

const { seed, sequences, minutes } = options()
const directory = mkdtempSync(join(tmpdir(), 'reelsmith-model-'))
const children = new Set<ReturnType<typeof spawn>>()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    for (const child of children) child.kill(signal)
  })

async function runFrom(first: number, count: number): Promise<{ outcomes: StoredOutcome[]; isGreen: boolean }> {
  const file = join(directory, `${first}.json`)
  const child = spawn('vitest', ['run', '--reporter=dot', 'test/model'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, MODEL_SEED: String(first), MODEL_SEQUENCES: String(count), MODEL_OUTCOMES: file },
  })
  children.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const isGreen = await new Promise<boolean>((resolve) => child.on('close', (code) => resolve(code === 0)))
  children.delete(child)
  if (!isGreen) console.log(output)
  const outcomes = JSON.parse(readFileSync(file, 'utf8')) as StoredOutcome[]
  return { outcomes, isGreen }
}

function sumOf(counts: Record<string, number>[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const [name, times] of counts.flatMap(Object.entries)) sums[name] = (sums[name] ?? 0) + times
  return Object.fromEntries(Object.entries(sums).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const startedAt = performance.now()
const outcomes: StoredOutcome[] = []
let [next, isGreen] = [seed, true]
const runner = async () => {
  while (next < seed + sequences && isGreen && performance.now() - startedAt < minutes * 60_000) {
    const [first, count] = [next, Math.min(sequencesPerRun, seed + sequences - next)]
    next += count
    const run = await runFrom(first, count)
    outcomes.push(...run.outcomes)
    isGreen &&= run.isGreen
    console.log(`${outcomes.length} sequences`)
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, runner))
rmSync(directory, { recursive: true, force: true })
const totals = (of: (outcome: StoredOutcome) => number) => outcomes.reduce((sum, outcome) => sum + of(outcome), 0)
const figures = {
  ...{ seed, sequences: outcomes.length, length: 40, commands: sumOf(outcomes.map(({ commands }) => commands)) },
  ...{ answers: sumOf(outcomes.map(({ answers }) => answers)), requests: totals(({ requests }) => requests) },
  ...{ events: totals(({ events }) => events), differences: outcomes.filter(({ isDifferent }) => isDifferent).length },
  seconds: Math.round((performance.now() - startedAt) / 1000),
}
console.log(
  `${figures.sequences} sequences of ${figures.length} commands, ${figures.differences} with a difference, ` +
    `${figures.requests} requests, ${figures.events} events, ${figures.seconds} s`,
)
storeResult('model', `npm run test:model -- --seed ${seed} --sequences ${figures.sequences}`, figures)
process.exitCode = isGreen ? 0 : 1
