import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/**
 * Files that leave what a process has but once (its environment, its modules) otherwise than it was say so in one of these words. Spies and
 * clocks are not among them: those are taken back (`test/support/setup/assert-clean-process.ts`).
 */
const changesItsProcess =
  /\bvi\.(mock|hoisted|resetModules|stubEnv|stubGlobal)\(|aws-sdk-client-mock|process\.env\.\w+ = |Object\.assign\(process\.env|reelsmith\.ts'|support\/(chaos|isolated-emulators)\.ts'/
const root = import.meta.dirname
const files = globSync('test/**/*.test.ts', { cwd: root, exclude: ['**/node_modules/**'] })
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
const running = files.filter((file) => textOf(file).includes("from './shared-service.ts'"))
const apart = files.filter((file) => !running.includes(file) && changesItsProcess.test(textOf(file)))
const together = files.filter((file) => !running.includes(file) && !apart.includes(file))

export default defineConfig({
  test: {
    // One service for all files: they meet it over HTTP and keep apart by workspace.
    globalSetup: ['test/support/setup/global-setup.ts'],
    setupFiles: ['test/support/setup/environment.ts'],
    projects: [
      { extends: true, test: { name: 'apart', include: apart } },
      // To start a process and load the program into it takes longer than most of these files do.
      {
        extends: true,
        test: {
          name: 'together',
          include: together,
          isolate: false,
          setupFiles: ['test/support/setup/assert-clean-process.ts'],
        },
      },
      // The same for files that wait for films: their service is another one, whose outbox does not wait.
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
    // Also on two processors: many files wait for real clocks and for programs that they started.
    maxWorkers: 3,
    // Bounds for a machine that is four times slower than usual; a test that hangs is what they are for.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // By itself `expect.poll` gives up after a second, which such a machine may need for anything.
    expect: { poll: { timeout: 60_000 } },
  },
})
