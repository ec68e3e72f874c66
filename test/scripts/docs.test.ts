/** The generated documents: the committed files match the code, and pass their linters. */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { authenticatedRoutes, openApiDocument, sortedRoutes } from '../../lib/contract/openapi/document.ts'
import { generatedFiles, testsOfRules } from '../../scripts/docs.ts'
import { rules } from '../routes/rules/index.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const document = openApiDocument()

interface Example {
  where: string
  schema: object
  example: unknown
}

/** Every `{ schema, example }` of a document, at any depth. */
function examplesIn(part: unknown, where = '#'): Example[] {
  if (typeof part !== 'object' || part === null) return []
  const { schema, example } = part as Partial<Example>
  const found = schema && example !== undefined ? [{ where, schema, example }] : []
  return [...found, ...Object.entries(part).flatMap(([key, inner]) => examplesIn(inner, `${where}/${key}`))]
}

describe('the documents', () => {
  it.each(Object.entries(generatedFiles()))('%s is up to date', (path, text) => {
    expect(readFileSync(`${root}${path}`, 'utf8') === text, `${path} is out of date: run npm run docs`).toBe(true)
  })

  it('give a reason for every dependency, and for no other package', () => {
    const parts = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as Record<string, Record<string, string>>
    const installed = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((part) =>
      Object.keys(parts[part]!),
    )
    const explained = [
      ...readFileSync(`${root}docs/decisions/0008-dependencies.md`, 'utf8').matchAll(/^\| `([^`]+)` \|/gm),
    ]
    expect(explained.map(([, name]) => name!).toSorted()).toEqual(installed.toSorted())
  })

  it('link only to files that exist', () => {
    const pages = globSync(['*.md', 'docs/**/*.md', 'state-machines/*.md', 'local/*.md', 'packages/*/*.md'], {
      cwd: root,
    })
    const dead = pages.flatMap((page) =>
      [...readFileSync(`${root}${page}`, 'utf8').matchAll(/\]\(([^)#]+)\)/g)]
        .map(([, target]) => target!)
        .filter((target) => !/^https?:/.test(target) && !existsSync(join(root, dirname(page), target)))
        .map((target) => `${page} leads to ${target}`),
    )
    expect(dead).toEqual([])
  })
})

describe('the rules of the specification', () => {
  const shown = testsOfRules().map(({ id }) => id)

  it('have one test each', () => {
    const lost = rules.filter(({ id }) => !shown.includes(id))
    expect(lost.map(({ id }) => `${id} has no test`)).toEqual([])
    const known = rules.map(({ id }): string => id)
    expect(shown.filter((id, index) => shown.indexOf(id) !== index || !known.includes(id))).toEqual([])
  })
})

describe('the OpenAPI document', () => {
  it('passes the linter without an error or a warning', () => {
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    const cli = `${root}node_modules/@redocly/cli/bin/cli.js`
    const report = execFileSync(process.execPath, [cli, 'lint', '--format=json'], {
      cwd: root,
      env,
      encoding: 'utf8',
      timeout: 80_000,
    })
    expect(JSON.parse(report).totals).toEqual({ errors: 0, warnings: 0, ignored: 0 })
  })

  it('has one operation for each row of the table, under the name of the row', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
    expect(operations.map(({ operationId }) => operationId)).toEqual(sortedRoutes.map(({ name }) => name))
  })

  const examples = examplesIn(document.paths).concat(examplesIn(document.components))

  it('has an example of every response', () => {
    const answers = examples.filter(({ where }) => /responses\/20\d/.test(where))
    expect(answers).toHaveLength(authenticatedRoutes.length)
  })

  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'document', components: document.components })
  const absolute = (schema: object) =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')) as object

  it.each(examples)('the example at $where is valid', ({ schema, example }) => {
    const check = ajv.compile(absolute(schema))
    check(example)
    expect(check.errors ?? []).toEqual([])
  })

  const request = ajv.compile({ $ref: 'document#/components/schemas/CreateVideoRequest' })
  it.each([
    [{ prompt: 'an idea' }, true],
    [{ brief: { text: 'a script' } }, true],
    [{ prompt: 'an idea', unknown: 1 }, true],
    [{ type: 'ai' }, false],
    [{ prompt: ' ' }, false],
    [{ prompt: 'an idea', type: 'video' }, false],
    [{ prompt: 'an idea', isAutomation: true }, false],
  ])('describes the body %j as the parser judges it: %s', (body, allowed) => {
    expect(request(body)).toBe(allowed)
  })
})
