/**
 * `npm run bench:upload`: peak memory of the step that uploads a video of 100 MB, bundled and started as in the
 * deployment. The last line of output is one JSON object.
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { build } from 'esbuild'
import { streamingNodeOptions } from '../lib/infra/bundle-paths.ts'
import { median } from './load/statistics.ts'
import { startBench } from './result-files.ts'
import { startUploadServers, videoBytes } from './upload/servers.ts'

const rounds = 3
const end = await startBench('upload')
const directory = mkdtempSync(join(tmpdir(), 'upload-'))
const program = join(directory, 'upload.mjs')
await build({
  entryPoints: [join(import.meta.dirname, 'upload/upload-step.ts')],
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
  const servers = await startUploadServers()
  const child = servers.upload([streamingNodeOptions], program)
  const [output] = await Promise.all([text(child.stdout!), once(child, 'close')])
  await servers.stop()
  if (servers.counts.received !== videoBytes)
    throw new Error(`The platform received ${servers.counts.received} of ${videoBytes} bytes.`)
  memory.push(JSON.parse(output).maxRssKb / 1024)
}
rmSync(directory, { recursive: true })
const megabytes = Math.round(median(memory))
end({ megabytes, bareMegabytes: Math.round(bareKb / 1024) }, rounds)
