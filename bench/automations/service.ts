/**
 * A service of its own, in which slots are decided by the sweeper alone: nobody else is at work. What the decisions want done waits, and would
 * be found by the sweeper a minute later: so each of the bench's parts has a process and a table of its own.
 *
 * Started by `bench/automations.ts` with its steps as JSON; sends what each decision took.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startReelsmith } from '../../local/reelsmith.ts'

/** So many automations more: due now, and decided before the next step; or due in an hour. */
export interface SeedStep {
  count: number
  isDue: boolean
}

export interface DecisionCost {
  ticks: number
  seconds: number
  /** Of the process of the service: without that of the table. */
  cpuSeconds: number
  read: number
  write: number
}

const ticksMax = 20

/** What the steps that are due took, each by itself. */
export async function measureDecisions(steps: readonly SeedStep[]): Promise<DecisionCost[]> {
  const child = fork(import.meta.filename, [JSON.stringify(steps)])
  const [took] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`The service of the bench ended with ${code}.`)
    }),
  ])) as [DecisionCost[]]
  return took
}

async function decideEach(steps: readonly SeedStep[]): Promise<DecisionCost[]> {
  process.env.POWERTOOLS_LOG_LEVEL = 'SILENT'
  // In memory where there is such a place: what is measured is the work, not a disk.
  const directory = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'reelsmith-bench-'))
  const service = await startReelsmith({ directory, port: 0, timeScale: 1, log: () => {} })
  try {
    const { seedAutomations: newAutomations } = await import('./seed.ts')
    const took: DecisionCost[] = []
    for (const { count, isDue } of steps) {
      const from = performance.now()
      const workspaceIds = await newAutomations(count, isDue)
      console.log(`${count} automations seeded in ${((performance.now() - from) / 1000).toFixed(1)} s`)
      if (isDue) took.push(await decideAll(service.sweep, workspaceIds, count))
    }
    return took
  } finally {
    await service.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Sweeps as often as it takes. */
async function decideAll(
  sweep: () => Promise<unknown>,
  workspaceIds: readonly string[],
  count: number,
): Promise<DecisionCost> {
  const { countCapacity } = await import('../capacity.ts')
  const { countDecided } = await import('./seed.ts')
  const took = { ticks: 0, seconds: 0, cpuSeconds: 0, read: 0, write: 0 }
  while ((await countDecided(workspaceIds)) < count) {
    if (++took.ticks > ticksMax) throw new Error('The sweeper does not get on.')
    const from = performance.now()
    const cpu = process.cpuUsage()
    const units = await countCapacity(async () => {
      await sweep()
    })
    const { user, system } = process.cpuUsage(cpu)
    took.seconds += (performance.now() - from) / 1000
    took.cpuSeconds += (user + system) / 1e6
    took.read += units.read
    took.write += units.write
  }
  return took
}

if (import.meta.main) process.send?.(await decideEach(JSON.parse(process.argv[2]!)), () => process.exit())
