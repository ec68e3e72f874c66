/** Emulators of its own for a test file: the workers are woken by the test alone, and time is the test's. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import type { Stack } from '../../../local/stack.ts'
import { startEmulators } from './emulators.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { stopClock } from './webhooks.ts'

/** Its outbox and its queues wait: nothing is dispatched or delivered unasked. */
export function ownEmulators(): void {
  const directory = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'reelsmith-workers-'))
  let emulators: Stack
  beforeAll(async () => {
    emulators = await startEmulators(directory, 1)
  })
  afterAll(async () => {
    await emulators.stop()
    rmSync(directory, { recursive: true, force: true })
  })
}

/** The receiver of the test that runs. */
export let receiver: Receiver

/** The same with a new receiver for each test, and a clock that stands still until the test moves it. */
export function ownEmulatorsAndReceiver(): void {
  ownEmulators()
  beforeEach(async () => {
    stopClock()
    receiver = await startReceiver()
  })
  afterEach(async () => {
    await receiver.stop()
    vi.restoreAllMocks()
    vi.useRealTimers()
  })
}
