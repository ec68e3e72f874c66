/**
 * A separate service in which only the sweeper decides slots. The outbox of the decisions is not dispatched, and the
 * sweeper would find it a minute later, so each part of the bench has a separate process and table. Started by
 * `bench/automations.ts` with its steps as JSON; sends the cost of each step.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { startReelsmith } from '../../local/reelsmith.ts'
import { createScratchDirectory } from '../scratch.ts'

/** Adds `count` automations: due now and decided before the next step, or due in an hour. */
interface SeedStep {
  count: number
  isDue: boolean
}

interface DecisionCost {
  ticks: number
  seconds: number
  /** CPU time of the service, without that of the table. */
  cpuSeconds: number
  read: number
  write: number
}

const ticksMax = 20

/** The cost of each step with `isDue`. */
export async function measureDecisions(steps: readonly SeedStep[]): Promise<DecisionCost[]> {
  const child = fork(import.meta.filename, [JSON.stringify(steps)])
  const [costs] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`The service of the bench exited with code ${code}.`)
    }),
  ])) as [DecisionCost[]]
  return costs
}

async function decideEach(steps: readonly SeedStep[]): Promise<DecisionCost[]> {
  process.env.POWERTOOLS_LOG_LEVEL = 'SILENT'
  const directory = createScratchDirectory()
  const service = await startReelsmith({ directory, port: 0, timeScale: 1, log: () => {} })
  try {
    const { seedAutomations } = await import('./seed.ts')
    const costs: DecisionCost[] = []
    for (const { count, isDue } of steps) {
      const from = performance.now()
      const workspaceIds = await seedAutomations(count, isDue)
      console.log(`${count} automations seeded in ${((performance.now() - from) / 1000).toFixed(1)} s`)
      if (isDue) costs.push(await decideAll(service.sweep, workspaceIds, count))
    }
    return costs
  } finally {
    await service.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Sweeps until all automations have decided. */
async function decideAll(
  sweep: () => Promise<unknown>,
  workspaceIds: readonly string[],
  count: number,
): Promise<DecisionCost> {
  const { countCapacity } = await import('../capacity.ts')
  const { countDecided } = await import('./seed.ts')
  const cost = { ticks: 0, seconds: 0, cpuSeconds: 0, read: 0, write: 0 }
  while ((await countDecided(workspaceIds)) < count) {
    if (++cost.ticks > ticksMax) throw new Error(`The sweeper did not finish in ${ticksMax} ticks.`)
    const from = performance.now()
    const cpu = process.cpuUsage()
    const units = await countCapacity(async () => {
      await sweep()
    })
    const { user, system } = process.cpuUsage(cpu)
    cost.seconds += (performance.now() - from) / 1000
    cost.cpuSeconds += (user + system) / 1e6
    cost.read += units.read
    cost.write += units.write
  }
  return cost
}

if (import.meta.main) process.send?.(await decideEach(JSON.parse(process.argv[2]!)), () => process.exit())
