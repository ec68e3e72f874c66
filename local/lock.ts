// One run per data directory: two processes would corrupt the files, and the emulators take no lock.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const SQLITE_BUSY = 5
const LOCK_WAIT_MS = 2_000

interface Lock {
  release(): void
}

/**
 * Locks the directory, or throws an error that names the owning process. The lock is SQLite's lock on the file `lock`: the kernel
 * releases it when its owner exits in any way. A pid file would block after a crash or match a reused process id; `lock.pid` is
 * only used for the message.
 */
export function lockDirectory(directory: string): Lock {
  const ownerFile = join(directory, 'lock.pid')
  // `isLocked` holds the lock briefly: wait for that, but not for an owner.
  const database = new DatabaseSync(join(directory, 'lock'), { timeout: LOCK_WAIT_MS })
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
    throw new Error(`${directory} is in use by process ${ownerOf(ownerFile)}. Stop it, or choose another DATA_DIR.`)
  }
  writeFileSync(ownerFile, String(process.pid))
  return { release: () => database.close() }
}

/** Whether a live process owns the directory. A pid alone is not enough: it may have been reused. */
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
