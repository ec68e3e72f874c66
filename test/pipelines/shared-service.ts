/** The service that runs for all files of the project `running`; each uses its own workspace. */
import { inject } from 'vitest'
import type { PlanId } from '../../lib/domain/workspaces/plan.ts'
import { listEvents } from '../../lib/store/event-journal.ts'
import { lockDirectory } from '../../local/lock.ts'
import { findRuntime, type Runtime, writeRuntime } from '../../local/runtime.ts'
import { newWorld, type World } from '../support/world.ts'
import { type ApiCredentials, temporaryDataDirectory } from './service-process.ts'

/** The directory with its persistent data. */
export const serviceDirectory = inject('directory')

/** Calls the API for a new workspace that no other test uses. */
export async function newApiClient(planId: PlanId = 'self-hosted'): Promise<ApiCredentials & World> {
  return { baseUrl: inject('baseUrl'), ...(await newWorld({ planId })) }
}

/** The types of the emitted events of a workspace, oldest first. */
export const eventTypesOf = async ({ workspaceId }: Pick<World, 'workspaceId'>) =>
  (await listEvents(workspaceId)).map(({ type }) => type)

/** A data directory in which commands find this service, with the key of a new workspace as that of the local run. */
export async function newCommandDirectory(): Promise<{ directory: string; runtime: Runtime; remove: () => void }> {
  const { directory, remove } = temporaryDataDirectory()
  const { workspaceId, apiKey } = await newWorld()
  const runtime = { ...findRuntime(serviceDirectory)!, workspaceId, apiKey }
  // Commands ignore a directory that no process has locked.
  const lock = lockDirectory(directory)
  writeRuntime(directory, runtime)
  return {
    directory,
    runtime,
    remove: () => {
      lock.release()
      remove()
    },
  }
}
