/** Removes a video, everything made from it and all their files; irreversible. */

import { removeVideo } from '../../../lib/actions/remove-videos.ts'
import { endpoint } from '../../../lib/api/endpoint.ts'
import * as routes from '../../../lib/api/routes.ts'

export const handler = endpoint(routes.deleteVideo, async ({ params, workspaceId }) => {
  const figures = await removeVideo(workspaceId, params.id)
  return { ok: true as const, ...figures }
})
