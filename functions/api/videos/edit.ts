/** Edits the brief; nothing is requeued. */
import { theVoices } from '../../../lib/actions/providers/voices.ts'
import { endpoint } from '../../../lib/api/endpoint.ts'
import { editVideoRequestFor } from '../../../lib/api/requests/videos.ts'
import * as routes from '../../../lib/api/routes.ts'
import { videoView } from '../../../lib/api/views.ts'
import { editVideo } from '../../../lib/domain/video-change.ts'
import { mediaUrl } from '../../../lib/media-url.ts'
import { getVideo } from '../../../lib/store/videos.ts'

export const handler = endpoint(
  routes.editVideo,
  async ({ params, body, workspaceId, now, commit }) => {
    const [video, voices] = await Promise.all([getVideo(workspaceId, params.id), theVoices()])
    const decision = editVideo(video, body, voices, now)
    return commit(decision, videoView(decision.video, mediaUrl))
  },
  async () => editVideoRequestFor(await theVoices()),
)
