/** For files that share a process: none may leave it otherwise than it was, or the next one meets what it cannot know. */
import { afterAll, expect } from 'vitest'

const before = { ...process.env }
afterAll(() => {
  expect({ ...process.env }, 'A file that changes its process has to run apart: see vitest.config.ts').toEqual(before)
})
