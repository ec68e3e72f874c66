/**
 * `npm run bench:usage`: AWS usage of requests, videos, publications, deliveries and slots: calls, capacity units,
 * seconds and bytes, by function and command of the container, counted on the local run. The last line of output is one JSON object; `--
 * keep` stores it, and `npm run cost` computes prices from it.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startReelsmith } from '../local/reelsmith.ts'
import { startBench } from './result-files.ts'
import { createScratchDirectory } from './scratch.ts'
import { drainUsage, sumUsage, type UsageByName } from './usage/meter.ts'

process.env.POWERTOOLS_LOG_LEVEL = 'SILENT'
const end = await startBench('usage')
const directory = createScratchDirectory()
const meterFile = join(directory, 'meter.jsonl')
writeFileSync(meterFile, '')
process.env.METER_FILE = meterFile
// The container's commands run in processes of their own, metered too.
process.env.NODE_OPTIONS = `--disable-warning=ExperimentalWarning --import=${join(import.meta.dirname, 'usage/meter.ts')}`

/** Usage of this process and of ended commands of the container since the last call. */
function drainAllUsage(): UsageByName {
  const lines = readFileSync(meterFile, 'utf8').split('\n').filter(Boolean)
  writeFileSync(meterFile, '')
  const usageOfCommands = lines.map((line): UsageByName => JSON.parse(line))
  return sumUsage([...usageOfCommands, drainUsage()])
}

const service = await startReelsmith({ directory: join(directory, 'data'), port: 0, timeScale: 20, log: () => {} })
try {
  // Imported after the service has set the environment.
  const { measureUsage } = await import('./usage/measurements.ts')
  end(await measureUsage(service, join(directory, 'data'), drainAllUsage))
} finally {
  await service.stop()
  rmSync(directory, { recursive: true, force: true })
}
