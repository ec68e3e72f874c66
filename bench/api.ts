/**
 * `npm run bench:api`: what each route costs in capacity units, and how fast it answers on the local stack. The list is
 * measured over a small and a large library. The last line is one JSON object; `-- keep` keeps it for docs/benchmarks.md.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { startReelsmith } from '../local/reelsmith.ts'
import type { Units } from './capacity.ts'
import { startBench } from './result-files.ts'

const connections = 4
const seconds = 4
const libraries = [100, 10_000]

process.env.POWERTOOLS_LOG_LEVEL = 'SILENT'
const end = await startBench('api')
const directory = mkdtempSync(join(tmpdir(), 'reelsmith-bench-'))
const service = await startReelsmith({ directory, port: 0, timeScale: 1, log: () => {} })
try {
  const { countCapacity } = await import('./capacity.ts')
  const { seedVideos: newLibrary } = await import('./seed-videos.ts')
  const large = await newLibrary(libraries[1]!)
  const small = await newLibrary(libraries[0]!)
  const probes: Probe[] = [
    { route: 'GET /', path: '/' },
    { route: 'GET /platforms', path: '/platforms' },
    { route: 'GET /voices', path: '/voices' },
    { route: 'GET /videos/{id}', path: `/videos/${small.videoIds[0]}` },
    { route: `GET /videos?limit=50 of ${libraries[0]}`, path: '/videos?limit=50' },
    { route: `GET /videos?limit=50 of ${libraries[1]}`, path: '/videos?limit=50', key: large.apiKey },
    { route: 'POST /videos', path: '/videos', method: 'POST', body: JSON.stringify({ prompt: 'An idea' }) },
  ]
  const requestOf = ({ path, method = 'GET', body, key = small.apiKey }: Probe) => ({
    url: `${service.baseUrl}${path}`,
    method,
    headers: { authorization: `Bearer ${key}` },
    ...(body ? { body } : {}),
  })

  // Counted before any load: requests that a load leaves behind would be counted too.
  const counted: Units[] = []
  for (const probe of probes) {
    const { url, ...request } = requestOf(probe)
    counted.push(
      await countCapacity(async () => {
        const response = await fetch(url, request)
        if (!response.ok) throw new Error(`${probe.route} answered ${response.status}: ${await response.text()}`)
        await response.arrayBuffer()
      }),
    )
  }
  const rows: Row[] = []
  for (const [index, probe] of probes.entries()) {
    const load = await autocannon({ ...requestOf(probe), connections, duration: seconds })
    if (load.non2xx > 0) throw new Error(`${probe.route}: ${load.non2xx} requests failed under load.`)
    const { latency, requests } = load
    rows.push({
      route: probe.route,
      ...counted[index]!,
      p50Ms: latency.p50,
      p99Ms: latency.p99,
      perSecond: Math.round(requests.average),
    })
  }

  console.table(rows)
  const unitsOf = (library: number) => rows.find(({ route }) => route.endsWith(`of ${library}`))!.read
  const listRatio = unitsOf(libraries[1]!) / unitsOf(libraries[0]!)
  end({ connections, seconds, listRatio, rows })
} finally {
  await service.stop()
  rmSync(directory, { recursive: true, force: true })
}

interface Probe {
  route: string
  path: string
  method?: 'GET' | 'POST'
  body?: string
  key?: string
}

/** `read` and `write` are capacity units of one request, `calls` its calls to DynamoDB. */
interface Row extends Units {
  route: string
  p50Ms: number
  p99Ms: number
  perSecond: number
}
