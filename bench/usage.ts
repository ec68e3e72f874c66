/**
 * `npm run bench:usage`: what requests, videos, publications, deliveries and slots take of AWS: calls, capacity units, seconds and bytes,
 * by function and task, counted on the local run. The last line is one JSON object; `npm run bench:usage -- keep` keeps it, and
 * `npm run cost` computes money from it.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startReelsmith } from '../local/reelsmith.ts'
import { startBench } from './result-files.ts'
import { drainUsage, sumUsage, type UsageByName } from './usage/meter.ts'

process.env.POWERTOOLS_LOG_LEVEL = 'SILENT'
const end = await startBench('usage')
// In memory where there is such a place: what is measured is the work, not a disk.
const directory = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'reelsmith-bench-'))
const meterFile = join(directory, 'meter.jsonl')
writeFileSync(meterFile, '')
process.env.METER_FILE = meterFile
// Tasks of the container are processes of their own.
process.env.NODE_OPTIONS = `--disable-warning=ExperimentalWarning --import=${join(import.meta.dirname, 'usage/meter.ts')}`

/** Of this process and of the tasks that have ended since it was asked for the last time. */
function drainAllUsage(): UsageByName {
  const lines = readFileSync(meterFile, 'utf8').split('\n').filter(Boolean)
  writeFileSync(meterFile, '')
  const ofTasks = lines.map((line): UsageByName => JSON.parse(line))
  return sumUsage([...ofTasks, drainUsage()])
}

const service = await startReelsmith({ directory: join(directory, 'data'), port: 0, timeScale: 20, log: () => {} })
try {
  // Only now: they read the environment that the service has set.
  const { measureUsage: measure } = await import('./usage/measurements.ts')
  end(await measure(service, join(directory, 'data'), drainAllUsage))
} finally {
  await service.stop()
  rmSync(directory, { recursive: true, force: true })
}
