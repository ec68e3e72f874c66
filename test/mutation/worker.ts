/** Tries mutants one after the other, as its parent sends them. It may hang in an endless loop: the parent ends it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createVitest, type TestSpecification } from 'vitest/node'
import { testsOf } from './covering-tests.ts'
import { applied, type Mutant } from './mutants.ts'

const root = join(import.meta.dirname, '../..')
let replaced: { id: string; code: string } | undefined

const vitest = await createVitest(
  'test',
  {
    root,
    config: false,
    watch: false,
    pool: 'threads',
    maxWorkers: 1,
    isolate: true,
    // The cache of transformed modules does not know the mutants.
    fsModuleCache: false,
    include: ['test/**/*.test.ts'],
    // For clients of Bedrock, which the tests point at stand-ins.
    env: { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' },
    reporters: [{}],
    testTimeout: 60_000,
  },
  {
    plugins: [
      {
        name: 'mutant',
        enforce: 'pre',
        transform: (_code: string, id: string) =>
          replaced && id === replaced.id ? { code: replaced.code, map: null } : undefined,
      },
    ],
  },
)
const specifications = new Map(
  (await vitest.globTestSpecifications()).map((specification): [string, TestSpecification] => [
    specification.moduleId,
    specification,
  ]),
)

async function passes(test: string): Promise<boolean> {
  const id = join(root, test)
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specifications.get(id)!])
  // The result also has the modules of earlier runs.
  return unhandledErrors.length === 0 && testModules.find(({ moduleId }) => moduleId === id)?.state() === 'passed'
}

function load(file: string, change: (source: string) => string): void {
  const id = join(root, file)
  // Else the last mutant of another file would stay.
  if (replaced) vitest.invalidateFile(replaced.id)
  replaced = { id, code: change(readFileSync(id, 'utf8')) }
  vitest.invalidateFile(id)
}

/** Of each test: whether it passes without a mutant. */
const sound = new Map<string, boolean>()

/** The test file that fails; undefined where none does. */
async function killerOf(mutant: Mutant): Promise<string | undefined> {
  for (const test of testsOf(mutant.file)) {
    if (!sound.has(test)) {
      load(mutant.file, (source) => source)
      sound.set(test, await passes(test))
      if (!sound.get(test)) console.error(`fails without a mutant: ${test}`)
    }
    load(mutant.file, (source) => applied(source, mutant))
    if (sound.get(test) && !(await passes(test))) return test
  }
  return undefined
}

// One mutant and one answer a line.
console.log('ready')
for await (const line of createInterface({ input: process.stdin }))
  console.log(JSON.stringify({ killer: (await killerOf(JSON.parse(line))) ?? null }))
process.exit()
