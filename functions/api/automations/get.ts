/** One automation with its blueprint. */

import { automationView } from '../../../lib/bound-views/automations.ts'
import * as routes from '../../../lib/contract/routes/automations.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { loadBlockers } from '../../../lib/use-cases/automations/edit-automation.ts'
import { getBlueprint } from '../../../lib/use-cases/automations/load-automation.ts'

export const handler = endpoint(routes.getAutomation, async ({ params, workspaceId, now }) => {
  const [workspace, blueprint] = await Promise.all([getWorkspace(workspaceId), getBlueprint(workspaceId, params.id)])
  return automationView(blueprint, await loadBlockers(workspace, blueprint, now))
})
