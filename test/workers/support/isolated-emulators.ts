/** Separate emulators for a test file: only the test runs the workers and moves the clock. */
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { startReelsmith } from '../../../local/reelsmith.ts'
import { startTestReceiver, type TestReceiver } from '../../support/receiver.ts'
import { temporaryDirectoryOfFile } from '../../support/temporary-directory.ts'
import { startEmulators } from './emulators.ts'
import { freezeClock } from './run-workers.ts'

function running(start: (directory: string) => Promise<{ stop: () => Promise<void> }>): void {
  const directory = temporaryDirectoryOfFile({ memory: true })
  let started: Awaited<ReturnType<typeof start>>
  beforeAll(async () => {
    started = await start(directory)
  })
  afterAll(() => started.stop())
}

/** The outbox and the queues are passive: nothing is dispatched or delivered automatically. */
export const useEmulators = (): void => running((directory) => startEmulators(directory, 1))

/** The same with a whole service. The sweeper reads the whole table, and the table of the other tests is full. */
export const useService = (): void =>
  running((directory) => startReelsmith({ directory, port: 0, timeScale: 20, log: () => {} }))

/** The receiver of the current test. */
export let testReceiver: TestReceiver

/** The same with a new receiver per test, and a clock that only the test moves. */
export function useEmulatorsAndReceiver(): void {
  useEmulators()
  beforeEach(async () => {
    freezeClock()
    testReceiver = await startTestReceiver()
  })
  afterEach(async () => {
    await testReceiver.stop()
    vi.restoreAllMocks()
    vi.useRealTimers()
  })
}
