/** What an automation still needs, when it publishes next, and what became of its newest slots. */
import { getBlueprint } from '../../../lib/actions/automation-view.ts'
import { findBlockers } from '../../../lib/actions/edit-automation.ts'
import { automationHealthView } from '../../../lib/api/automation-views.ts'
import { endpoint } from '../../../lib/api/endpoint.ts'
import * as routes from '../../../lib/api/routes.ts'
import { listSlots } from '../../../lib/store/slots.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

const recentSlots = 10

export const handler = endpoint(routes.getAutomationHealth, async ({ params, workspaceId, now }) => {
  const [workspace, blueprint, recent] = await Promise.all([
    getWorkspace(workspaceId),
    getBlueprint(workspaceId, params.id),
    listSlots(workspaceId, params.id, recentSlots),
  ])
  return automationHealthView(blueprint, await findBlockers(workspace, blueprint, now), recent)
})
