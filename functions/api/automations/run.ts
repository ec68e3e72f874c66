/** Makes one clip at once, outside the timetable; it is published when it is rendered. */
import { getBlueprint, viewOf } from '../../../lib/actions/automation-view.ts'
import { endpoint } from '../../../lib/api/endpoint.ts'
import * as routes from '../../../lib/api/routes.ts'
import { videoView } from '../../../lib/api/views.ts'
import { blockersOf, refuseBlocked } from '../../../lib/domain/blockers.ts'
import { videosAfter } from '../../../lib/domain/decision.ts'
import { inRealTime } from '../../../lib/domain/job-times.ts'
import { runAutomation } from '../../../lib/domain/runs.ts'
import { timeIn } from '../../../lib/domain/workspace.ts'
import { mediaUrl } from '../../../lib/media-url.ts'

export const handler = endpoint(routes.runAutomation, async ({ params, workspaceId, now, commit }) => {
  const view = await viewOf(await getBlueprint(workspaceId, params.id))
  const { workspace, blueprint, accounts } = view
  const at = timeIn(workspace, now)
  refuseBlocked(blockersOf(workspace, blueprint, accounts, at))
  const { decision, clip } = runAutomation(view, true, at)
  const queued = inRealTime(decision, now)
  const made = videosAfter(queued).find(({ id }) => id === clip.id) ?? clip
  return commit(queued, videoView(made, mediaUrl))
})
