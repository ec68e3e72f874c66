/**
 * One service whose pipelines run, for all files of the project `running`: to start one, and to load its functions,
 * costs more than most renders. Tests that kill it or need their own vendors start their own (`service.ts`).
 */
import type { TestProject } from 'vitest/node'
import { localEnvironment } from '../../local/environment.ts'
import { assertNone, linesAtError } from '../support/setup/error-lines.ts'
import { startServiceProcess, temporaryDataDirectory } from './service-process.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The directory with the persistent data of the running service. */
    directory: string
  }
}

export default async function setup(project: TestProject) {
  const { directory, remove } = temporaryDataDirectory()
  const { runtime, stop, output } = await startServiceProcess(directory)
  // Instead of those of the service that waits (`test/support/setup/global-setup.ts`).
  project.provide('baseUrl', runtime.baseUrl)
  project.provide('environment', localEnvironment(runtime.endpoints, runtime))
  project.provide('directory', directory)
  return async () => {
    await stop()
    remove()
    assertNone(linesAtError(output()))
  }
}
