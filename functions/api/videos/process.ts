/** Queues the generation again, from the brief as it is now. */
import { endpoint } from '../../../lib/api/endpoint.ts'
import * as routes from '../../../lib/api/routes.ts'
import { videoView } from '../../../lib/api/views.ts'
import { mintId } from '../../../lib/domain/id.ts'
import { requestProcess } from '../../../lib/domain/requeue.ts'
import { mediaUrl } from '../../../lib/media-url.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

export const handler = endpoint(routes.processVideo, async ({ params, body, workspaceId, now, commit }) => {
  const [workspace, video] = await Promise.all([getWorkspace(workspaceId), getVideo(workspaceId, params.id)])
  const decision = requestProcess(workspace, video, body, mintId('run', now), now)
  return commit(decision, videoView(decision.video, mediaUrl))
})
