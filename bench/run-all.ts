/**
 * `npm run bench`: runs all benches one after another, stores their results and writes docs/operations/benchmarks.md
 * and docs/operations/cost.md. Starts only on an idle machine. `npm run bench -- without render lists` skips some. The
 * comparison with Remotion runs only where its packages are installed (bench/remotion/README.md).
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchName } from './figures.ts'
import { cpuUtilization, idleUtilizationMax, namesFromArguments, resultTime } from './result-files.ts'

const root = join(import.meta.dirname, '..')
const comparison = join(import.meta.dirname, 'remotion')
const isInstalled = existsSync(join(comparison, 'node_modules/@remotion/renderer'))

/** The slow ones last. */
const benches: Record<BenchName, string[]> = {
  cold: ['bench:cold'],
  api: ['bench:api'],
  load: ['bench:load'],
  hostility: ['bench:load', '--', 'hostility'],
  upload: ['bench:upload'],
  preview: ['bench:preview'],
  usage: ['bench:usage'],
  generate: ['bench:generate'],
  script: ['bench:script'],
  webhooks: ['bench:webhooks'],
  lists: ['bench:lists'],
  automations: ['bench:automations'],
  render: ['bench:render'],
  lane: ['bench:lane'],
  edits: ['bench:edits'],
  remotion: ['compare', '--prefix', comparison],
}

const [first, ...without] = namesFromArguments()
const unknown = without.filter((name) => !(name in benches))
if ((first !== undefined && first !== 'without') || unknown.length > 0) {
  console.error(`Usage: npm run bench [-- without NAME…]. Names: ${Object.keys(benches).join(', ')}.`)
  process.exit(1)
}
const busy = await cpuUtilization()
if (busy > idleUtilizationMax) {
  console.error(
    `The CPU utilization is ${Math.round(busy * 100)} %: results of a busy machine are not reliable. Stop other work and try again.`,
  )
  process.exit(1)
}

const run = (...words: string[]) => spawnSync('npm', ['run', ...words], { cwd: root, stdio: 'inherit' }).status === 0
const failed: string[] = []
for (const [name, words] of Object.entries(benches) as [BenchName, string[]][]) {
  if (without.includes(name) || (name === 'remotion' && !isInstalled)) {
    console.log(`${name}: skipped`)
    continue
  }
  const startedAt = Date.now()
  run(...words, ...(words.includes('--') ? [] : ['--']), 'keep')
  // A bench that misses a goal exits with an error too, but has stored its result.
  if (resultTime(name) < startedAt) failed.push(name)
}
for (const page of ['benchmarks', 'cost']) if (!run(page)) failed.push(page)
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(', ')}.`)
  process.exitCode = 1
}
