/**
 * `npm run test:kill`, `test:publish`, `test:schedule`: tests with all their cases, or those that are named after `--`. With
 * RESULTS=1, a whole run stores how many there were.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeResult } from '../test/support/results.ts'

interface Part {
  files: string[]
  env: Record<string, string>
}

const suites = {
  kill: [{ files: ['test/pipelines/kill', 'test/workers/webhook-chaos'], env: { VOLUME: 'full' } }],
  publish: [
    { files: ['test/pipelines/publish-engine'], env: { SCHEDULES: '2000' } },
    { files: ['test/platforms'], env: { SCHEDULES: '200', VOLUME: 'full' } },
  ],
  schedule: [{ files: ['test/domain/automations/schedule'], env: { SCHEDULE: 'all' } }],
} satisfies Record<string, Part[]>

const [name, ...selected] = process.argv.slice(2)
if (!name || !(name in suites)) throw new Error(`A suite is one of ${Object.keys(suites).join(', ')}.`)
const suite = name as keyof typeof suites

const directory = mkdtempSync(join(tmpdir(), 'reelsmith-suite-'))
const startedAt = performance.now()
let [tests, failed] = [0, 0]
for (const { files, env } of suites[suite] as Part[]) {
  const file = join(directory, 'results.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const arguments_ = ['run', ...reporters, ...files, ...selected]
  const { status } = spawnSync('vitest', arguments_, { stdio: 'inherit', env: { ...process.env, ...env } })
  if (status !== 0) process.exitCode = 1
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(file, 'utf8'))
  tests += numPassedTests + numFailedTests
  failed += numFailedTests
}
rmSync(directory, { recursive: true, force: true })
const seconds = Math.round((performance.now() - startedAt) / 1000)
if (selected.length === 0) storeResult(suite, `npm run test:${suite}`, { tests, failed, seconds })
