import { defineConfig } from 'vitest/config'

/** `npm run test:bluesky`: a separate run, because the server's packages are no dependencies of the product. */
export default defineConfig({
  test: { include: ['test/pds/*.suite.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
})
