/** The service that runs for all files of the project `running`; each uses its own workspace. */
import { inject } from 'vitest'
import type { PlanId } from '../../lib/domain/workspaces/plan.ts'
import { listEvents } from '../../lib/store/core/outbox.ts'
import { newWorld, type World } from '../support/world.ts'
import type { ApiCredentials } from './service-process.ts'

/** The directory with its persistent data. */
export const serviceDirectory = inject('directory')

/** Calls the API for a new workspace that no other test uses. */
export async function newApiClient(planId: PlanId = 'self-hosted'): Promise<ApiCredentials & World> {
  return { baseUrl: inject('baseUrl'), ...(await newWorld({ planId })) }
}

/** The types of the emitted events of a workspace, oldest first. */
export const eventTypesOf = async ({ workspaceId }: Pick<World, 'workspaceId'>) =>
  (await listEvents(workspaceId)).map(({ type }) => type)
