/**
 * `npm run --silent reelsmith -- COMMAND`: the command line of `packages/cli`. Without a key in the environment and without a profile it uses
 * the local run of DATA_DIR; with `--local` as the first word, it uses that in any case.
 */
import { resolve } from 'node:path'
import { dataDirectory, findRuntime } from '../local/runtime.ts'
import { exitCodes } from '../packages/cli/failure.js'
import { processIo } from '../packages/cli/process-io.js'
import { run } from '../packages/cli/run.js'
import { findLocalService } from './local-service/service.ts'

const [first, ...others] = process.argv.slice(2)

function localEnvironment() {
  const { baseUrl, apiKey } = findLocalService()
  return { ...process.env, REELSMITH_BASE_URL: baseUrl, REELSMITH_API_KEY: apiKey }
}

try {
  process.exitCode =
    first === '--local'
      ? await run(others, processIo({ env: localEnvironment() }))
      : await run(process.argv.slice(2), processIo({ findLocalService: () => findRuntime(resolve(dataDirectory())) }))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = exitCodes.authentication
}
