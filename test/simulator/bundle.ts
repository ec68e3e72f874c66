/**
 * Bundles the production code, unchanged, for the simulator. Packages of AWS, clocks, chance, threads, files, the network and
 * the makers of media are replaced at their modules; a mutant changes one line. Nothing is written to disk.
 */
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { Script } from 'node:vm'
import { build, type Plugin } from 'esbuild'
import type { Ports } from './ports.ts'
import type * as setup from './service/setup.ts'

const root = join(import.meta.dirname, '../..')
const service = (name: string) => join(import.meta.dirname, 'service', `${name}.ts`)

/** One line of production code that breaks a promise. */
export interface Mutation {
  file: string
  /** Found exactly once in the file. */
  from: string
  to: string
}

export class StaleMutant extends Error {}

const builtIns: Record<string, string> = {
  'node:timers': service('timers'),
  'node:timers/promises': service('timers-promises'),
  'node:crypto': service('crypto'),
  'node:zlib': service('zlib'),
  'node:fs': service('files'),
  'node:fs/promises': service('files'),
  '@aws-lambda-powertools/logger': service('logger'),
}

const standIns: Record<string, string> = {
  'lib/clock.ts': service('clock'),
  'lib/egress/request.ts': service('egress-request'),
  'lib/platforms/publishers.ts': service('platforms'),
  'lib/platforms/connectors.ts': service('platforms'),
  'lib/use-cases/generation/picture-vocabulary.ts': service('vendors'),
  'lib/render/sound/sound-analysis.ts': service('media'),
  'lib/render/sound/narration-track.ts': service('media'),
  'lib/ffmpeg/run.ts': service('media'),
  'containers/media/render/render-composition.ts': service('media'),
  'containers/media/render/render-quality.ts': service('media'),
  'containers/media/render/materials.ts': service('media'),
  'containers/media/source/normalise-source.ts': service('media'),
  'containers/media/visuals/check-picture.ts': service('media'),
  ...Object.fromEntries(
    ['narrator', 'images', 'footage', 'animator', 'avatars', 'writer', 'research', 'director', 'transcriber'].map(
      (name) => [`lib/providers/choose/${name}.ts`, service('vendors')],
    ),
  ),
}

const sharedPackages = ['valibot', 'temporal-polyfill', 'oauth4webapi']

/**
 * Found in the text of modules that keep state (a memo of what never changes is none), or take the time, chance or anything
 * else from the simulator.
 */
const ownToACopy =
  /^(export )?let |\brandom(Bytes|UUID|Int)\b|\b(Math\.random|Date\.now|performance\.now|new Date\(\)|Temporal\.Now|process\.env|set(Timeout|Interval|Immediate)|queueMicrotask|AbortSignal|import\.meta)\b/m

function replacements(mutation: Mutation | undefined, shared: ReadonlySet<string>): Plugin {
  return {
    name: 'simulator',
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /^(node:|@aws-)/ }, ({ path, importer }) => {
        if (importer.startsWith(join(import.meta.dirname, 'service'))) return { path, external: true }
        if (
          /^@aws-sdk\/(client-(dynamodb|s3|sqs|sfn|kms|secrets-manager|scheduler)|lib-dynamodb|s3-request-presigner)$/.test(
            path,
          )
        )
          return { path: service('aws') }
        const replaced = builtIns[path]
        return replaced ? { path: replaced } : { path, external: true }
      })
      onResolve({ filter: /^[^./#]/ }, ({ path }) => {
        if (path.startsWith('@middy/')) return undefined
        return shared.has(path) ? { path, namespace: 'shared' } : { path, external: true }
      })
      onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir }) => {
        const file = join(resolveDir, path)
        const name = relative(root, file)
        if (shared.has(name)) return { path: name, namespace: 'shared' }
        return standIns[name] ? { path: standIns[name] } : undefined
      })
      onLoad({ filter: /./, namespace: 'shared' }, async ({ path }) => {
        const names = Object.keys(await load(path)).filter((name) => name !== 'default')
        // Not `export const name`: packages export words of the language, such as `enum`.
        const exports = names.map((name, index) => `const _${index} = module.${name}; export { _${index} as ${name} }`)
        return { contents: [`const module = shared.get(${JSON.stringify(path)})`, ...exports].join('\n') }
      })
      if (!mutation) return
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (relative(root, path) !== mutation.file) return undefined
        return { contents: mutated(readFileSync(path, 'utf8'), mutation), loader: 'ts' }
      })
    },
  }
}

/** @throws StaleMutant where the text does not have the line exactly once. */
export function mutated(text: string, { file, from, to }: Mutation): string {
  if (text.split(from).length !== 2) throw new StaleMutant(`${file} does not have exactly once: ${from}`)
  return text.replace(from, () => to)
}

/** A module of `lib/` by its path, or a package by its name. */
const load = (name: string): Promise<object> => import(name.startsWith('lib/') ? join(root, name) : name)

type Handler = (event: unknown, context: unknown) => Promise<unknown>

/** The exports of one copy of the service. Modules are loaded on use. */
export interface Service {
  handlers: Record<string, () => Promise<{ handler: Handler }>>
  media: () => Promise<typeof import('../../containers/media/commands.ts')>
  setup: () => Promise<typeof setup>
}

const entryPoint = () => {
  const handlers = globSync('functions/**/*.ts', { cwd: root }).toSorted()
  return `
    export const handlers = {
      ${handlers.map((file) => `${JSON.stringify(file.slice('functions/'.length, -3))}: () => import('./${file}')`).join(',\n')}
    }
    export const media = () => import('./containers/media/commands.ts')
    export const setup = () => import(${JSON.stringify(service('setup'))})
  `
}

const parameters = [
  'require',
  'module',
  'shared',
  'simulator',
  'setTimeout',
  'clearTimeout',
  'abortAfter',
  'environment',
]

/** Makes copies of the service, each with its own state, on the ports of a simulation. */
export type ServiceFactory = (ports: Ports) => Service

export interface ServiceCode {
  /** One script. */
  text: string
  /** Modules and packages that all copies of the service share: V8 optimizes what lives on, and loads it once. */
  shared: string[]
}

const buildWith = (mutation: Mutation | undefined, shared: ReadonlySet<string>) =>
  build({
    stdin: { contents: entryPoint(), resolveDir: root, loader: 'ts' },
    bundle: true,
    write: false,
    metafile: true,
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    logLevel: 'error',
    define: {
      'import.meta.dirname': JSON.stringify(root),
      'Math.random': 'simulator.random',
      'Date.now': 'simulator.now',
      'performance.now': 'simulator.now',
      'AbortSignal.timeout': 'abortAfter',
      'process.env': 'environment',
    },
    plugins: [replacements(mutation, shared)],
  })

/** The modules of `lib/` that hold nothing of a copy's own, and of which all imports are such modules. */
async function findShared(mutation: Mutation | undefined): Promise<string[]> {
  const { metafile } = await buildWith(mutation, new Set(sharedPackages))
  const isShareable = (path: string) =>
    /^lib\/.*\.ts$/.test(path) && path !== mutation?.file && !ownToACopy.test(readFileSync(join(root, path), 'utf8'))
  const shared = new Set(Object.keys(metafile.inputs).filter(isShareable))
  // A module that names nothing random takes hashes only.
  const isStateless = ({ path, external = false }: { path: string; external?: boolean }) =>
    external || shared.has(path) || /^shared:|\.json$/.test(path) || path === relative(root, service('crypto'))
  let size: number
  do {
    size = shared.size
    for (const path of shared) if (!metafile.inputs[path]!.imports.every(isStateless)) shared.delete(path)
  } while (shared.size < size)
  return [...shared, ...sharedPackages]
}

export async function bundleService(mutation?: Mutation): Promise<ServiceCode> {
  const shared = await findShared(mutation)
  const { outputFiles } = await buildWith(mutation, new Set(shared))
  return { shared, text: `(function (${parameters.join(', ')}) {${outputFiles[0]!.text}\n})` }
}

export async function evaluateService({ text, shared }: ServiceCode): Promise<ServiceFactory> {
  const evaluate = new Script(text, { filename: 'simulated-service.cjs' }).runInThisContext()
  const modules = new Map(await Promise.all(shared.map(async (name) => [name, await load(name)] as const)))
  const require = createRequire(import.meta.url)
  return (ports) => {
    const module: { exports: Partial<Service> } = { exports: {} }
    const clear = (timer: unknown) => isTimer(timer) && timer.cancel()
    // Each read of the real one takes a call of the system's library.
    const environment = Object.freeze({ ...process.env })
    evaluate(require, module, modules, ports, ports.setTimeout, clear, abortAfter(ports), environment)
    return module.exports as Service
  }
}

const isTimer = (timer: unknown): timer is { cancel: () => void } =>
  typeof timer === 'object' && timer !== null && 'cancel' in timer

const abortAfter =
  ({ setTimeout }: Ports) =>
  (ms: number): AbortSignal => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')), ms)
    return controller.signal
  }
