/** Replaces the theme config by the editor defaults. */

import * as routes from '../../../lib/contract/routes/videos.ts'
import { resetConfig } from '../../../lib/domain/videos/edits.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getVideo } from '../../../lib/store/videos.ts'

export const handler = endpoint(routes.resetConfig, async ({ params, workspaceId, requireRevision, now, commit }) => {
  const decision = resetConfig(requireRevision(await getVideo(workspaceId, params.id)), now)
  return commit(decision, decision.video.config)
})
