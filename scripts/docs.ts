/**
 * `npm run docs`: generates openapi.json, routes.md, keys.md, states.md, conformance.md and the generated files of the clients
 * (`clients.ts`) from the code. Deterministic; a test fails where the committed files differ from the generated ones.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { openApiDocument, sortedRoutes } from '../lib/contract/openapi/document.ts'
import type { JobStatus, PublishStatus, VideoStatus } from '../lib/domain/core/states.ts'
import { canTransition, jobStatuses, publishStatuses, videoStatus, videoStatuses } from '../lib/domain/core/states.ts'
import type { DueLane, Key } from '../lib/store/core/keys.ts'
import {
  dueIndex,
  duePartitions,
  keys,
  listAttributes,
  listIndex,
  listPartitions,
  ttlAttribute,
} from '../lib/store/core/keys.ts'
import type { Rule } from '../test/routes/rules/index.ts'
import { rules, sections } from '../test/routes/rules/index.ts'
import { clientFiles } from './clients.ts'
import { compactJson } from './compact-json.ts'
import { markdownTable } from './markdown-table.ts'
import { mcpFiles } from './mcp/files.ts'

const root = new URL('..', import.meta.url)
const generated = 'Written by `npm run docs`; do not edit.'

/** The text of each generated file, by its path in the repository. */
export const generatedFiles = (): Record<string, string> => ({
  'docs/openapi.json': `${compactJson(openApiDocument())}\n`,
  'docs/reference/routes.md': routesPage(),
  'docs/reference/keys.md': keysPage(),
  'docs/reference/states.md': statesPage(),
  'docs/reference/conformance.md': conformancePage(),
  ...clientFiles(),
  ...mcpFiles(),
})

const page = (title: string, ...parts: string[]) => `${[`# ${title}`, generated, ...parts].join('\n\n')}\n`

function routesPage(): string {
  const rows = sortedRoutes.map(({ row, method, path }) => {
    const file = `functions/api/${row.handler}.ts`
    return [
      method,
      `\`${path}\``,
      row.summary,
      String(row.status ?? 200),
      row.idempotent ? 'yes' : '',
      `[${row.handler}](../../${file})`,
    ]
  })
  return page(
    'Routes',
    'Paths are relative to the base URL, which ends in `/v1`. The source is `lib/contract/routes.ts`; [openapi.json](../openapi.json) has the schemas.',
    markdownTable(['Method', 'Path', 'What it does', 'Status', 'Idempotency-Key', 'Handler'], rows),
  )
}

/** Reads `keys.ts`: the comment of an entry is its access pattern, its parameters are the placeholders of the key. */
/** `DUE#0` to `DUE#7`. */
function shardsOf(lane: DueLane): string {
  const shards = duePartitions([lane])
  return `\`${shards.at(0)}\` to \`${shards.at(-1)}\``
}

function keysPage(): string {
  const source = readFileSync(new URL('lib/store/core/keys.ts', root), 'utf8')
  const described = [...source.matchAll(/ {2}\/\*\* (.+?) \*\/\n {2}(\w+): \((.*?)\)/g)]
  const rowsOf = <Place>(entries: Record<string, (...names: string[]) => Place>, cells: (place: Place) => string[]) =>
    Object.entries(entries).map(([name, build]) => {
      const [, pattern, , parameters] = described.find((found) => found[2] === name) ?? []
      if (pattern === undefined || parameters === undefined)
        throw new Error(`${name} in lib/store/core/keys.ts has no comment of one line above it.`)
      const names = [...parameters.matchAll(/(\w+):/g)].map(([, parameter]) => `{${parameter}}`)
      return [name, ...cells(build(...names)).map((cell) => `\`${cell}\``), pattern]
    })
  return page(
    'Keys of the table',
    'One DynamoDB table. Only `lib/store/core/keys.ts` builds keys. Names in braces are placeholders.',
    '## Records',
    markdownTable(
      ['Record', 'pk', 'sk', 'Access pattern'],
      rowsOf(keys, ({ pk, sk }: Key) => [pk, sk]),
    ),
    `## The index \`${listIndex.name}\``,
    `Sparse, with few attributes: ${listAttributes.map((name) => `\`${name}\``).join(', ')}. A page query reads these, then only the records of the page. ` +
      `The sort key \`${listIndex.sort}\` is a time, \`#\` and an id.`,
    markdownTable(
      ['List', listIndex.partition, 'What it holds'],
      rowsOf(listPartitions, (place: string) => [place]),
    ),
    `## The index \`${dueIndex.name}\``,
    `Sparse: all pending work, sharded by id over ${shardsOf('deliveries')} for deliveries, ${shardsOf('others')} for the rest. The sort key \`${dueIndex.sort}\` is ` +
      'the time from which the sweeper processes it, `#` and the id. ' +
      `Access tokens that expire are in ${shardsOf('tokens')}, for the worker that refreshes them.`,
    '## Expiry',
    `DynamoDB deletes rows with \`${ttlAttribute}\` (Unix seconds), up to days late: readers compare it with the current time.`,
  )
}

function statesPage(): string {
  const transitions = (statuses: readonly PublishStatus[]) =>
    statuses.flatMap((from) => statuses.filter((to) => canTransition(from, to)).map((to) => ({ from, to })))
  const diagram = (statuses: readonly PublishStatus[]) => {
    const lines = transitions(statuses).map(({ from, to }) => `  ${from} --> ${to}`)
    const terminal = statuses.filter((from) => !transitions(statuses).some((transition) => transition.from === from))
    return [
      '```mermaid',
      'stateDiagram-v2',
      `  [*] --> ${statuses[0]}`,
      ...lines,
      ...terminal.map((status) => `  ${status} --> [*]`),
      '```',
    ].join('\n')
  }
  const derived = jobs.flatMap((process) =>
    jobs.map((render) => [
      process ?? 'none',
      render ?? 'none',
      ...[null, 'key'].map((renderKey) => statusOf(process, render, renderKey)),
    ]),
  )
  return page(
    'States',
    'The source is `lib/domain/core/states.ts`. Terminal statuses are final: a requeue is a new run with a new run id, and late messages of an older run are ignored.',
    '## process and render',
    diagram(jobStatuses),
    '## publish',
    diagram(publishStatuses),
    '## The status of a video',
    `Derived on every read, never stored. One of ${videoStatuses.map((status) => `\`${status}\``).join(', ')}. ` +
      'The first match decides: a job failed, a render is open, a generation is open, a render is stored.',
    markdownTable(['process', 'render', 'without a stored render', 'with a stored render'], derived),
  )
}

/** The test file of each rule, found by the calls of `rule('id', …)`. */
export function testsOfRules(): { id: string; file: string }[] {
  const files = globSync('test/routes/**/*.test.ts', { cwd: fileURLToPath(root) }).toSorted()
  return files.flatMap((file) => {
    const calls = readFileSync(new URL(file, root), 'utf8').matchAll(/\brule\(\s*(\[[^\]]*\]|'[^']*')/g)
    return [...calls].flatMap(([, ids]) => [...ids!.matchAll(/'([^']*)'/g)].map(([, id]) => ({ id: id!, file })))
  })
}

function conformancePage(): string {
  const tests = new Map(testsOfRules().map(({ id, file }) => [id, file]))
  const placeOf = ({ id }: Rule) => {
    const file = tests.get(id)
    return file ? `[${file.slice('test/routes/'.length)}](../../${file})` : 'none yet'
  }
  const shown = rules.filter(({ id }) => tests.has(id))
  return page(
    'Conformance',
    'The requirements of the specification, one rule each, and the tests that verify them. A test is named after its rule: ' +
      '`npm test -- -t videos.create.nested-wins` runs one. The table is `test/routes/rules/index.ts`.',
    `${shown.length} of ${rules.length} rules are verified.`,
    ...Object.keys(sections).flatMap((section) => [
      `## ${section}`,
      markdownTable(
        ['Rule', 'Requirement', 'Verified in'],
        rules
          .filter((rule) => rule.section === section)
          .map((rule) => [`\`${rule.id}\``, rule.statement, placeOf(rule)]),
      ),
    ]),
  )
}

const jobs = [null, ...jobStatuses]

const statusOf = (process: JobStatus | null, render: JobStatus | null, renderKey: string | null): VideoStatus =>
  videoStatus({ process: process && { status: process }, render: render && { status: render }, media: { renderKey } })

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  for (const [path, text] of Object.entries(generatedFiles())) writeFileSync(new URL(path, root), text)
