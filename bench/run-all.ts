/**
 * `npm run bench`: runs every bench, one after the other, keeps what they measured and writes docs/benchmarks.md and docs/cost.md. It begins
 * only where the machine does nothing else. `npm run bench -- without render lists` leaves some out. The comparison with Remotion is made
 * where its packages are installed (bench/remotion/README.md).
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchName } from './figures.ts'
import { cpuUtilization, idleUtilizationMax, namesFromArguments, resultTime } from './result-files.ts'

const root = join(import.meta.dirname, '..')
const comparison = join(import.meta.dirname, 'remotion')
const isInstalled = existsSync(join(comparison, 'node_modules/@remotion/renderer'))

/** The long ones last. */
const benches: Record<BenchName, string[]> = {
  cold: ['bench:cold'],
  api: ['bench:api'],
  load: ['bench:load'],
  upload: ['bench:upload'],
  usage: ['bench:usage'],
  generate: ['bench:generate'],
  webhooks: ['bench:webhooks'],
  lists: ['bench:lists'],
  automations: ['bench:automations'],
  render: ['bench:render'],
  remotion: ['compare', '--prefix', comparison],
}

const [first, ...without] = namesFromArguments()
const unknown = without.filter((name) => !(name in benches))
if ((first !== undefined && first !== 'without') || unknown.length > 0) {
  console.error(`Say nothing, or "without" and names of ${Object.keys(benches).join(', ')}.`)
  process.exit(1)
}
const busy = await cpuUtilization()
if (busy > idleUtilizationMax) {
  console.error(
    `This machine does other work (${Math.round(busy * 100)} % of it): what it would tell is not worth keeping.`,
  )
  process.exit(1)
}

const run = (...words: string[]) => spawnSync('npm', ['run', ...words], { cwd: root, stdio: 'inherit' }).status === 0
const failed: string[] = []
for (const [name, words] of Object.entries(benches) as [BenchName, string[]][]) {
  if (without.includes(name) || (name === 'remotion' && !isInstalled)) {
    console.log(`${name}: left out`)
    continue
  }
  const startedAt = Date.now()
  run(...words, '--', 'keep')
  // One that misses a goal ends badly too, but has measured.
  if (resultTime(name) < startedAt) failed.push(name)
}
for (const page of ['benchmarks', 'cost']) if (!run(page)) failed.push(page)
if (failed.length > 0) {
  console.error(`Not done: ${failed.join(', ')}.`)
  process.exitCode = 1
}
