/**
 * `npm run docs`: writes what follows from the code (openapi.json, routes.md, keys.md, states.md, conformance.md). Running it
 * twice changes nothing; a test fails while the committed files differ from what it would write.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { openApiDocument, sortedRoutes } from '../lib/contract/openapi/document.ts'
import type { JobStatus, PublishStatus, VideoStatus } from '../lib/domain/core/states.ts'
import { canTransition, jobStatuses, publishStatuses, videoStatus, videoStatuses } from '../lib/domain/core/states.ts'
import type { Key } from '../lib/store/core/keys.ts'
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
import { compactJson } from './compact-json.ts'
import { markdownTable } from './markdown-table.ts'

const root = new URL('..', import.meta.url)
const generated = 'Written by `npm run docs`; do not edit.'

/** Every generated file, by its path in the repository. */
export const generatedFiles = (): Record<string, string> => ({
  'docs/openapi.json': `${compactJson(openApiDocument())}\n`,
  'docs/reference/routes.md': routesPage(),
  'docs/reference/keys.md': keysPage(),
  'docs/reference/states.md': statesPage(),
  'docs/reference/conformance.md': conformancePage(),
})

const page = (title: string, ...parts: string[]) => `${[`# ${title}`, generated, ...parts].join('\n\n')}\n`

function routesPage(): string {
  const cells = sortedRoutes.map(({ row, method, path }) => {
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
    'Paths are relative to a base URL that ends in `/v1`. The table is `lib/contract/routes.ts`; shapes are in [openapi.json](../openapi.json).',
    markdownTable(['Method', 'Path', 'What it does', 'Status', 'Idempotency-Key', 'Handler'], cells),
  )
}

/** The comment above each entry of `keys.ts` is its access pattern, the names of its parameters fill the places. */
function keysPage(): string {
  const source = readFileSync(new URL('lib/store/core/keys.ts', root), 'utf8')
  const described = [...source.matchAll(/ {2}\/\*\* (.+?) \*\/\n {2}(\w+): \((.*?)\)/g)]
  const rowsOf = <Place>(entries: Record<string, (...names: string[]) => Place>, cells: (place: Place) => string[]) =>
    Object.entries(entries).map(([name, build]) => {
      const [, pattern, , parameters] = described.find((found) => found[2] === name) ?? []
      if (pattern === undefined || parameters === undefined)
        throw new Error(`lib/store/core/keys.ts says nothing of ${name}.`)
      const names = [...parameters.matchAll(/(\w+):/g)].map(([, parameter]) => `{${parameter}}`)
      return [name, ...cells(build(...names)).map((cell) => `\`${cell}\``), pattern]
    })
  return page(
    'Keys of the table',
    'One table; `lib/store/core/keys.ts` is the only place that builds a key. What stands in braces is filled in.',
    '## Records',
    markdownTable(
      ['Record', 'pk', 'sk', 'Access pattern'],
      rowsOf(keys, ({ pk, sk }: Key) => [pk, sk]),
    ),
    `## The index \`${listIndex.name}\``,
    `Sparse and narrow: rows carry ${listAttributes.map((name) => `\`${name}\``).join(', ')}. A page reads these and then only the records that it shows. ` +
      `The sort key \`${listIndex.sort}\` is a time, \`#\` and an id.`,
    markdownTable(
      ['List', listIndex.partition, 'What it holds'],
      rowsOf(listPartitions, (place: string) => [place]),
    ),
    `## The index \`${dueIndex.name}\``,
    `Sparse: everything that waits, spread over \`${duePartitions().at(0)}\` to \`${duePartitions().at(-1)}\` by its id. The sort key \`${dueIndex.sort}\` is ` +
      'the time from which the sweeper looks at it, `#` and the id. ' +
      `Tokens wait in \`${duePartitions(['tokens']).at(0)}\` to \`${duePartitions(['tokens']).at(-1)}\`, for whoever renews them.`,
    '## Expiry',
    `Rows with \`${ttlAttribute}\` (epoch seconds) are deleted by the table, up to days late: readers compare it with the time.`,
  )
}

function statesPage(): string {
  const moves = (statuses: readonly PublishStatus[]) =>
    statuses.flatMap((from) => statuses.filter((to) => canTransition(from, to)).map((to) => ({ from, to })))
  const diagram = (statuses: readonly PublishStatus[]) => {
    const lines = moves(statuses).map(({ from, to }) => `  ${from} --> ${to}`)
    const ends = statuses.filter((from) => !moves(statuses).some((move) => move.from === from))
    return [
      '```mermaid',
      'stateDiagram-v2',
      `  [*] --> ${statuses[0]}`,
      ...lines,
      ...ends.map((end) => `  ${end} --> [*]`),
      '```',
    ].join('\n')
  }
  const derived = jobs.flatMap((process) =>
    jobs.map((render) => [
      process ?? 'none',
      render ?? 'none',
      ...[null, 'a film'].map((renderKey) => statusOf(process, render, renderKey)),
    ]),
  )
  return page(
    'States',
    'The rules are `lib/domain/core/states.ts`. Terminal is final: a requeue is a new run with a new run id, and a late message of an older run changes nothing.',
    '## process and render',
    diagram(jobStatuses),
    '## publish',
    diagram(publishStatuses),
    '## The status of a video',
    `It is derived on every read, never stored apart from its causes: ${videoStatuses.map((status) => `\`${status}\``).join(', ')}. ` +
      'The first that holds of: a job failed, a render is open, a generation is open, a film exists.',
    markdownTable(['process', 'render', 'without a film', 'with a film'], derived),
  )
}

/** The tests that show each rule, found where they call `rule`: the file, and what the test is found by. */
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
    'What the specification asks, sentence by sentence, and the test that shows it. A test is named after its rule: ' +
      '`npm test -- -t videos.create.nested-wins` runs one. The table is `test/routes/rules/index.ts`.',
    `${shown.length} of ${rules.length} rules are shown.`,
    ...Object.keys(sections).flatMap((section) => [
      `## ${section}`,
      markdownTable(
        ['Rule', 'What holds', 'Shown in'],
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
