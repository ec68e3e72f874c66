/**
 * `npm run bench:lists`: capacity units and latency of a page of videos in workspaces with 100, 10,000 and 100,000
 * videos, on the local stack. The last line of output is one JSON object.
 */
import { rmSync } from 'node:fs'
import { startReelsmith } from '../local/reelsmith.ts'
import { median } from './load/statistics.ts'
import { startBench } from './result-files.ts'
import { createScratchDirectory } from './scratch.ts'

const sizes = [100, 10_000, 100_000]
const pageLimit = 50
const timesEach = 5
const pages: [name: string, query: string][] = [
  ['default order', ''],
  ['type=ai', '&type=ai'],
  ['status=failed', '&status=failed'],
  ['type and status', '&type=faceless&status=ready'],
  ['offset=40', '&offset=40'],
  ['search, first ever', '&search=bread'],
  ['search, common', '&search=part'],
  ['search, rare', '&search=bridges,%20part%2010'],
  ['search, nothing', '&search=nowhere'],
  ['subType', '&subType=ugc'],
  ['offset=1000', '&offset=1000'],
]

process.env.POWERTOOLS_LOG_LEVEL = 'SILENT'
const end = await startBench('lists')
const directory = createScratchDirectory()
const service = await startReelsmith({ directory, port: 0, timeScale: 1, log: () => {} })
try {
  const { countCapacity } = await import('./capacity.ts')
  const { seedVideos } = await import('./seed-videos.ts')
  const costs: Record<string, { shown: number; units: number; ms: number }[]> = {}
  for (const size of sizes) {
    const startedAt = performance.now()
    const { apiKey } = await seedVideos(size)
    console.log(`${size} videos seeded in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
    const fetchPage = async (query: string) => {
      const response = await fetch(`${service.baseUrl}/videos?limit=${pageLimit}${query}`, {
        headers: { Authorization: `Bearer ${apiKey}` },
      })
      if (!response.ok) throw new Error(`${query} responded with ${response.status}: ${await response.text()}`)
      const { data } = (await response.json()) as { data: unknown[] }
      return data.length
    }
    for (const [name, query] of pages) {
      let shown = 0
      const units = await countCapacity(async () => {
        shown = await fetchPage(query)
      })
      const times: number[] = []
      for (let time = 0; time < timesEach; time++) {
        const from = performance.now()
        await fetchPage(query)
        times.push(performance.now() - from)
      }
      costs[name] = [...(costs[name] ?? []), { shown, units: units.read, ms: median(times) }]
    }
  }
  console.table(
    Object.fromEntries(
      Object.entries(costs).map(([name, cost]) => [
        name,
        Object.fromEntries(
          cost.flatMap(({ units, ms }, index) => [
            [`${sizes[index]} units`, units],
            [`${sizes[index]} ms`, Math.round(ms)],
          ]),
        ),
      ]),
    ),
  )
  const flat = pages.slice(0, 4).map(([name]) => {
    // Full pages only: others read less.
    const units = costs[name]!.filter(({ shown }) => shown === pageLimit).map((cost) => cost.units)
    return { name, spread: Math.max(...units) / Math.min(...units) - 1 }
  })
  const searches = Object.entries(costs)
    .filter(([name]) => /^(search, (?!first)|subType)/.test(name))
    .flatMap(([, cost]) => cost.slice(1).map(({ units }, index) => (units / sizes[index + 1]!) * 10_000))
  const spread = Math.max(...flat.map((page) => page.spread))
  end({ sizes, costs, flat, spread, searchUnitsPer10000: Math.max(...searches) })
} finally {
  await service.stop()
  rmSync(directory, { recursive: true, force: true })
}
