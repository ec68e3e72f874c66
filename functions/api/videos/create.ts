/** Accepts a brief: one transaction makes the video, reserves its price and queues the generation. */
import { theVoices } from '../../../lib/actions/providers/voices.ts'
import { endpoint } from '../../../lib/api/endpoint.ts'
import { createVideoRequestFor } from '../../../lib/api/requests/videos.ts'
import * as routes from '../../../lib/api/routes.ts'
import { videoView } from '../../../lib/api/views.ts'
import { mintId } from '../../../lib/domain/id.ts'
import { createVideo } from '../../../lib/domain/video.ts'
import { mediaUrl } from '../../../lib/media-url.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

export const handler = endpoint(
  routes.createVideo,
  async ({ body, workspaceId, now, commit }) => {
    const workspace = await getWorkspace(workspaceId)
    const ids = { videoId: mintId('vid', now), runId: mintId('run', now) }
    const decision = createVideo(workspace, body, ids, now)
    return commit(decision, videoView(decision.video, mediaUrl))
  },
  async () => createVideoRequestFor(await theVoices()),
)
