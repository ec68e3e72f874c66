/** Makes one clip now, outside the schedule; it is published once it is rendered. */

import { videoView } from '../../../lib/bound-views/index.ts'
import * as routes from '../../../lib/contract/routes/automations.ts'
import { blockersOf, refuseBlocked } from '../../../lib/domain/automations/blockers.ts'
import { runAutomation } from '../../../lib/domain/automations/clip-runs.ts'
import { changedVideos } from '../../../lib/domain/records/decision.ts'
import { decideForWorkspace } from '../../../lib/domain/workspaces/test-clock.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getBlueprint, loadAutomationContext } from '../../../lib/use-cases/automations/load-automation.ts'

export const handler = endpoint(routes.runAutomation, async ({ params, workspaceId, now, commit }) => {
  const context = await loadAutomationContext(await getBlueprint(workspaceId, params.id))
  const { workspace, blueprint, accounts } = context
  const decision = decideForWorkspace(workspace, now, (at) => {
    refuseBlocked(blockersOf(workspace, blueprint, accounts, at))
    return runAutomation(context, true, at).decision
  })
  const clip = changedVideos(decision).find(({ id }) => id !== blueprint.id)!
  return commit(decision, videoView(clip))
})
