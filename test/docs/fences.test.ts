/**
 * The TypeScript in the documents is type-checked against the repository, and every path that they name exists.
 *
 * A fence that names a file (```ts lib/x.ts) is that file, or is appended to it where it exists, so that the fences of a page may
 * import each other. Any other fence is a program of a reader: it imports `@reelsmith/client` or `reelsmith/…`, and may use the
 * names in `readerNames`.
 */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const sources = ['README.md', 'CONTRIBUTING.md', 'docs/**/*.md', 'state-machines/*.md', 'packages/*/README.md']
const pages = globSync(sources, { cwd: root })
const textOf = (page: string) => readFileSync(join(root, page), 'utf8')

interface Fence {
  /** `README.md:44`. */
  place: string
  /** The file that the fence names. */
  file: string | undefined
  code: string
}

const fences = pages.flatMap((page): Fence[] =>
  [...textOf(page).matchAll(/^( *)```ts(?: (\S+))?\n([\s\S]*?)^\1```$/gm)].map(
    ({ 1: indent, 2: file, 3: code, index }) => ({
      place: `${page}:${textOf(page).slice(0, index).split('\n').length}`,
      file,
      code: code!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  ),
)

/** The context that a reader's program has besides the fence. */
const readerNames = `
declare const apiKey: string
declare const secret: string
declare const rawBody: Buffer
declare const request: import('node:http').IncomingMessage
declare function enqueue(...values: unknown[]): Promise<void>
`

const copy = mkdtempSync(join(tmpdir(), 'reelsmith-fences-'))
afterAll(() => rmSync(copy, { recursive: true }))

/** The errors of all fences, from one run of the compiler on a copy of the sources. */
function typeErrors(checked: Fence[]): string[] {
  const isSource = (path: string) => statSync(path).isDirectory() || /\.(ts|js|json)$/.test(path)
  for (const folder of ['lib', 'functions', 'local', 'packages', 'scripts', 'test', 'types'])
    cpSync(join(root, folder), join(copy, folder), { recursive: true, filter: isSource })
  cpSync(join(root, 'package.json'), join(copy, 'package.json'))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const files = checked.map(({ place, file, code }) => {
    const path = file ?? join('fences', `${place.replaceAll(/[/:]/g, '-')}.ts`)
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    writeFileSync(join(copy, path), file ? `\n${code}` : `${code}\nexport {}\n`, { flag: 'a' })
    return path
  })
  writeFileSync(join(copy, 'fences/reader.d.ts'), readerNames)
  const paths = {
    'reelsmith/*': ['./*'],
    '@reelsmith/client': ['./packages/client/index.d.ts'],
    '@reelsmith/client/webhooks': ['./packages/client/webhooks.d.ts'],
  }
  const compilerOptions = { noUnusedLocals: false, paths }
  const include = [...files, 'fences/reader.d.ts', 'types/**/*.d.ts', 'test/support/setup/*.ts']
  const config = { extends: join(root, 'tsconfig.json'), compilerOptions, include, exclude: [] }
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(root, 'node_modules/.bin/tsc')
  const { stdout } = spawnSync(tsc, ['--noEmit', '--singleThreaded', '--pretty', 'false'], {
    cwd: copy,
    encoding: 'utf8',
  })
  return stdout.split('\n').filter((line) => line.includes('error TS') && files.includes(line.split('(')[0]!))
}

describe('the TypeScript in the documents', () => {
  it('is found', () => {
    const found = new Set(fences.map(({ place }) => place.split(':')[0]))
    expect([...found]).toEqual(
      expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'docs/guides/webhooks.md', 'packages/client/README.md']),
    )
  })

  it('type-checks against the repository; an error is reported with its location', () => {
    const wrong = {
      place: 'wrong.md:1',
      file: undefined,
      code: "import { nothing } from 'reelsmith/lib/contract/route.ts'",
    }
    expect(typeErrors([...fences, wrong])).toEqual([
      expect.stringMatching(/^fences\/wrong\.md-1\.ts\(1,10\): error TS2305/),
    ])
  })
})

/** An operation of the OpenAPI document of the copy, to which the fences of all pages were applied. */
function operationInCopy(path: string): Record<string, unknown> | null {
  const program = `import { openApiDocument } from './lib/contract/openapi/document.ts'
    console.log(JSON.stringify(openApiDocument().paths['${path}']?.post ?? null))`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: copy,
    encoding: 'utf8',
  })
  if (!stdout) throw new Error(stderr)
  return JSON.parse(stdout)
}

it('the route of CONTRIBUTING.md is in the document with its description, its example and its refusals', () => {
  const [, example = '', file = ''] =
    /^4\. [\s\S]*?\n +`(\w+: [^`]+)` in `(\w+\.ts)`/m.exec(textOf('CONTRIBUTING.md')) ?? []
  const examples = join(copy, 'lib/contract/openapi/examples', file)
  const before = readFileSync(examples, 'utf8')
  writeFileSync(examples, before.replace(/^( *)createVideo: .*$/m, `$&\n$1${example}`))
  expect(operationInCopy('/videos/{id}/duplicate')).toMatchObject({
    operationId: 'duplicateVideo',
    description: expect.stringMatching(/^[A-Z].+\.$/),
    responses: {
      201: { content: { 'application/json': { example: { data: { brief: expect.anything() } } } } },
      402: expect.anything(),
      409: expect.anything(),
    },
  })
})

describe('the paths in the documents', () => {
  const folders = globSync('*/', { cwd: root }).filter((name) => !['dist', 'node_modules', 'out'].includes(name))
  const isPath = (text: string) => folders.some((folder) => text.startsWith(`${folder}/`)) && /^[\w./*@-]+$/.test(text)

  it.each(pages)('of %s exist', (page) => {
    const named = [...textOf(page).matchAll(/`([^`\s]+)`/g)].map(([, text]) => text!).filter(isPath)
    expect(named.filter((path) => globSync(path.replace(/\/$/, ''), { cwd: root }).length === 0)).toEqual([])
  })
})
