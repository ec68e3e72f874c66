/**
 * `npm run simulate`: runs seeds and fails on a broken promise. `SEEDS=500` sets their number, `FROM=1` the first one.
 * `SEED=7` replays one, shortens its story, and prints it.
 */
import './environment.ts'
import type { Route } from '../../lib/contract/route.ts'
import * as routes from '../../lib/contract/routes.ts'
import { storeResult } from '../support/results.ts'
import { bundleService, evaluateService } from './bundle.ts'
import type { Violation } from './invariants.ts'
import { runSeeds } from './parallel.ts'
import { shrink } from './shrink.ts'
import { simulate } from './simulate.ts'

const { SEED, SEEDS = '10000', FROM = '1' } = process.env

function print(seed: number, violations: readonly Violation[]): void {
  for (const { invariant, promise, what } of violations) console.log(`${invariant} ${promise}\n   ${what}`)
  if (violations.length > 0) console.log(`   Replay: SEED=${seed} npm run simulate`)
}

async function replay(seed: number): Promise<void> {
  const newService = await evaluateService(await bundleService())
  const first = await simulate(seed, { newService })
  if (first.violations.length === 0) {
    console.log(`Seed ${seed} keeps every promise (trace ${first.hash}).`)
    return
  }
  const without = await shrink(first, (without) => simulate(seed, { newService, without }))
  const story: string[] = []
  const last = await simulate(seed, { newService, without, onTrace: (line) => story.push(line) })
  // Reads that succeed do not change anything.
  const isTold = (line: string) => !/ (Get|Query|BatchGet|HeadObject|GetObject) \S*$/.test(line)
  console.log(story.filter(isTold).join('\n'))
  print(seed, last.violations)
  process.exitCode = 1
}

async function runAll(from: number, count: number): Promise<void> {
  const startedAt = performance.now()
  const injected = new Map<string, number>()
  const totals = new Map<string, number>()
  const hashes: [seed: number, hash: string][] = []
  let broken = 0
  const add = (sums: Map<string, number>, name: string, more: number) => sums.set(name, (sums.get(name) ?? 0) + more)
  await runSeeds({
    from,
    count,
    code: await bundleService(),
    onResult: (result) => {
      hashes.push([result.seed, result.hash])
      for (const [fault, times] of result.injected) add(injected, fault, times)
      for (const [name, value] of Object.entries(result.statistics)) add(totals, name, value)
      if (result.violations.length > 0) {
        broken++
        print(result.seed, result.violations)
      }
      return broken < 20
    },
  })
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10
  const trace = hashes
    .toSorted(([a], [b]) => a - b)
    .reduce((sum, [, hash]) => (Math.imul(sum, 31) + Number.parseInt(hash, 16)) | 0, 0)
  const faults = Object.fromEntries([...injected].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  console.log(
    `Faults injected: ${Object.entries(faults)
      .map(([name, times]) => `${name} ${times}`)
      .join(', ')}`,
  )
  console.log(
    `${hashes.length} seeds, ${broken} with a broken promise, ${totals.get('calls')} calls, ${totals.get('crashes')} crashes, ` +
      `${seconds} s, trace ${(trace >>> 0).toString(16)}`,
  )
  const unused = Object.values<Route>(routes).filter(
    ({ signature }) => !signature.startsWith('GET ') && !totals.has(signature),
  )
  console.log(`Routes that never succeeded: ${unused.map(({ signature }) => signature).join(', ') || 'none'}`)
  const { calls = 0, crashes = 0 } = Object.fromEntries(totals)
  const command = `FROM=${from} SEEDS=${count} npm run simulate`
  storeResult('simulator', command, { from, seeds: hashes.length, broken, calls, crashes, faults, seconds })
  process.exitCode = broken > 0 ? 1 : 0
}

await (SEED ? replay(Number(SEED)) : runAll(Number(FROM), Number(SEEDS)))
