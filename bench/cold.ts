/**
 * `npm run bench:cold`: the bytes that a cold start of each bundled function loads, and the duration of its import in a
 * new process, compared to an empty handler. A route of the API counts with what its function loads for it. The last line
 * of output is one JSON object.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundle } from '../bin/bundle.ts'
import { functionsFolder } from '../lib/infra/bundle-paths.ts'
import { median } from './load/statistics.ts'
import { startBench } from './result-files.ts'

const runs = 10
const emptyHandler = 'empty'

const end = await startBench('cold')
const scratch = mkdtempSync(join(tmpdir(), 'cold-'))
try {
  writeFileSync(join(scratch, `${emptyHandler}.mjs`), 'export const handler = async () => {}\n')
  const { functions, routes } = await bundle(scratch)
  const entries = [...functions, ...routes]
  const files = new Map([
    [emptyHandler, join(scratch, `${emptyHandler}.mjs`)],
    ...entries.map(({ name }) => [name, join(functionsFolder(scratch), `${name}.mjs`)] as const),
  ])
  const times = new Map([...files.keys()].map((name) => [name, [] as number[]]))
  // Round by round, so that a load peak of the machine affects all of them alike. The first round only warms the disk
  // cache.
  for (let round = 0; round <= runs; round++) {
    for (const [name, file] of files) {
      const ms = importMs(file)
      if (round > 0) times.get(name)!.push(ms)
    }
  }
  const medianOf = (name: string) => rounded(median(times.get(name)!))
  const emptyMs = medianOf(emptyHandler)
  const handlers = Object.fromEntries(
    entries.map(({ name, bytes }) => {
      const ms = medianOf(name)
      return [name, { bytes, importMs: ms, overEmptyMs: rounded(ms - emptyMs) }]
    }),
  )
  console.table(handlers)
  const all = Object.values(handlers)
  end({
    emptyMs,
    functions: functions.length,
    largestBytes: Math.max(...all.map(({ bytes }) => bytes)),
    slowestOverEmptyMs: Math.max(...all.map(({ overEmptyMs }) => overEmptyMs)),
    medianOverEmptyMs: median(all.map(({ overEmptyMs }) => overEmptyMs)),
    handlers,
  })
} finally {
  rmSync(scratch, { recursive: true })
}

/** Milliseconds of `import` in a new process. */
function importMs(file: string): number {
  const script = `const start = performance.now()
    await import(${JSON.stringify(pathToFileURL(file).href)})
    process.stdout.write(String(performance.now() - start))`
  return Number(execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' }))
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10
}
