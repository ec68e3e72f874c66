import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/**
 * Matches files that change their process for good (environment, module registry): they are isolated. Spies, stubs and fake clocks do not
 * count, as they are restored (`test/support/setup/assert-clean-process.ts`).
 */
const changesItsProcess =
  /\bvi\.(mock|hoisted|resetModules)\(|aws-sdk-client-mock|process\.env\.\w+ = |Object\.assign\(process\.env|(reelsmith|stack)\.ts'|support\/(chaos|isolated-emulators)\.ts'/
const root = import.meta.dirname
const files = globSync('test/**/*.test.ts', { cwd: root, exclude: ['**/node_modules/**'] })
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
const running = files.filter((file) => /\/shared-service\.ts'/.test(textOf(file)))
const apart = files.filter((file) => !running.includes(file) && changesItsProcess.test(textOf(file)))
const together = files.filter((file) => !running.includes(file) && !apart.includes(file))

export default defineConfig({
  test: {
    // One service for all files; each test uses its own workspaces.
    globalSetup: ['test/support/setup/require-chromium.ts', 'test/support/setup/global-setup.ts'],
    setupFiles: ['test/support/setup/environment.ts'],
    projects: [
      { extends: true, test: { name: 'apart', include: apart } },
      // Starting a process and loading the program into it takes longer than most of these files.
      {
        extends: true,
        test: {
          name: 'together',
          include: together,
          isolate: false,
          setupFiles: ['test/support/setup/assert-clean-process.ts'],
        },
      },
      // The same for files that wait for renders: they share another service, which dispatches its outbox.
      {
        extends: true,
        test: {
          name: 'running',
          include: running,
          isolate: false,
          setupFiles: ['test/support/setup/assert-clean-process.ts'],
          globalSetup: ['test/pipelines/shared-service-setup.ts'],
        },
      },
    ],
    // Three also on two processors: many files wait for real clocks and for child processes. More than six would only wait for each other:
    // one thread answers the requests of all tests of routes.
    maxWorkers: Math.min(Math.max(availableParallelism(), 3), 6),
    // For tests that hang; generous enough for a machine that is four times slower than usual.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // The default of `expect.poll` is one second, too short for such a machine.
    expect: { poll: { timeout: 60_000 } },
  },
})
