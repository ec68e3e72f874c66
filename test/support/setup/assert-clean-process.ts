/** For files that share a process: none may leave it otherwise than it was, or the next one meets what it cannot know. */
import { afterAll, expect, vi } from 'vitest'

const before = { ...process.env }
afterAll(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  expect({ ...process.env }, 'A file that changes its process has to run apart: see vitest.config.ts').toEqual(before)
})
