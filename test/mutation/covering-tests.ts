/** Which test files import a source file, directly or not, by the imports in the texts. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const root = join(import.meta.dirname, '../..')
const imports = /(?:^|\n)(?:import|export)(?! type)[^'"]*?from '(\.[^']+\.ts)'|import\('(\.[^']+\.ts)'\)/g

const importsOf = new Map<string, string[]>()
function directImports(file: string): string[] {
  const known = importsOf.get(file)
  if (known) return known
  const text = readFileSync(join(root, file), 'utf8')
  const found = [...text.matchAll(imports)].map((match) =>
    relative(root, join(root, dirname(file), match[1] ?? match[2]!)),
  )
  importsOf.set(file, found)
  return found
}

/** The distance of each file that a test file loads. */
function distances(test: string): Map<string, number> {
  const seen = new Map([[test, 0]])
  for (const [file, distance] of seen)
    for (const next of directImports(file)) if (!seen.has(next)) seen.set(next, distance + 1)
  return seen
}

/** What needs a service: a test that loads one of these does not run without it. */
const needsService = /^(lib\/store\/core\/client\.ts|test\/support\/world\.ts|local\/reelsmith\.ts)$/

const reach = globSync('test/{domain,contract,render,providers,motion,platforms}/**/*.test.ts', { cwd: root })
  .map((test) => ({ test, files: distances(test) }))
  .filter(
    ({ test, files }) => test.startsWith('test/domain/') || ![...files.keys()].some((file) => needsService.test(file)),
  )

/** The tests of a file, the nearest first: those of the domain, and others that import it directly. */
export const testsOf = (file: string): string[] =>
  reach
    .flatMap(({ test, files }) => {
      const distance = files.get(file)
      const isNear = distance !== undefined && (test.startsWith('test/domain/') || distance <= 2)
      return isNear ? [{ test, distance: distance + (test.startsWith('test/domain/') ? 0 : 0.5) }] : []
    })
    .toSorted((a, b) => a.distance - b.distance)
    .map(({ test }) => test)
