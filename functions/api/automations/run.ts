/** Makes one clip at once, outside the timetable; it is published when it is rendered. */

import * as routes from '../../../lib/contract/routes.ts'
import { videoView } from '../../../lib/contract/views/index.ts'
import { blockersOf, refuseBlocked } from '../../../lib/domain/automations/blockers.ts'
import { runAutomation } from '../../../lib/domain/automations/clip-runs.ts'
import { changedVideos } from '../../../lib/domain/records/decision.ts'
import { withWallClockJobTimes } from '../../../lib/domain/videos/wall-clock.ts'
import { workspaceNow } from '../../../lib/domain/workspaces/workspace.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { mediaUrl } from '../../../lib/media-url.ts'
import { getBlueprint, loadAutomationContext } from '../../../lib/use-cases/automations/load-automation.ts'

export const handler = endpoint(routes.runAutomation, async ({ params, workspaceId, now, commit }) => {
  const view = await loadAutomationContext(await getBlueprint(workspaceId, params.id))
  const { workspace, blueprint, accounts } = view
  const at = workspaceNow(workspace, now)
  refuseBlocked(blockersOf(workspace, blueprint, accounts, at))
  const { decision, clip } = runAutomation(view, true, at)
  const queued = withWallClockJobTimes(decision, now)
  const made = changedVideos(queued).find(({ id }) => id === clip.id) ?? clip
  return commit(queued, videoView(made, mediaUrl))
})
