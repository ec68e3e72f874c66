/** Accepts a brief: one transaction creates the video, reserves its price and queues the generation. */

import { videoView } from '../../../lib/bound-views/index.ts'
import { createVideoRequestFor } from '../../../lib/contract/requests/videos.ts'
import * as routes from '../../../lib/contract/routes/videos.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { createVideo } from '../../../lib/domain/videos/create-video.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { loadVoices } from '../../../lib/providers/choose/voices.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

export const handler = endpoint(
  routes.createVideo,
  async ({ body, workspaceId, now, commit }) => {
    const workspace = await getWorkspace(workspaceId)
    const ids = { videoId: mintId('vid', now), runId: mintId('run', now) }
    const decision = createVideo(workspace, body, ids, now)
    return commit(decision, videoView(decision.video))
  },
  { loadBodySchema: async () => createVideoRequestFor(await loadVoices()) },
)
