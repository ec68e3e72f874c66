// Creates the data directory of the local run, or throws one sentence that says what to do.

import { accessSync, constants, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

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
  const foreign = readdirSync(directory).find((name) => !isWritable(join(directory, name)))
  if (foreign)
    throw new Error(
      `DATA_DIR ${directory} has files that you may not write, such as ${foreign}: another user ran Reelsmith there. ` +
        'Change their owner (chown -R), or set another DATA_DIR.',
    )
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return true
  } catch (error) {
    // Another run may have removed it meanwhile.
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

function createMissing(directory: string): void {
  if (statSync(directory, { throwIfNoEntry: false })) return
  createMissing(dirname(directory))
  mkdirSync(directory)
}
