/** One version number: of the package, its lockfile, the OpenAPI document, and the newest release of the changelog. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openApiDocument } from '../../lib/contract/openapi/document.ts'
import packages from '../../package.json' with { type: 'json' }

const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8')

it('the package, its lockfile and the documents have one version', () => {
  const lock = JSON.parse(read('package-lock.json'))
  const versions = [lock.version, lock.packages[''].version, (openApiDocument().info as { version: string }).version]
  expect([...versions, JSON.parse(read('docs/openapi.json')).info.version]).toEqual(Array(4).fill(packages.version))
})

it('the changelog begins with what is not released, followed by the releases, newest first', () => {
  const [first, ...releases] = Array.from(read('CHANGELOG.md').matchAll(/^## (.+)$/gm), ([, heading]) => heading!)
  expect(first).toBe('Unreleased')
  for (const heading of releases) expect(heading).toMatch(/^\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d$/)
  expect(releases[0]?.split(' ')[0] ?? packages.version).toBe(packages.version)
  const dates = releases.map((heading) => heading.split(' - ')[1]!)
  expect(dates).toEqual(dates.toSorted().toReversed())
})
