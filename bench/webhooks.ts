/**
 * `npm run bench:webhooks`: how soon and how many events reach their receivers on the local stack, what receivers that hang or
 * mean harm cost the others, and what the emulators would give at most. The last line is one JSON object. Names of measurements
 * as arguments (`-- latency hostility`) take these alone, and cannot be kept.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Figures } from './figures.ts'
import { namesFromArguments, startBench } from './result-files.ts'
import { measureCeiling, startWebhookHarness } from './webhooks/harness.ts'

const load = { perSecond: 50, seconds: 20 }
const sizes = { backlogEvents: 800, burstEvents: 400, hostileReceivers: 100, hostileRounds: 3 }

process.env.POWERTOOLS_LOG_LEVEL ??= 'SILENT'
const end = await startBench('webhooks')
// In memory where there is such a place: what is measured is the work, not a disk.
const directory = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'reelsmith-bench-'))
const named = namesFromArguments()
type Told = Figures['webhooks']
const figures: Partial<Told> = { load }
const isWhole = (_some: Partial<Told>): _some is Told => named.length === 0

async function take<Name extends keyof Told, Figure extends Told[Name]>(
  name: Name,
  measure: () => Promise<Figure>,
): Promise<Figure | undefined> {
  if (named.length > 0 && !named.includes(name)) return undefined
  const figure = await measure()
  figures[name] = figure
  console.log(name, figure)
  return figure
}

try {
  await take('ceiling', () => measureCeiling(join(directory, 'ceiling')))
  const rig = await startWebhookHarness(join(directory, 'service'))
  try {
    // Only now: they read the environment that the rig has set.
    const measures = await import('./webhooks/measurements.ts')
    const backlog = await take('backlog', () => measures.measureBacklog(rig, sizes.backlogEvents))
    // Measuring it let the service begin.
    if (!backlog) rig.resume()
    await take('latency', () => measures.measureLatency(rig, load))
    await take('burst', () => measures.measureBurst(rig, sizes.burstEvents))
    await take('late', () => measures.measureWithSlowReceivers(rig, 'late', load))
    await take('hang', () => measures.measureWithSlowReceivers(rig, 'hang', load))
    await take('hostility', () => measures.measureHostility(rig, sizes.hostileReceivers, sizes.hostileRounds))
  } finally {
    await rig.stop()
  }
} finally {
  rmSync(directory, { recursive: true, force: true })
}
if (isWhole(figures)) end(figures)
else console.log(JSON.stringify(figures))
