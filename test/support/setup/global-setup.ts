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

declare module 'vitest' {
  interface ProvidedContext {
    baseUrl: string
    /** The environment with which the store and the AWS clients reach the same emulators. */
    environment: Record<string, string>
  }
}

export default async function setup(project: TestProject) {
  process.env.POWERTOOLS_LOG_LEVEL ??= 'SILENT'
  // In memory if the system supports it, so that tests do not wait for a disk.
  const directory = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'reelsmith-test-'))
  const service = await startReelsmith({ directory, port: 0, timeScale: 20, log: () => {} })
  project.provide('baseUrl', service.baseUrl)
  project.provide('environment', localEnvironment(service.endpoints, service))
  return async () => {
    await service.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}
