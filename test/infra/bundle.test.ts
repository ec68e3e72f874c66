import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { bundle } from '../../bin/bundle.ts'
import { apiBundleName, apiFunctions, mcpFunction } from '../../lib/infra/api-functions.ts'
import { functionsFolder, repositoryRoot, voicesLayerFolder } from '../../lib/infra/bundle-paths.ts'
import { temporaryDirectoryOfFile } from '../support/temporary-directory.ts'

/** Outside of the repository, where no node_modules can be found by chance. */
const elsewhere = temporaryDirectoryOfFile()
const { functions, routes } = await bundle(elsewhere)
const entries = [...functions, ...routes]
const mcp = apiBundleName(mcpFunction.name)
const routeKeys = apiFunctions.flatMap(({ name, handlers }) =>
  Object.keys(handlers).map((routeKey) => ({ routeKey, entry: apiBundleName(name) })),
)

describe('the bundle', () => {
  // Cold starts of routes delay a client; a route counts with what its function loads for it. The MCP server has the message schemas
  // of two revisions. The dispatcher and the sweeper run in the background, and the begin of a render, which holds the words of pictures.
  const kilobytesOf = (name: string) => (name === mcp ? 725 : name.startsWith('api-') ? 540 : 640)
  const limits = entries.map(({ name, bytes }) => ({ name, bytes, kilobytes: kilobytesOf(name) }))
  it.each(limits)('$name starts from less than $kilobytes KB', ({ bytes, kilobytes }) => {
    expect(bytes).toBeLessThan(kilobytes * 1_000)
  })

  it('loads no route before its first request', () => {
    const ofApi = functions.filter(({ name }) => name.startsWith('api-') && name !== mcp)
    expect(Math.max(...ofApi.map(({ bytes }) => bytes))).toBeLessThan(Math.min(...routes.map(({ bytes }) => bytes)))
  })

  it.each(entries)('$name contains nothing that only the container or a test needs', ({ contains }) => {
    const foreign =
      /^(@resvg|lib\/(ffmpeg|motion|providers\/(images|footage))\/|containers\/|test\/)|@expo-google-fonts|aws-cdk/
    expect(contains.filter((part) => foreign.test(part))).toEqual([])
  })

  it('loads in every function without installed packages', () => {
    const names = entries.map(({ name }) => name)
    const script = `
      const loaded = {}
      for (const name of ${JSON.stringify(names)})
        loaded[name] = await import('./' + name + '.mjs').then(({ handler }) => typeof handler, String)
      process.stdout.write(JSON.stringify(loaded))`
    const loaded = JSON.parse(run(['--input-type=module', '--eval', script]))
    expect(loaded).toEqual(Object.fromEntries(names.map((name) => [name, 'function'])))
  })

  it('answers each route in its function, and no route of another one', () => {
    const script = `
      const answers = {}
      const write = process.stdout.write.bind(process.stdout)
      process.stdout.write = () => true
      for (const { routeKey, entry } of ${JSON.stringify(routeKeys)}) {
        const { handler } = await import('./' + entry + '.mjs')
        const http = { method: routeKey.split(' ')[0], path: '/v1' }
        const requestContext = { requestId: 'r', timeEpoch: Date.now(), domainName: 'localhost', http, routeKey }
        const event = { routeKey, rawPath: '/v1', headers: {}, requestContext, isBase64Encoded: false }
        const context = { getRemainingTimeInMillis: () => 29_000 }
        answers[routeKey] = await handler(event, context).then(({ statusCode }) => statusCode, String)
        answers[entry] = await handler({ ...event, routeKey: 'GET /v1/none' }, context).catch(String)
      }
      write(JSON.stringify(answers))`
    const answers: Record<string, unknown> = JSON.parse(run(['--input-type=module', '--eval', script]))
    for (const { routeKey, entry } of routeKeys) {
      // The callback is public and refuses an unknown state.
      expect(answers[routeKey], routeKey).toBe(routeKey.endsWith('/callback') ? 404 : 401)
      expect(answers[entry], entry).toBe('Error: This function does not serve the route GET /v1/none.')
    }
  })

  it.each(['en-clara', 'de-greta'])('uses %s from the layer', async (voiceId) => {
    const contents = `
      import { builtInNarrator } from './lib/providers/narrator/built-in.ts'
      import { builtInVoices, findVoice } from './lib/domain/videos/voices.ts'
      const { words, durationMs } = await builtInNarrator.narrate('One two three.', findVoice(builtInVoices, '${voiceId}'))
      process.stdout.write(JSON.stringify({ words: words.length, longEnough: durationMs > 500 }))`
    const options = { bundle: true, platform: 'node', format: 'esm', write: false } as const
    const { outputFiles } = await build({ ...options, stdin: { contents, resolveDir: repositoryRoot } })
    writeFileSync(join(functionsFolder(elsewhere), 'speak.mjs'), outputFiles[0]!.contents)
    expect(JSON.parse(run(['speak.mjs']))).toEqual({ words: 3, longEnough: true })
  })
})

/** As Lambda does: nothing but the bundle, and NODE_PATH on the layer. */
function run(args: string[]): string {
  return execFileSync(process.execPath, args, {
    cwd: functionsFolder(elsewhere),
    env: { NODE_PATH: join(voicesLayerFolder(elsewhere), 'nodejs/node_modules') },
    encoding: 'utf8',
  })
}
