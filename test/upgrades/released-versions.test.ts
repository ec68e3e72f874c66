/** Rows of every released version are fixtures: a release stores its own (CONTRIBUTING.md, "Release"). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { busyVersions, legacyVersions } from '../support/given/legacy-rows.ts'

const { version: current }: { version: string } = JSON.parse(read('package.json'))
function read(file: string): string {
  return readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
}

it('have a fixture each, once a newer one is in development', () => {
  const released = [...read('CHANGELOG.md').matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, version]) => version!)
  const stored = new Set<string>([...legacyVersions, ...busyVersions].map(([version]) => version))
  expect(released.filter((version) => version !== current && !stored.has(version))).toEqual([])
})
