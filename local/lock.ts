// One run per data directory: two programs writing the same files would corrupt them, and no emulator takes a lock itself.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const SQLITE_BUSY = 5
const LOCK_WAIT_MS = 2_000

interface Lock {
  release(): void
}

/**
 * Takes the directory for this process, or throws an Error that names the process which has it.
 * The lock is SQLite's own on `lock`: the kernel drops it when its owner dies in any way, so a dead owner never blocks and a
 * reused process id never fools us, as they would with a bare file of a pid. `lock.pid` is only for the message.
 */
export function lockDirectory(directory: string): Lock {
  const ownerFile = join(directory, 'lock.pid')
  // Whoever only asks whether the directory is in use holds the lock for a moment: wait for that, not for an owner.
  const database = new DatabaseSync(join(directory, 'lock'), { timeout: LOCK_WAIT_MS })
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
    throw new Error(`${directory} is in use by process ${ownerOf(ownerFile)}: stop it, or choose another DATA_DIR.`)
  }
  writeFileSync(ownerFile, String(process.pid))
  return { release: () => database.close() }
}

/** Whether a live process has the directory. A pid alone would not tell: it may be another program's by now. */
export function isLocked(directory: string): boolean {
  const file = join(directory, 'lock')
  if (!existsSync(file)) return false
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    database.exec('BEGIN EXCLUSIVE; ROLLBACK')
    return false
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
    return true
  } finally {
    database.close()
  }
}

function ownerOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '(unknown)'
  }
}
