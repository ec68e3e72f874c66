/** Creates a clip of a video, or a variation. */

import { videoView } from '../../../lib/bound-views/index.ts'
import * as routes from '../../../lib/contract/routes/videos.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { createClip } from '../../../lib/domain/videos/clip.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

export const handler = endpoint(routes.createClip, async ({ params, body, workspaceId, now, commit }) => {
  const [workspace, source] = await Promise.all([getWorkspace(workspaceId), getVideo(workspaceId, params.id)])
  const ids = { videoId: mintId('vid', now), runId: mintId('run', now) }
  const decision = createClip(workspace, source, body, ids, now)
  return commit(decision, videoView(decision.video))
})
