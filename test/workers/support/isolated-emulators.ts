/** Emulators of its own for a test file: the workers are woken by the test alone, and time is the test's. */
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

/** Its outbox and its queues wait: nothing is dispatched or delivered unasked. */
export const useEmulators = (): void => running((directory) => startEmulators(directory, 1))

/** The same as a whole service. The sweeper looks at whatever waits in the table, and that of the other tests is full of it. */
export const useService = (): void =>
  running((directory) => startReelsmith({ directory, port: 0, timeScale: 20, log: () => {} }))

/** The receiver of the test that runs. */
export let testReceiver: TestReceiver

/** The same with a new receiver for each test, and a clock that stands still until the test moves it. */
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
