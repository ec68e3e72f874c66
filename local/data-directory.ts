// Creates the data directory of the local run, or throws one sentence that says what to do.

import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** `directory` is absolute. Each missing parent is created by itself: `recursive` never returns below /proc. */
export function createDataDirectory(directory: string): void {
  const stats = statSync(directory, { throwIfNoEntry: false })
  if (stats && !stats.isDirectory()) throw new Error(`DATA_DIR ${directory} is a file. Set DATA_DIR to a directory.`)
  try {
    createMissing(directory)
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    throw new Error(`DATA_DIR ${directory} cannot be written. Set DATA_DIR to a directory that you may write.`)
  }
}

function createMissing(directory: string): void {
  if (statSync(directory, { throwIfNoEntry: false })) return
  createMissing(dirname(directory))
  mkdirSync(directory)
}
