/** The stored theme config; empty for a new video. */

import * as routes from '../../../lib/contract/routes/videos.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getVideo } from '../../../lib/store/videos.ts'

export const handler = endpoint(routes.getConfig, async ({ params, workspaceId, requireRevision }) => {
  const { config } = requireRevision(await getVideo(workspaceId, params.id))
  return config
})
