/** Replaces the theme config by the editor defaults. */
import { endpoint } from '../../../lib/api/endpoint.ts'
import * as routes from '../../../lib/api/routes.ts'
import { resetConfig } from '../../../lib/domain/video-change.ts'
import { getVideo } from '../../../lib/store/videos.ts'

export const handler = endpoint(routes.resetConfig, async ({ params, workspaceId, now, commit }) => {
  const decision = resetConfig(await getVideo(workspaceId, params.id), now)
  return commit(decision, decision.video.config)
})
