/** The data directory of the local run: created, or refused with one sentence. */
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createDataDirectory } from '../../local/data-directory.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

test('missing parents are created, and an existing directory is kept', () => {
  const directory = join(temporaryDirectory(), 'a/b')
  createDataDirectory(directory)
  createDataDirectory(directory)
  expect(statSync(directory).isDirectory()).toBe(true)
})

test('a file, and a directory below a file, are refused', () => {
  const file = join(temporaryDirectory(), 'file')
  writeFileSync(file, '')
  expect(() => createDataDirectory(file)).toThrow('is a file. Set DATA_DIR to a directory.')
  expect(() => createDataDirectory(join(file, 'a'))).toThrow('cannot be written. Set DATA_DIR')
})

test.runIf(process.getuid?.() !== 0)('a directory without write permission is refused', () => {
  const directory = join(temporaryDirectory(), 'a')
  mkdirSync(directory, { mode: 0o500 })
  expect(() => createDataDirectory(directory)).toThrow('cannot be written. Set DATA_DIR')
})

test.runIf(process.getuid?.() !== 0)('a directory with a file of another user is refused', () => {
  const directory = temporaryDirectory()
  writeFileSync(join(directory, 'lock'), '', { mode: 0o400 })
  expect(() => createDataDirectory(directory)).toThrow('has files that you may not write, such as lock')
})

test.runIf(process.platform === 'linux')('a directory below /proc is refused at once', () => {
  expect(() => createDataDirectory('/proc/foo/bar')).toThrow('cannot be written. Set DATA_DIR')
})
