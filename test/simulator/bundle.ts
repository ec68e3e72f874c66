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
  'node:timers/promises': service('timers'),
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

/** Shared by all copies of the service, because they hold no state and take long to load. */
const sharedPackages = ['temporal-polyfill', 'oauth4webapi']
const sharedModules = [
  'lib/domain/generation/picture-overrides.ts',
  'lib/domain/generation/picture-families.ts',
  'lib/domain/generation/picture-grounds.ts',
  'lib/domain/generation/picture-selection.ts',
  'lib/domain/generation/picture-stop-words.ts',
  'lib/domain/generation/captions/emoji.ts',
  'lib/egress/address-policy.ts',
]

function replacements(mutation: Mutation | undefined): Plugin {
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
      onResolve({ filter: /^[^./#]/ }, ({ path }) =>
        path === 'valibot' || path.startsWith('@middy/') ? undefined : { path, external: true },
      )
      onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir }) => {
        const file = join(resolveDir, path)
        const name = relative(root, file)
        if (sharedModules.includes(name) && name !== mutation?.file) return { path: file, external: true }
        return standIns[name] ? { path: standIns[name] } : undefined
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

const parameters = ['require', 'module', 'simulator', 'setTimeout', 'clearTimeout', 'abortAfter', 'environment']

/** Makes copies of the service, each with its own state, on the ports of a simulation. */
export type ServiceFactory = (ports: Ports) => Service

/** The code of the service as one script. */
export async function bundleService(mutation?: Mutation): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: entryPoint(), resolveDir: root, loader: 'ts' },
    bundle: true,
    write: false,
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
    plugins: [replacements(mutation)],
  })
  return `(function (${parameters.join(', ')}) {${outputFiles[0]!.text}\n})`
}

export async function evaluateService(code: string): Promise<ServiceFactory> {
  const evaluate = new Script(code, { filename: 'simulated-service.cjs' }).runInThisContext()
  const names = [...sharedPackages, ...sharedModules.map((name) => join(root, name))]
  const packages = new Map(await Promise.all(names.map(async (name) => [name, await import(name)] as const)))
  const load = createRequire(import.meta.url)
  const require = (name: string) => packages.get(name) ?? load(name)
  return (ports) => {
    const module: { exports: Partial<Service> } = { exports: {} }
    const clear = (timer: unknown) => isTimer(timer) && timer.cancel()
    // Each read of the real one takes a call of the system's library.
    const environment = Object.freeze({ ...process.env })
    evaluate(require, module, ports, ports.setTimeout, clear, abortAfter(ports), environment)
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
