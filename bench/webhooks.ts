/**
 * `npm run bench:webhooks`: latency and throughput of deliveries on the local stack, the effect of slow and malicious
 * receivers on the others, and the ceiling of the emulators. The last line of output is one JSON object. Arguments (`--
 * latency hostility`) select measurements, `--quick` makes all of them small; such a result cannot be stored.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Figures } from './figures.ts'
import { namesFromArguments, startBench } from './result-files.ts'
import { createScratchDirectory } from './scratch.ts'
import { measureCeiling, startWebhookHarness } from './webhooks/harness.ts'

const isQuick = process.argv.includes('--quick')
const load = isQuick ? { perSecond: 20, seconds: 4 } : { perSecond: 50, seconds: 20 }
const sizes = isQuick
  ? { backlogEvents: 80, burstEvents: 80, hostileReceivers: 25, hostileRounds: 1 }
  : { backlogEvents: 800, burstEvents: 400, hostileReceivers: 100, hostileRounds: 3 }

process.env.POWERTOOLS_LOG_LEVEL ??= 'SILENT'
const end = await startBench('webhooks')
const directory = createScratchDirectory()
const selected = namesFromArguments().filter((name) => name !== '--quick')
type WebhookFigures = Figures['webhooks']
const figures: Partial<WebhookFigures> = { load }
const isWhole = (_partial: Partial<WebhookFigures>): _partial is WebhookFigures => selected.length === 0 && !isQuick

async function run<Name extends keyof WebhookFigures, Figure extends WebhookFigures[Name]>(
  name: Name,
  measure: () => Promise<Figure>,
): Promise<Figure | undefined> {
  if (selected.length > 0 && !selected.includes(name)) return undefined
  const figure = await measure()
  figures[name] = figure
  console.log(name, figure)
  return figure
}

try {
  await run('ceiling', () => measureCeiling(join(directory, 'ceiling')))
  const harness = await startWebhookHarness(join(directory, 'service'))
  try {
    // Imported after the harness has set the environment.
    const measurements = await import('./webhooks/measurements.ts')
    const backlog = await run('backlog', () => measurements.measureBacklog(harness, sizes.backlogEvents))
    // The measurement of the backlog starts the service.
    if (!backlog) harness.resume()
    await run('latency', () => measurements.measureLatency(harness, load))
    await run('burst', () => measurements.measureBurst(harness, sizes.burstEvents))
    await run('late', () => measurements.measureWithSlowReceivers(harness, 'late', load))
    await run('hang', () => measurements.measureWithSlowReceivers(harness, 'hang', load))
    await run('hostility', () => measurements.measureHostility(harness, sizes.hostileReceivers, sizes.hostileRounds))
  } finally {
    await harness.stop()
  }
} finally {
  rmSync(directory, { recursive: true, force: true })
}
if (isWhole(figures)) end(figures)
else console.log(JSON.stringify(figures))
