/**
 * `npm run --silent reelsmith -- COMMAND`: the command line of `packages/cli`. Without a key in the environment and without a profile it uses
 * the local run of DATA_DIR; with `--local` as the first word, it uses that in any case.
 */
import { resolve } from 'node:path'
import { dataDirectory, findRuntime } from '../local/runtime.ts'
import { processIo } from '../packages/cli/process-io.js'
import { run } from '../packages/cli/run.js'

const words = process.argv.slice(2)
const isLocal = words[0] === '--local'
const directory = resolve(dataDirectory())
const service = findRuntime(directory)

if (isLocal && !service) {
  console.error(`No local run uses ${directory}. Start it in another terminal, with the same DATA_DIR: npm start`)
  process.exitCode = 3
} else {
  const env = { ...process.env, REELSMITH_BASE_URL: service?.baseUrl, REELSMITH_API_KEY: service?.apiKey }
  const io = processIo({ findLocalService: () => service, ...(isLocal && { env }) })
  process.exitCode = await run(isLocal ? words.slice(1) : words, io)
}
