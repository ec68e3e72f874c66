/** Creates a blueprint and queues its first generation; its destination is set by a later edit. */

import { automationView } from '../../../lib/bound-views/automations.ts'
import { createAutomationRequestFor } from '../../../lib/contract/requests/videos.ts'
import * as routes from '../../../lib/contract/routes/automations.ts'
import { createAutomation } from '../../../lib/domain/automations/automation-lifecycle.ts'
import { blockersOf } from '../../../lib/domain/automations/blockers.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { decideForWorkspace } from '../../../lib/domain/workspaces/test-clock.ts'
import { workspaceNow } from '../../../lib/domain/workspaces/workspace.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { loadVoices } from '../../../lib/providers/choose/voices.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

export const handler = endpoint(
  routes.createAutomation,
  async ({ body, workspaceId, now, commit }) => {
    const workspace = await getWorkspace(workspaceId)
    const ids = { videoId: mintId('vid', now), runId: mintId('run', now) }
    const decision = decideForWorkspace(workspace, now, (at) => createAutomation(workspace, body, ids, at))
    const blockers = blockersOf(workspace, decision.video, [], workspaceNow(workspace, now))
    return commit(decision, automationView(decision.video, blockers))
  },
  { loadBodySchema: async () => createAutomationRequestFor(await loadVoices()) },
)
