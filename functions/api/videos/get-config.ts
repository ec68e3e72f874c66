/** The theme config as it is stored; a new video has none. */
import { endpoint } from '../../../lib/api/endpoint.ts'
import * as routes from '../../../lib/api/routes.ts'
import { getVideo } from '../../../lib/store/videos.ts'

export const handler = endpoint(routes.getConfig, async ({ params, workspaceId }) => {
  const { config } = await getVideo(workspaceId, params.id)
  return config
})
