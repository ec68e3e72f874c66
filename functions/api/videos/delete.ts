/** Deletes a video, everything made from it and all their files; irreversible. */

import * as routes from '../../../lib/contract/routes/videos.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { removeVideo } from '../../../lib/use-cases/videos/remove-videos.ts'

export const handler = endpoint(routes.deleteVideo, async ({ params, workspaceId }) => {
  const figures = await removeVideo(workspaceId, params.id)
  return { ok: true as const, ...figures }
})
