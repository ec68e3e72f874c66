/** Queues the generation again, from the current brief. */

import { videoView } from '../../../lib/bound-views/index.ts'
import * as routes from '../../../lib/contract/routes/jobs.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { requestProcess } from '../../../lib/domain/videos/requeue.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

export const handler = endpoint(routes.processVideo, async ({ params, body, workspaceId, now, commit }) => {
  const [workspace, video] = await Promise.all([getWorkspace(workspaceId), getVideo(workspaceId, params.id)])
  const decision = requestProcess(workspace, video, body, mintId('run', now), now)
  return commit(decision, videoView(decision.video))
})
