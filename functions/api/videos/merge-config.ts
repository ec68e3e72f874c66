/** Merges keys into the theme config and returns all of it. */

import * as routes from '../../../lib/contract/routes/videos.ts'
import { mergeConfig } from '../../../lib/domain/videos/edits.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getVideo } from '../../../lib/store/videos.ts'

export const handler = endpoint(
  routes.mergeConfig,
  async ({ params, body, workspaceId, requireRevision, now, commit }) => {
    const decision = mergeConfig(requireRevision(await getVideo(workspaceId, params.id)), body, now)
    return commit(decision, decision.video.config)
  },
)
