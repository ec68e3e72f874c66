/** Edits the brief; nothing is requeued. */
import { endpoint } from '../../../lib/api/endpoint.ts'
import * as routes from '../../../lib/api/routes.ts'
import { videoView } from '../../../lib/api/views.ts'
import { editVideo } from '../../../lib/domain/video.ts'
import { mediaUrl } from '../../../lib/media-url.ts'
import { getVideo } from '../../../lib/store/videos.ts'

export const handler = endpoint(routes.editVideo, async ({ params, body, workspaceId, now, commit }) => {
  const decision = editVideo(await getVideo(workspaceId, params.id), body, now)
  return commit(decision, videoView(decision.video, mediaUrl))
})
