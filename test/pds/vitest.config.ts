import { defineConfig } from 'vitest/config'

/** `npm run test:bluesky`: apart from the others, for the server's packages are not those of the product. */
export default defineConfig({
  test: { include: ['test/pds/*.suite.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
})
