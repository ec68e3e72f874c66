/** Queues the writing of a new script, which replaces the one in the brief. */

import { videoView } from '../../../lib/bound-views/index.ts'
import * as routes from '../../../lib/contract/routes/jobs.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { requestScript } from '../../../lib/domain/generation/script-job.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

export const handler = endpoint(routes.writeScript, async ({ params, body, workspaceId, now, commit }) => {
  const [workspace, video] = await Promise.all([getWorkspace(workspaceId), getVideo(workspaceId, params.id)])
  const decision = requestScript(workspace, video, body.prompt ?? null, mintId('run', now), now)
  return commit(decision, videoView(decision.video))
})
