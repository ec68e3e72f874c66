/**
 * One service whose pipelines run, for all files of the project `running`: to start one, and to load its functions into it, costs more than
 * most films. Whoever kills it, or has vendors of its own, starts its own (`service.ts`).
 */
import type { TestProject } from 'vitest/node'
import { localEnvironment } from '../../local/environment.ts'
import { startServiceProcess, temporaryDataDirectory } from './service-process.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the running service keeps everything that lasts. */
    directory: string
  }
}

export default async function setup(project: TestProject) {
  const { directory, remove } = temporaryDataDirectory()
  const { runtime, stop } = await startServiceProcess(directory)
  // In place of those of the service that waits (`test/support/setup/global-setup.ts`).
  project.provide('baseUrl', runtime.baseUrl)
  project.provide('environment', localEnvironment(runtime.endpoints, runtime))
  project.provide('directory', directory)
  return async () => {
    await stop()
    remove()
  }
}
