/** The service that runs for all files of the project `running`; each works in a workspace of its own. */
import { inject } from 'vitest'
import type { PlanId } from '../../lib/domain/workspaces/plan.ts'
import { listEvents } from '../../lib/store/core/outbox.ts'
import { newWorld, type World } from '../support/world.ts'
import type { ApiCredentials } from './service-process.ts'

/** Where it keeps everything that lasts. */
export const serviceDirectory = inject('directory')

/** Speaks to the API for a workspace that nobody else knows. */
export async function newApiClient(planId: PlanId = 'self-hosted'): Promise<ApiCredentials & World> {
  return { baseUrl: inject('baseUrl'), ...(await newWorld({ planId })) }
}

/** The types of what was told of a workspace, oldest first. */
export const eventTypesOf = async ({ workspaceId }: Pick<World, 'workspaceId'>) =>
  (await listEvents(workspaceId)).map(({ type }) => type)
