/** Queues a render of the current state of the video. */

import { videoView } from '../../../lib/bound-views/index.ts'
import * as routes from '../../../lib/contract/routes/jobs.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { requestRender } from '../../../lib/domain/videos/job-transitions.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

export const handler = endpoint(routes.renderVideo, async ({ params, workspaceId, now, commit }) => {
  const [workspace, video] = await Promise.all([getWorkspace(workspaceId), getVideo(workspaceId, params.id)])
  const decision = requestRender(workspace, video, mintId('run', now), now)
  return commit(decision, videoView(decision.video))
})
