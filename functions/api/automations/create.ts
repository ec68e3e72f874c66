/** Accepts the brief of a blueprint: its first generation is queued, its destination is still to be set up. */

import { createAutomationRequestFor } from '../../../lib/contract/requests/videos.ts'
import * as routes from '../../../lib/contract/routes.ts'
import { automationView } from '../../../lib/contract/views/automations.ts'
import { createAutomation } from '../../../lib/domain/automations/automation.ts'
import { blockersOf } from '../../../lib/domain/automations/blockers.ts'
import { mintId } from '../../../lib/domain/core/id.ts'
import { withWallClockJobTimes } from '../../../lib/domain/videos/wall-clock.ts'
import { workspaceNow } from '../../../lib/domain/workspaces/workspace.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { mediaUrl } from '../../../lib/media-url.ts'
import { loadVoices } from '../../../lib/providers/choose/voices.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

export const handler = endpoint(
  routes.createAutomation,
  async ({ body, workspaceId, now, commit }) => {
    const workspace = await getWorkspace(workspaceId)
    const ids = { videoId: mintId('vid', now), runId: mintId('run', now) }
    const at = workspaceNow(workspace, now)
    const decision = withWallClockJobTimes(createAutomation(workspace, body, ids, at), now)
    const blockers = blockersOf(workspace, decision.video, [], at)
    return commit(decision, automationView(decision.video, blockers, mediaUrl))
  },
  async () => createAutomationRequestFor(await loadVoices()),
)
