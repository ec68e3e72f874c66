/** The house rules, held by reading the source: who may import whom, what stays pure, and that the route table is whole. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Route } from '../lib/contract/route.ts'
import * as routes from '../lib/contract/routes.ts'

/** This file shows what it looks for. */
const self = 'test/architecture.test.ts'
const root = fileURLToPath(new URL('..', import.meta.url))

const services = ['s3', 'sfn', 'sqs', 'kms', 'scheduler', 'secrets-manager', 'ecs'].map(
  (name) => `@aws-sdk/client-${name}`,
)
/** What a process has one of (environment, clock, log, metrics), and the helpers for concurrency. */
const ambient = [
  'lib/async.ts',
  'lib/bounded-map.ts',
  'lib/env.ts',
  'lib/clock.ts',
  'lib/log.ts',
  'lib/metrics.ts',
  'lib/media-url.ts',
]
/** The feature folders of the domain, bottom up: each may import the folders named, and `lib/domain/{core,records}`. */
const domain: [folder: string, imports: string[]][] = [
  ['workspaces', []],
  ['videos', ['workspaces']],
  ['generation/captions', []],
  ['generation/quality', ['generation/captions']],
  ['generation/presenter', ['generation']],
  ['generation/scenes', ['videos', 'generation', 'generation/captions']],
  ['generation', ['workspaces', 'videos']],
  ['accounts', ['workspaces']],
  ['publishing', ['workspaces', 'videos', 'accounts']],
  ['automations', ['workspaces', 'videos', 'accounts', 'publishing']],
  ['uploads', ['workspaces', 'videos']],
  ['webhooks', ['workspaces']],
]
const valibot = ['valibot', 'node:crypto', 'node:util', 'node:zlib']
const library = [
  'domain',
  'render',
  'store',
  'aws',
  'ffmpeg',
  'motion',
  'providers',
  'platforms',
  'egress',
  'use-cases',
  'pipelines',
  'contract',
  'http',
  'mcp',
  'bound-views',
].map((name) => `lib/${name}/`)
const entryPoint = [...library, ...ambient, 'valibot', 'aws-lambda', 'node:']

/**
 * Who may import whom. The first row that a file belongs to says all that it may import. A name that ends in a slash is a folder with all that
 * is in it; one that ends in `/*` is a folder without its sub-folders.
 */
const mayImport: [files: string[], imports: string[]][] = [
  // Only this file knows the clocks of all time zones: what imports it pays for them.
  [
    ['lib/domain/automations/slot-times.ts'],
    ['lib/domain/core/', 'lib/domain/records/', 'node:crypto', 'temporal-polyfill'],
  ],
  [['lib/domain/core/'], ['lib/domain/core/', ...valibot]],
  [['lib/domain/records/'], ['lib/domain/core/', 'lib/domain/records/', ...valibot]],
  ...domain.map(([folder, others]): [string[], string[]] => [
    [`lib/domain/${folder}/`],
    [
      ...[folder, ...others].map((name) => `lib/domain/${name}/*`),
      'lib/domain/core/',
      'lib/domain/records/',
      ...valibot,
    ],
  ]),
  // A browser draws with these: they import no built-in module of Node.
  [['lib/render/segments/segment-key.ts'], ['lib/render/', 'lib/domain/', 'node:crypto']],
  [['lib/render/'], ['lib/render/', 'lib/domain/', 'valibot']],
  [['lib/bounded-map.ts', 'lib/env.ts', 'lib/clock.ts', 'lib/redact.ts'], []],
  [['lib/async.ts'], ['node:timers/promises']],
  [['lib/log.ts'], ['lib/redact.ts', '@aws-lambda-powertools/logger', 'node:async_hooks']],
  [['lib/metrics.ts'], ['lib/domain/records/', 'lib/env.ts', 'lib/log.ts']],
  [['lib/media-url.ts'], ['lib/env.ts']],
  [['lib/bound-views/'], ['lib/bound-views/', 'lib/contract/', 'lib/domain/', 'lib/media-url.ts']],
  [
    ['lib/store/'],
    [
      'lib/store/',
      'lib/domain/',
      ...ambient,
      '@aws-sdk/client-dynamodb',
      '@aws-sdk/lib-dynamodb',
      '@aws-sdk/util-dynamodb',
      'node:',
    ],
  ],
  [
    ['lib/aws/'],
    ['lib/aws/', 'lib/domain/', ...ambient, ...services, '@aws-sdk/s3-request-presigner', 'valibot', 'node:'],
  ],
  [['lib/ffmpeg/'], ['lib/ffmpeg/', 'node:']],
  [
    ['lib/motion/kernel-files.ts', 'lib/motion/kernel/'],
    ['lib/motion/kernel.ts', 'assemblyscript/', 'node:'],
  ],
  [['lib/motion/'], ['lib/motion/', 'lib/render/']],
  [['lib/egress/'], ['lib/egress/', 'node:']],
  [
    ['lib/platforms/'],
    ['lib/platforms/', 'lib/domain/', 'lib/egress/', 'lib/env.ts', 'oauth4webapi', 'valibot', 'node:'],
  ],
  [
    ['lib/providers/choose/'],
    ['lib/providers/', 'lib/domain/', 'lib/store/', 'lib/aws/', ...ambient, 'valibot', 'node:'],
  ],
  [
    ['lib/providers/'],
    [
      'lib/providers/',
      'assets/knowledge/',
      'lib/domain/',
      'lib/ffmpeg/',
      'lib/motion/',
      'lib/render/',
      'lib/egress/',
      'lib/async.ts',
      'valibot',
      '@aws-sdk/client-bedrock-runtime',
      '@aws-sdk/client-polly',
      '@aws-sdk/client-transcribe',
      '@smithy/node-http-handler',
      '@echogarden/',
      '@resvg/',
      '@expo-google-fonts/',
      'node:',
    ],
  ],
  // The only reader of the version.
  [
    ['lib/contract/openapi/'],
    ['lib/contract/', 'lib/domain/', 'package.json', 'valibot', '@valibot/to-json-schema', 'node:crypto'],
  ],
  [['lib/contract/'], ['lib/contract/', 'lib/domain/', 'valibot', '@valibot/to-json-schema', 'node:crypto']],
  // It makes no request itself: the adapter gives it the routes.
  [
    ['lib/mcp/'],
    ['lib/mcp/', 'lib/contract/', 'lib/domain/', 'valibot', '@modelcontextprotocol/server', 'node:crypto'],
  ],
  // A tool waits for a video as routes do, under the same limit.
  [
    ['lib/http/mcp-endpoint.ts'],
    [
      'lib/http/',
      'lib/mcp/',
      'lib/contract/',
      'lib/domain/',
      'lib/store/workspaces.ts',
      'lib/use-cases/sync-jobs/wait-permit.ts',
      ...ambient,
      '@middy/',
      'aws-lambda',
      'node:',
    ],
  ],
  [
    ['lib/http/'],
    ['lib/http/', 'lib/contract/', 'lib/domain/', 'lib/store/', ...ambient, '@middy/', 'aws-lambda', 'node:'],
  ],
  [
    ['lib/use-cases/'],
    [
      'lib/use-cases/',
      'lib/contract/',
      'lib/bound-views/',
      'lib/domain/',
      'lib/store/',
      'lib/aws/',
      'lib/providers/',
      'lib/platforms/',
      'lib/render/',
      'assets/objects/',
      'lib/egress/',
      ...ambient,
      'valibot',
      'node:',
    ],
  ],
  [
    ['lib/pipelines/'],
    ['lib/pipelines/', 'lib/use-cases/', 'lib/domain/', 'lib/providers/', ...ambient, 'valibot', 'node:'],
  ],
  [
    ['lib/infra/', 'bin/'],
    [
      'lib/infra/',
      'lib/egress/',
      'lib/domain/',
      'lib/contract/',
      'lib/mcp/tool-table.ts',
      'lib/store/core/',
      'cdk.json',
      'package.json',
      'valibot',
      'aws-cdk-lib',
      'aws-cdk-lib/',
      'cdk-nag',
      'cdk-nag/',
      'constructs',
      'esbuild',
      'node:',
    ],
  ],
  [['functions/'], entryPoint],
  [['containers/'], ['containers/', ...entryPoint, '@expo-google-fonts/', '@resvg/']],
  // For the build and the servers of the studio.
  [['studio/preview/asset-files.ts'], ['studio/preview/', 'lib/motion/', 'lib/render/', 'node:']],
  [['studio/preview/'], ['studio/preview/', 'lib/render/', 'lib/motion/', 'lib/domain/', '@resvg/resvg-wasm']],
  [['studio/'], ['studio/', 'packages/client/', 'lib/render/', 'lib/domain/', 'preact', 'preact/', '@preact/signals']],
]

/** Where the program of the studio's worker starts, and what of the renderer and the rules it therefore loads. */
const browserEntries = ['studio/preview/worker.ts', 'studio/preview/sound-worker.ts', 'studio/preview/player.ts']

/** These may import everything, and nobody imports them. */
const outside = ['local/', 'scripts/', 'test/', 'bench/', 'types/']
const mayReadTheEnvironment = [
  ...outside,
  'bin/',
  'lib/infra/',
  'lib/env.ts',
  'lib/ffmpeg/binary.ts',
  'lib/providers/narrator/engine-process.ts',
]

/** An optional package, which is looked for before it is loaded, and the text of an entry, which the bundler resolves. */
const loadsByPath = ['lib/providers/narrator/espeak-process.ts', 'bin/bundle.ts']

const isIn = (name: string, places: string[]) =>
  places.some((place) =>
    place.endsWith('/*')
      ? dirname(name) === place.slice(0, -2)
      : /[/:]$/.test(place)
        ? name.startsWith(place)
        : name === place,
  )

interface Source {
  file: string
  code: string
}

const sources: Source[] = globSync(
  '{bin,bench,containers,functions,lib,local,scripts,studio,test,types}/**/*.{ts,tsx}',
  {
    cwd: root,
  },
)
  .filter((file) => !file.startsWith('lib/motion/kernel/source/') && !file.includes('/node_modules/'))
  .toSorted()
  .map((file) => ({ file, code: readFileSync(join(root, file), 'utf8') }))
const inner = sources.filter(({ file }) => !isIn(file, outside))

/** What a file imports, types and dynamic imports included: paths from the root of the repository, or names of packages. */
function importsOf({ file, code }: Source): string[] {
  const found = code.matchAll(/(?:^(?:import|export)\b[^'"`;]*?\bfrom\s*|^import\s*|\bimport\(\s*)['"]([^'"]+)['"]/gm)
  return [...found].map(([, name]) => (name!.startsWith('.') ? join(dirname(file), name!) : name!))
}

/** The files that a program consists of: all that its entries import, without types. */
function programOf(entries: string[], files: Source[]): Source[] {
  const known = new Map(files.map((source) => [source.file, source]))
  const reached = new Set(entries)
  for (const name of reached) {
    const source = known.get(name)
    if (!source) continue
    const code = source.code.replace(/^(?:import|export) type\b[^'"]*['"][^'"]+['"]/gm, '')
    for (const next of importsOf({ file: name, code })) reached.add(next)
  }
  return files.filter(({ file }) => reached.has(file))
}

const withoutComments = (code: string) => code.replace(/\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/.*$/gm, '')

/** The files of every import circle: Tarjan's strongly connected components that hold more than one file. */
function circlesIn(files: Source[]): string[][] {
  const known = new Map(files.map((source) => [source.file, importsOf(source)]))
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const circles: string[][] = []
  const visit = (file: string) => {
    order.set(file, order.size)
    lowest.set(file, order.get(file)!)
    open.push(file)
    for (const next of known.get(file)!.filter((name) => known.has(name))) {
      if (!order.has(next)) visit(next)
      if (open.includes(next)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(next)!))
    }
    if (lowest.get(file) !== order.get(file)) return
    const circle = open.splice(open.indexOf(file))
    if (circle.length > 1 || known.get(file)!.includes(file)) circles.push(circle.toSorted())
  }
  for (const { file } of files) if (!order.has(file)) visit(file)
  return circles
}

/** `file: what` for every place that a pattern matches. */
const places = (files: Source[], pattern: RegExp) =>
  files.flatMap(({ file, code }) =>
    [...withoutComments(code).matchAll(pattern)].map(([text]) => `${file}: ${text.trim()}`),
  )

describe('imports', () => {
  it('lead only where the table allows', () => {
    const wrong = inner.flatMap((source) => {
      const allowed = mayImport.find(([files]) => isIn(source.file, files))?.[1]
      if (!allowed) return [`${source.file} belongs to no row of the table`]
      return importsOf(source)
        .filter((name) => !isIn(name, allowed))
        .map((name) => `${source.file} imports ${name}`)
    })
    expect(wrong).toEqual([])
  })

  it('never lead back to where they began, types included', () => {
    expect(circlesIn(sources.filter(({ file }) => !isIn(file, ['test/', 'scripts/', 'types/'])))).toEqual([])
  })

  it('that lead back are found', () => {
    const source = (file: string, name: string): Source => ({ file, code: `import type { A } from './${name}.ts'` })
    const files = [source('lib/a.ts', 'b'), source('lib/b.ts', 'c'), source('lib/c.ts', 'b'), source('lib/d.ts', 'd')]
    expect(circlesIn(files)).toEqual([['lib/b.ts', 'lib/c.ts'], ['lib/d.ts']])
  })

  it('of what a browser runs never lead to Node', () => {
    const program = programOf(browserEntries, sources)
    expect(program.map(({ file }) => file)).toContain('lib/motion/kernel.ts')
    expect(places(program, /^import (?!type).*'(?:node:|@resvg\/resvg-js).*/gm)).toEqual([])
    expect(places(program, /\b(?:process\.|Buffer\.(?:from|alloc|concat))/g)).toEqual([])
  })

  it('are written out, so that this test sees them', () => {
    const seen = inner.filter(({ file }) => !isIn(file, loadsByPath))
    expect(places(seen, /\bimport\((?!\s*['"]).*/g)).toEqual([])
  })

  it('of packages are listed in package.json', () => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    ) as Record<string, Record<string, string>>
    // The program that the test of the npm client installs it into imports it by its name.
    const ours = { '@reelsmith/client': 'packages/client' }
    const listed: Record<string, string> = { ...dependencies, ...devDependencies, ...optionalDependencies, ...ours }
    const others = sources.filter(({ file }) => file !== self)
    const missing = others.flatMap((source) =>
      importsOf(source)
        .filter(
          (name) => /^[@a-z]/.test(name) && !name.startsWith('node:') && !existsSync(join(root, name.split('/')[0]!)),
        )
        .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)![0])
        .filter((name) => !listed[name] && !listed[`@types/${name}`])
        .map((name) => `${source.file} imports ${name}`),
    )
    expect(missing).toEqual([])
  })

  it('are found in every way they can be written', () => {
    const code =
      "import a from './a.ts'\nimport type {\n  B,\n} from '../b.ts'\nimport './c.ts'\nexport * from './d.ts'\nawait import('./e.ts')\n"
    expect(importsOf({ file: 'lib/x/y.ts', code })).toEqual([
      'lib/x/a.ts',
      'lib/b.ts',
      'lib/x/c.ts',
      'lib/x/d.ts',
      'lib/x/e.ts',
    ])
  })
})

/** `name: files` for every name that more than one of the files declares and exports; re-exports do not count. */
function repeatedExports(files: Source[]): string[] {
  const homes = new Map<string, string[]>()
  const declaration = /^export (?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm
  for (const { file, code } of files) {
    const names = new Set([...withoutComments(code).matchAll(declaration)].map(([, name]) => name!))
    for (const name of names) homes.set(name, [...(homes.get(name) ?? []), file])
  }
  return [...homes].filter(([, found]) => found.length > 1).map(([name, found]) => `${name}: ${found.join(', ')}`)
}

describe('exported names', () => {
  it('have one home within the domain, the use cases and the store', () => {
    expect(
      repeatedExports(sources.filter(({ file }) => isIn(file, ['lib/domain/', 'lib/use-cases/', 'lib/store/']))),
    ).toEqual([])
  })

  it('with two homes are found, types and values alike', () => {
    const files: Source[] = [
      {
        file: 'lib/a.ts',
        code: 'export interface Page {}\nexport const one = 1\nexport function two(): void\nexport function two() {}',
      },
      {
        file: 'lib/b.ts',
        code: "export type Page = string\nexport async function* one() {}\nexport { two } from './a.ts'",
      },
    ]
    expect(repeatedExports(files)).toEqual(['Page: lib/a.ts, lib/b.ts', 'one: lib/a.ts, lib/b.ts'])
  })
})

describe('the source', () => {
  it('reads the environment in the named places only', () => {
    expect(
      places(
        sources.filter(({ file }) => !isIn(file, mayReadTheEnvironment)),
        /process\.env.*/g,
      ),
    ).toEqual([])
  })

  it('keeps clock, chance and network out of the rules and the renderer', () => {
    const pure = sources.filter(({ file }) => isIn(file, ['lib/domain/', 'lib/render/']))
    expect(
      places(pure, /Date\.now\(|new Date\(\)|Math\.random\(|\bfetch\(|performance\.now\(|setTimeout\(|process\./g),
    ).toEqual([])
  })

  it('has no any, no silenced error and no note to finish it later', () => {
    const untyped = places(sources, /[:<,|&]\s*any\b(?=\s*[;,)>=[\]|&{]|$)|\bas\s+any\b/gm)
    const noted = sources
      .filter(({ file }) => file !== self)
      .flatMap(({ file, code }) =>
        [...code.matchAll(/@ts-(?:ignore|nocheck)|\b(?:TODO|FIXME|XXX)\b/g)].map(([text]) => `${file}: ${text}`),
      )
    expect([...untyped, ...noted]).toEqual([])
  })
})

describe('the route table', () => {
  const handlers = Object.values<Route>(routes).map(({ handler }) => `functions/api/${handler}.ts`)

  it.each(Object.entries<Route>(routes))('%s has its handler', (_name, { handler }) => {
    expect(existsSync(join(root, `functions/api/${handler}.ts`))).toBe(true)
  })

  it('has a row for every handler', () => {
    const files = globSync('functions/api/**/*.ts', { cwd: root })
    expect(files.toSorted()).toEqual([...handlers, 'functions/api/not-found.ts'].toSorted())
  })

  it('names each method and path once', () => {
    const signatures = Object.values<Route>(routes).map(({ signature }) => signature.replace(/\{\w+\}/g, '{}'))
    expect(signatures).toEqual([...new Set(signatures)])
  })
})
