/** A service of its own for a test file: the workers are woken by the test alone, and time is the test's. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { type Reelsmith, startReelsmith } from '../../../local/reelsmith.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { stopClock } from './webhooks.ts'

/** Its outbox and its queues wait: nothing is dispatched or delivered unasked. */
export function ownService(timeScale = 1): void {
  const directory = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'reelsmith-workers-'))
  let service: Reelsmith
  beforeAll(async () => {
    service = await startReelsmith({ directory, port: 0, timeScale, log: () => {} })
  })
  afterAll(async () => {
    await service.stop()
    rmSync(directory, { recursive: true, force: true })
  })
}

/** The receiver of the test that runs. */
export let receiver: Receiver

/** The same with a new receiver for each test, and a clock that stands still until the test moves it. */
export function ownServiceAndReceiver(): void {
  ownService()
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
