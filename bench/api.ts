/**
 * `npm run bench:api`: capacity units and latency of each route on the local stack; the list is measured with few and
 * with many videos. The last line of output is one JSON object; `-- keep` stores it for docs/operations/benchmarks.md.
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
const videoCounts = [100, 10_000]

process.env.POWERTOOLS_LOG_LEVEL = 'SILENT'
const end = await startBench('api')
const directory = mkdtempSync(join(tmpdir(), 'reelsmith-bench-'))
const service = await startReelsmith({ directory, port: 0, timeScale: 1, log: () => {} })
try {
  const { countCapacity } = await import('./capacity.ts')
  const { seedVideos } = await import('./seed-videos.ts')
  const large = await seedVideos(videoCounts[1]!)
  const small = await seedVideos(videoCounts[0]!)
  const probes: Probe[] = [
    { route: 'GET /', path: '/' },
    { route: 'GET /platforms', path: '/platforms' },
    { route: 'GET /voices', path: '/voices' },
    { route: 'GET /videos/{id}', path: `/videos/${small.videoIds[0]}` },
    { route: `GET /videos?limit=50 of ${videoCounts[0]}`, path: '/videos?limit=50' },
    { route: `GET /videos?limit=50 of ${videoCounts[1]}`, path: '/videos?limit=50', key: large.apiKey },
    { route: 'POST /videos', path: '/videos', method: 'POST', body: JSON.stringify({ prompt: 'An idea' }) },
  ]
  const requestOf = ({ path, method = 'GET', body, key = small.apiKey }: Probe) => ({
    url: `${service.baseUrl}${path}`,
    method,
    headers: { authorization: `Bearer ${key}` },
    ...(body ? { body } : {}),
  })

  // The first request of a key writes when it was used, once an hour, and the first of a workspace reads its limits, once a minute.
  for (const key of new Set(probes.map(({ key = small.apiKey }) => key)))
    await fetch(`${service.baseUrl}/`, { headers: { authorization: `Bearer ${key}` } })
  // Counted before any load: calls that a load leaves behind would be counted too.
  const unitsOfProbes: Units[] = []
  for (const probe of probes) {
    const { url, ...request } = requestOf(probe)
    unitsOfProbes.push(
      await countCapacity(async () => {
        const response = await fetch(url, request)
        if (!response.ok) throw new Error(`${probe.route} responded with ${response.status}: ${await response.text()}`)
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
      ...unitsOfProbes[index]!,
      p50Ms: latency.p50,
      p99Ms: latency.p99,
      perSecond: Math.round(requests.average),
    })
  }

  console.table(rows)
  const unitsOf = (videos: number) => rows.find(({ route }) => route.endsWith(`of ${videos}`))!.read
  const listRatio = unitsOf(videoCounts[1]!) / unitsOf(videoCounts[0]!)
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

/** `read` and `write` are the capacity units of one request, `calls` its calls to DynamoDB. */
interface Row extends Units {
  route: string
  p50Ms: number
  p99Ms: number
  perSecond: number
}
