/**
 * `npm run test:mcp`: the official conformance suite against the shipped endpoint with the tools of a fixture, and the official inspector
 * against the service of `npm start`. Downloads both packages once. Exits with 1 where anything fails.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Context } from 'aws-lambda'
import type { HttpEvent } from '../../../lib/http/endpoint.ts'
import type { LambdaHandler } from '../../../local/emulators/lambda.ts'
import { localEnvironment } from '../../../local/environment.ts'
import packages from '../../../package.json' with { type: 'json' }
import { startServiceProcess, temporaryDataDirectory } from '../../pipelines/service-process.ts'
import { startStreamingServer } from './streaming-server.ts'

const downloads = join(import.meta.dirname, '../../../node_modules/.cache/mcp')
const pinned = ['@modelcontextprotocol/conformance@0.2.0-alpha.12', '@modelcontextprotocol/inspector@2.12.0']
const program = (file: string) => join(downloads, 'node_modules/@modelcontextprotocol', file)

/** The client answers the server before the result. A gateway that buffers responses, as that of the product does, cannot serve these. */
const interactive = [
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
]

const failures: string[] = []

/** Runs a program; prints its output and remembers its title where it fails. */
async function run(title: string, command: string, ...args: string[]): Promise<void> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const [[code], output, errors] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)])
  const [total = ''] = /(?<=^(?:Total|Passed): ).+/m.exec(output) ?? []
  console.log([code === 0 ? 'passed' : 'FAILED', title, total].join('  '))
  // A run of requirements passes where these fail: they have been added since, or are of an extension.
  for (const [line] of output.matchAll(/^ +✗ .+/gm)) console.log(`        not required: ${line.trim()}`)
  if (code !== 0) {
    failures.push(title)
    console.log(output, errors)
  }
}

const conformance = (title: string, ...args: string[]) =>
  run(title, process.execPath, program('conformance/dist/index.js'), ...args)

/** The suite's own list of a revision. */
const requirementsOf = (revision: string) => readFileSync(program(`conformance/requirements/${revision}.yaml`), 'utf8')

const requiredScenarios = (revision: string) => {
  const [, servers = ''] = /^server:\n([\s\S]*?)^client:/m.exec(requirementsOf(revision)) ?? []
  return Array.from(servers.matchAll(/^ +- (\S+)/gm), ([, name]) => name!)
}

/** Listed as an extension, which no revision requires. */
const taskScenarios = () =>
  Array.from(requirementsOf('2026-07-28').matchAll(/scenario: (tasks-\S+)/g), ([, name]) => name!)

mkdirSync(downloads, { recursive: true })
await run('download', 'npm', 'install', '--prefix', downloads, '--no-audit', '--no-fund', '--loglevel=error', ...pinned)

const { directory, remove } = temporaryDataDirectory()
const service = await startServiceProcess(directory)
const { runtime } = service
process.env.POWERTOOLS_LOG_LEVEL ??= 'SILENT'
Object.assign(process.env, localEnvironment(runtime.endpoints, runtime))
// They read the environment when they are loaded.
const { startHttpApi } = await import('../../../local/emulators/api-gateway/http-api.ts')
const { mcpEndpoint } = await import('../../../lib/http/mcp-endpoint.ts')
const { createFixtureServer } = await import('./fixture-server.ts')

const endpoint = mcpEndpoint({}, packages.version, createFixtureServer)
// Some scenarios drop the query of the URL, and with it the key.
const handler: LambdaHandler = (event: HttpEvent, context: Context) =>
  endpoint({ ...event, headers: { ...event.headers, authorization: `Bearer ${runtime.apiKey}` } }, context)
const fixture = await startHttpApi({
  port: 0,
  basePath: '/v1',
  routes: [{ signature: 'ANY /mcp', handler }],
  fallback: () => ({ statusCode: 404 }),
  log: console.error,
})
const streaming = await startStreamingServer()
try {
  const shipped = `${fixture.url}/v1/mcp`
  const server = (title: string, url: string, ...args: string[]) => conformance(title, 'server', '--url', url, ...args)

  await server('2026-07-28: all required scenarios', shipped, '--requirements', '2026-07-28')
  for (const name of taskScenarios())
    await server(`2026-07-28: ${name}`, shipped, '--scenario', name, '--force', '--spec-version', '2026-07-28')
  for (const name of requiredScenarios('2025-11-25').filter((name) => !interactive.includes(name)))
    await server(`2025-11-25: ${name}`, shipped, '--scenario', name, '--spec-version', '2025-11-25')
  const unbuffered = `${streaming.url}/mcp`
  await server('2025-11-25: all required scenarios, unbuffered', unbuffered, '--requirements', '2025-11-25')

  const header = `Authorization: Bearer ${runtime.apiKey}`
  const inspector = (title: string, ...args: string[]) =>
    run(title, process.execPath, program('inspector/clients/launcher/build/index.js'), '--cli', ...args)
  const byHeader = [runtime.mcpUrl, '--transport', 'http', '--header', header]
  const byUrl = [`${runtime.mcpUrl}?key=${runtime.apiKey}`, '--transport', 'http']
  await inspector('inspector: tools/list by header', ...byHeader, '--method', 'tools/list', '--strict')
  await inspector('inspector: tools/list by URL', ...byUrl, '--method', 'tools/list', '--strict')
  await inspector('inspector: tools/call', ...byHeader, '--method', 'tools/call', '--tool-name', 'get_account')
} finally {
  await Promise.all([fixture.stop(), streaming.stop(), service.stop()])
  remove()
}
if (failures.length > 0) {
  console.error(`\n${failures.length} failed:\n  ${failures.join('\n  ')}`)
  process.exitCode = 1
}
