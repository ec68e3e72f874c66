import { defineConfig } from 'vitest/config'

/** `npm run test:models`: a separate run, because its packages are no dependencies of the project. */
export default defineConfig({
  test: { include: ['test/models/*.suite.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
})
