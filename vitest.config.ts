import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Files that change what a process has but once (its environment, its clock, its modules) say so in one of these words. */
const changesItsProcess =
  /\bvi\.\w+\(|aws-sdk-client-mock|process\.env|reelsmith\.ts'|support\/(chaos|service|webhooks)\.ts'/
const root = import.meta.dirname
const files = globSync('test/**/*.test.ts', { cwd: root, exclude: ['**/node_modules/**'] })
const apart = files.filter((file) => changesItsProcess.test(readFileSync(join(root, file), 'utf8')))
const together = files.filter((file) => !apart.includes(file))

export default defineConfig({
  test: {
    // One service for all files: they meet it over HTTP and keep apart by workspace.
    globalSetup: ['test/support/service.ts'],
    setupFiles: ['test/support/environment.ts'],
    projects: [
      { extends: true, test: { name: 'apart', include: apart } },
      // To start a process and load the program into it takes longer than most of these files do.
      {
        extends: true,
        test: { name: 'together', include: together, isolate: false, setupFiles: ['test/support/undisturbed.ts'] },
      },
    ],
    // Also on two processors: many files wait for real clocks and for programs that they started.
    maxWorkers: 3,
    // Bounds for a machine that is four times slower than usual; a test that hangs is what they are for.
    testTimeout: 90_000,
    hookTimeout: 120_000,
  },
})
