/** One automation with its blueprint. */
import { getBlueprint } from '../../../lib/actions/automation-view.ts'
import { findBlockers } from '../../../lib/actions/edit-automation.ts'
import { automationView } from '../../../lib/api/automation-views.ts'
import { endpoint } from '../../../lib/api/endpoint.ts'
import * as routes from '../../../lib/api/routes.ts'
import { mediaUrl } from '../../../lib/media-url.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

export const handler = endpoint(routes.getAutomation, async ({ params, workspaceId, now }) => {
  const [workspace, blueprint] = await Promise.all([getWorkspace(workspaceId), getBlueprint(workspaceId, params.id)])
  return automationView(blueprint, await findBlockers(workspace, blueprint, now), mediaUrl)
})
