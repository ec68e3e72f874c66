/**
 * `npm run bench:automations`: how long it takes until every slot of 10,000 automations that are due in the same minute is decided, when only
 * the sweeper wakes them; and what a tick of it costs where 1,000 are due among 1,000 and among 20,000. The last line is one JSON object.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startReelsmith } from '../local/reelsmith.ts'
import { beginBench } from './keep.ts'

const due = Number(process.env.AUTOMATIONS ?? 10_000)
const ticksMax = 20
const few = Math.round(due / 10)

process.env.POWERTOOLS_LOG_LEVEL = 'SILENT'
const end = await beginBench('automations')
// In memory where there is such a place: what is measured is the work, not a disk.
const directory = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'reelsmith-bench-'))
const service = await startReelsmith({ directory, port: 0, timeScale: 1, log: () => {} })
try {
  const { countCapacity } = await import('./capacity.ts')
  const { newAutomations, countDecided } = await import('./automations/world.ts')

  /** Sweeps as often as it takes. */
  const decideAll = async (workspaceIds: readonly string[], count: number) => {
    const took = { ticks: 0, seconds: 0, cpuSeconds: 0, read: 0, write: 0 }
    while ((await countDecided(workspaceIds)) < count) {
      if (++took.ticks > ticksMax) throw new Error('The sweeper does not get on.')
      const from = performance.now()
      const cpu = process.cpuUsage()
      const units = await countCapacity(async () => {
        await service.sweep()
      })
      const { user, system } = process.cpuUsage(cpu)
      took.seconds += (performance.now() - from) / 1000
      // Of this process: without that of the table.
      took.cpuSeconds += (user + system) / 1e6
      took.read += units.read
      took.write += units.write
    }
    return took
  }

  const seeded = async (count: number, isDue: boolean) => {
    const from = performance.now()
    const workspaceIds = await newAutomations(count, isDue)
    console.log(`${count} automations seeded in ${((performance.now() - from) / 1000).toFixed(1)} s`)
    return workspaceIds
  }

  const alone = await decideAll(await seeded(few, true), few)
  await seeded(due * 2 - few, false)
  const among = await decideAll(await seeded(few, true), few)
  const all = await decideAll(await seeded(due, true), due)
  console.table({ [`${few} alone`]: alone, [`${few} among ${due * 2}`]: among, [`${due} due`]: all })
  const growth = { units: among.read / alone.read, seconds: among.seconds / alone.seconds }
  end({ due, few, alone, among, all, growth })
} finally {
  await service.stop()
  rmSync(directory, { recursive: true, force: true })
}
