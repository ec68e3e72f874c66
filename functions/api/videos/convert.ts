/** Queues the conversion of an ai video into one whose captions and segments can be edited. */
import { endpoint } from '../../../lib/api/endpoint.ts'
import * as routes from '../../../lib/api/routes.ts'
import { videoView } from '../../../lib/api/views.ts'
import { requestConversion } from '../../../lib/domain/conversion.ts'
import { mintId } from '../../../lib/domain/id.ts'
import { mediaUrl } from '../../../lib/media-url.ts'
import { getVideo } from '../../../lib/store/videos.ts'

export const handler = endpoint(routes.convertVideo, async ({ params, workspaceId, now, commit }) => {
  const decision = requestConversion(await getVideo(workspaceId, params.id), mintId('run', now), now)
  return commit(decision, videoView(decision.video, mediaUrl))
})
