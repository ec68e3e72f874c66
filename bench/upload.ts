/**
 * `npm run bench:upload`: the most memory that the step which uploads a film of 100 MB ever has, bundled and started as it is deployed. The
 * last line is JSON.
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { build } from 'esbuild'
import { streamingNodeOptions } from '../lib/infra/bundle-paths.ts'
import { startBench } from './result-files.ts'
import { startUploadServers, videoBytes } from './upload/servers.ts'

const rounds = 3
const end = await startBench('upload')
const directory = mkdtempSync(join(tmpdir(), 'upload-'))
const program = join(directory, 'upload.mjs')
await build({
  entryPoints: [join(import.meta.dirname, 'upload/program.ts')],
  outfile: program,
  bundle: true,
  platform: 'node',
  format: 'esm',
  mainFields: ['module', 'main'],
})
const bare = 'process.stdout.write(String(process.resourceUsage().maxRSS))'
const bareKb = Number(execFileSync(process.execPath, [streamingNodeOptions, '--eval', bare], { encoding: 'utf8' }))
const memory: number[] = []
for (let round = 0; round < rounds; round++) {
  const sides = await startUploadServers()
  const child = sides.upload([streamingNodeOptions], program)
  const [told] = await Promise.all([text(child.stdout!), once(child, 'close')])
  await sides.stop()
  if (sides.counts.received !== videoBytes) throw new Error(`The platform got ${sides.counts.received} bytes.`)
  memory.push(JSON.parse(told).maxRssKb / 1024)
}
rmSync(directory, { recursive: true })
const megabytes = Math.round(memory.toSorted((a, b) => a - b)[Math.floor(rounds / 2)]!)
end({ megabytes, bareMegabytes: Math.round(bareKb / 1024) }, rounds)
