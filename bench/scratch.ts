/** Scratch directories of benches. In memory where /dev/shm is available: the benches measure work, not a disk. */
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a directory; the caller deletes it. */
export const createScratchDirectory = (): string =>
  mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'reelsmith-bench-'))
