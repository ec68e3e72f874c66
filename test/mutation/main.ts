/**
 * `npm run mutants:domain`: changes one node of the code of `lib/domain` at a time, in memory, and runs the tests that
 * cover the file. Fails below a score of 85 %. `SEED` draws the sample, `MUTANTS` sets its size, `FILE` selects files.
 */
import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { storeResult } from '../support/results.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { isEquivalent } from './equivalent-mutants.ts'
import { type Mutant, mutantsOf } from './mutants.ts'

const root = join(import.meta.dirname, '../..')
const { SEED = '1', MUTANTS = '150', FILE = '' } = process.env
const scoreMin = 0.85
/** A mutant that takes longer loops without end. */
const timeLimitMs = 120_000

/** Tables of words, pictures and prices: data, which no test repeats. */
const isData = (file: string) =>
  /(picture-(families|figures|grounds|overrides|places|stop-words|words)|css-colours|emoji|vendor-prices)\.ts$/.test(
    file,
  )

const files = globSync('lib/domain/**/*.ts', { cwd: root })
  .filter((file) => !isData(file) && file.includes(FILE))
  .toSorted()
const all = files.flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')))
const random = seededRandom(Number(SEED))
const sample = all
  .map((mutant) => ({ mutant, rank: random(2 ** 32) }))
  .toSorted((a, b) => a.rank - b.rank)
  .slice(0, Number(MUTANTS))
  .map(({ mutant }) => mutant)
const lineOf = ({ file, line }: Mutant) => readFileSync(join(root, file), 'utf8').split('\n')[line - 1]!
const left = sample.filter((mutant) => !isEquivalent(mutant, lineOf(mutant)))
const survivors: Mutant[] = []
let killed = 0

function startWorker() {
  const script = join(import.meta.dirname, 'worker.ts')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    /** Undefined where it takes too long, or the process ended. */
    answer: async (): Promise<string | undefined> => {
      const over = new AbortController()
      const line = lines.next().then(({ value }) => value as string | undefined)
      const late = delay(timeLimitMs, undefined, { signal: over.signal }).catch(() => undefined)
      return Promise.race([line, late]).finally(() => over.abort())
    },
    send: (mutant: Mutant) => void child.stdin.write(`${JSON.stringify(mutant)}\n`),
    kill: () => void child.kill('SIGKILL'),
  }
}

/** Tries mutants until none is left. A worker that hangs is replaced: its mutant loops without end. */
async function tryMutants(queue: Mutant[]): Promise<void> {
  let mutant = queue.shift()
  while (mutant) {
    const worker = startWorker()
    if (!(await worker.answer())) throw new Error('A worker did not start.')
    for (let answer: string | undefined = 'ready'; mutant && answer; mutant = queue.shift()) {
      worker.send(mutant)
      answer = await worker.answer()
      const killer = answer ? (JSON.parse(answer) as { killer: string | null }).killer : 'no answer'
      report(mutant, killer)
    }
    worker.kill()
  }
}

function report(mutant: Mutant, killer: string | null): void {
  if (killer) killed++
  else {
    survivors.push(mutant)
    console.log(
      `survived: ${mutant.file}:${mutant.line} ${JSON.stringify(mutant.from)} -> ${JSON.stringify(mutant.to)}`,
    )
  }
  const tried = killed + survivors.length
  if (tried % 50 === 0) console.log(`${tried} of ${total}, ${killed} killed`)
}

const startedAt = performance.now()
const total = left.length
const queue = [...left].toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.start - b.start))
await Promise.all(Array.from({ length: Number(process.env.JOBS ?? availableParallelism()) }, () => tryMutants(queue)))
const seconds = Math.round((performance.now() - startedAt) / 1000)
const score = killed / total
console.log(
  `${total} of ${all.length} mutants of ${files.length} files (seed ${SEED}), ${sample.length - total} more are equivalent: ` +
    `${killed} killed, ${(100 * score).toFixed(1)} %, ${seconds} s`,
)
storeResult('domain-mutants', `SEED=${SEED} MUTANTS=${MUTANTS} npm run mutants:domain`, {
  seed: Number(SEED),
  mutants: total,
  killed,
  seconds,
})
process.exitCode = score < scoreMin ? 1 : 0
