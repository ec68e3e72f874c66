/** Edits the brief; nothing is requeued. */

import { videoView } from '../../../lib/bound-views/index.ts'
import { editVideoRequestFor } from '../../../lib/contract/requests/videos.ts'
import * as routes from '../../../lib/contract/routes/videos.ts'
import { editVideo } from '../../../lib/domain/videos/edits.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { loadVoices } from '../../../lib/providers/choose/voices.ts'
import { getVideo } from '../../../lib/store/videos.ts'

export const handler = endpoint(
  routes.editVideo,
  async ({ params, body, workspaceId, requireRevision, now, commit }) => {
    const [video, voices] = await Promise.all([getVideo(workspaceId, params.id).then(requireRevision), loadVoices()])
    const decision = editVideo(video, body, voices, now)
    return commit(decision, videoView(decision.video))
  },
  { loadBodySchema: async () => editVideoRequestFor(await loadVoices()) },
)
