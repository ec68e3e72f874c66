import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // One service for all files: they meet it over HTTP and keep apart by workspace.
    globalSetup: ['test/support/service.ts'],
    setupFiles: ['test/support/environment.ts'],
    // Also on two processors: many files wait for real clocks and for programs that they started.
    maxWorkers: 3,
    // Bounds for a machine that is four times slower than usual; a test that hangs is what they are for.
    testTimeout: 90_000,
    hookTimeout: 120_000,
  },
})
