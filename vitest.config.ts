import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // One service for all files: they meet it over HTTP and keep apart by workspace.
    globalSetup: ['test/support/service.ts'],
    setupFiles: ['test/support/environment.ts'],
    testTimeout: 20_000,
    hookTimeout: 40_000,
  },
})
