/**
 * `npm run bench:webhooks`: how soon and how many events reach their receivers on the local stack, what receivers that hang or
 * mean harm cost the others, and what the emulators would give at most. The last line is one JSON object. Names of measurements
 * as arguments (`-- latency hostility`) take these alone.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureCeiling, startRig } from './webhooks/rig.ts'

const load = { perSecond: 50, seconds: 20 }
const sizes = { backlogEvents: 800, burstEvents: 400, hostileReceivers: 100, hostileRounds: 3 }
const goals = {
  p50Ms: 300,
  p99Ms: 2_000,
  deliveriesPerSecond: 300,
  ofCeiling: 0.9,
  p99RisenMs: 2_000,
  heldMs: 8_500,
  rssRisenBytes: 64 * 1024 * 1024,
}

process.env.POWERTOOLS_LOG_LEVEL ??= 'SILENT'
// In memory where there is such a place: what is measured is the work, not a disk.
const directory = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'reelsmith-bench-'))
const named = process.argv.slice(2)
const figures: Record<string, object> = {}

async function take<Figure extends object>(name: string, measure: () => Promise<Figure>): Promise<Figure | undefined> {
  if (named.length > 0 && !named.includes(name)) return undefined
  const figure = await measure()
  figures[name] = figure
  console.log(name, figure)
  return figure
}

try {
  const ceiling = await take('ceiling', () => measureCeiling(join(directory, 'ceiling')))
  const rig = await startRig(join(directory, 'service'))
  try {
    // Only now: they read the environment that the rig has set.
    const measures = await import('./webhooks/measures.ts')
    const backlog = await take('backlog', () => measures.measureBacklog(rig, sizes.backlogEvents))
    // Measuring it let the service begin.
    if (!backlog) rig.resume()
    const alone = await take('latency', () => measures.measureLatency(rig, load))
    await take('burst', () => measures.measureBurst(rig, sizes.burstEvents))
    const beside = [
      await take('late', () => measures.measureBeside(rig, 'late', load)),
      await take('hang', () => measures.measureBeside(rig, 'hang', load)),
    ]
    const hostility = await take('hostility', () =>
      measures.measureHostility(rig, sizes.hostileReceivers, sizes.hostileRounds),
    )
    figures.against = {
      ...(backlog && ceiling ? { ofCeiling: backlog.perSecond / ceiling.perSecond } : {}),
      p99RisenMs: Math.max(...beside.map((one) => (one && alone ? one.p99Ms - alone.p99Ms : Number.NaN))),
      ...(hostility ? { rssRisenBytes: hostility.rssPeak - hostility.rssBefore } : {}),
    }
  } finally {
    await rig.stop()
  }
} finally {
  rmSync(directory, { recursive: true, force: true })
}
const machine = { cpus: cpus().length, model: cpus()[0]?.model, node: process.version }
console.log(JSON.stringify({ bench: 'webhooks', machine, load, sizes, goals, ...figures }))
