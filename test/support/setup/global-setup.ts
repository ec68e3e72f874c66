/**
 * Starts the service once for all test files, in a directory that is removed afterwards. Its outbox waits, so that
 * videos that the tests of the routes queue are never generated. Tests of the pipelines use another one
 * (`test/pipelines/shared-service-setup.ts`), or start their own.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { localEnvironment } from '../../../local/environment.ts'
import { startReelsmith } from '../../../local/reelsmith.ts'
import { assertNone, collectErrorLines, readErrorLines } from './error-lines.ts'

declare module 'vitest' {
  interface ProvidedContext {
    baseUrl: string
    /** The environment with which the store and the AWS clients reach the same emulators. */
    environment: Record<string, string>
    /** The file with what the service logged at ERROR (`error-lines.ts`). */
    errorLines: string
    /** The log level of the tests' own processes. */
    logLevel: string
  }
}

export default async function setup(project: TestProject) {
  const logLevel = process.env.POWERTOOLS_LOG_LEVEL
  process.env.POWERTOOLS_LOG_LEVEL ??= 'ERROR'
  // In memory if the system supports it, so that tests do not wait for a disk.
  const directory = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'reelsmith-test-'))
  const errorLines = join(directory, 'errors.log')
  const stopCollecting = collectErrorLines(errorLines, { isShown: logLevel !== undefined })
  const service = await startReelsmith({ directory, port: 0, timeScale: 20, log: () => {} })
  project.provide('baseUrl', service.baseUrl)
  project.provide('environment', localEnvironment(service.endpoints, service))
  project.provide('errorLines', errorLines)
  project.provide('logLevel', logLevel ?? 'SILENT')
  return async () => {
    await service.stop()
    stopCollecting()
    const errors = readErrorLines(errorLines)
    rmSync(directory, { recursive: true, force: true })
    assertNone(errors)
  }
}
