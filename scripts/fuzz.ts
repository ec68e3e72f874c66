/**
 * `npm run fuzz`: sends random requests to every operation of a service of its own, and holds each answer to the OpenAPI
 * document and to the properties of `test/support/fuzz/walk.ts`. Prints the seed, which repeats the walk. RESULTS=1 stores
 * the figures.
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { storeResult } from '../test/support/results.ts'

const usage = 'npm run fuzz -- [--seed N] [--calls N] [--walks N] [--limits]'

function options() {
  try {
    const { values } = parseArgs({
      options: {
        seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
        calls: { type: 'string', default: '1000' },
        // At once, of the next seeds; they share the calls.
        walks: { type: 'string', default: '1' },
        // A plan with request limits, so that some answers are 429.
        limits: { type: 'boolean', default: false },
      },
    })
    if (!/^\d{1,9}$/.test(values.seed)) throw new Error('A seed is a whole number.')
    if (![values.calls, values.walks].every((text) => /^[1-9]\d{0,8}$/.test(text)))
      throw new Error('Calls and walks are whole numbers from 1.')
    return values
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`)
    process.exit(2)
  }
}

const startedAt = performance.now()
const { seed, calls, walks, limits } = options()
const command = [
  `npm run fuzz -- --seed ${seed} --calls ${calls}`,
  ...(walks === '1' ? [] : [`--walks ${walks}`]),
  ...(limits ? ['--limits'] : []),
].join(' ')
console.log(`${calls} calls, seed ${seed}. To repeat: ${command}`)

const walk = spawn('vitest', ['run', '--reporter=dot', 'test/routes/generated/walk.test.ts'], {
  stdio: ['ignore', 'pipe', 'pipe'],
  env: {
    ...process.env,
    FUZZ_SEED: seed,
    FUZZ_CALLS: calls,
    FUZZ_WALKS: walks,
    FUZZ_PLAN: limits ? 'pro' : 'self-hosted',
    POWERTOOLS_LOG_LEVEL: 'ERROR',
  },
})
let answers: Record<string, number> = {}
/** Faults that the service logged: a client's request must not cause any. */
let errorLines = 0
for (const [input, output] of [
  [walk.stdout, process.stdout],
  [walk.stderr, process.stderr],
] as const)
  createInterface({ input }).on('line', (line) => {
    if (/"level":"ERROR"/.test(line)) errorLines++
    const [, counts] = /seed \d+: (\{.*\})$/.exec(line) ?? []
    if (counts) answers = JSON.parse(counts)
    output.write(`${line}\n`)
  })
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => walk.kill(signal))
walk.on('close', (code) => {
  if (errorLines > 0) console.error(`The service logged ${errorLines} errors.`)
  const isClean = code === 0 && errorLines === 0
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  // Not of a walk that was interrupted.
  if (Object.keys(answers).length > 0)
    storeResult('fuzz', command, { seed: Number(seed), calls: Number(calls), answers, isClean, seconds })
  process.exitCode = isClean ? 0 : 1
})
