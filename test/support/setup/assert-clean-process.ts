/** For files that share a process: restores mocks, stubs and timers, and fails a file that leaves another environment behind. */
import { afterAll, expect, vi } from 'vitest'

const before = { ...process.env }
afterAll(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  expect({ ...process.env }, 'A file that changes its process has to run apart: see vitest.config.ts').toEqual(before)
})
