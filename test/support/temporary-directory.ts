/** Directories that are removed when a test, or all tests of a file, have finished. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

const inMemory = () => (existsSync('/dev/shm') ? '/dev/shm' : tmpdir())
const newDirectory = (parent: string) => mkdtempSync(join(parent, 'reelsmith-test-'))
const remove = (directory: string) => rmSync(directory, { recursive: true, force: true })

/** A new directory for the test that runs, in memory where the system has such a place. */
export function temporaryDirectory(): string {
  const directory = newDirectory(inMemory())
  onTestFinished(() => remove(directory))
  return directory
}

/**
 * A new directory for all tests of a file: call it outside the tests, before hooks that use it (`afterAll` hooks run in reverse order).
 * Programs can be executed in it unless it is in memory.
 */
export function temporaryDirectoryOfFile({ memory = false } = {}): string {
  const directory = newDirectory(memory ? inMemory() : tmpdir())
  afterAll(() => remove(directory))
  return directory
}
