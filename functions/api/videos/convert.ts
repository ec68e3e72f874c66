/** Queues the conversion of an ai video into one whose captions and segments can be edited. */

import { videoView } from '../../../lib/bound-views/index.ts'
import * as routes from '../../../lib/contract/routes/jobs.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { requestConversion } from '../../../lib/domain/videos/conversion.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getVideo } from '../../../lib/store/videos.ts'

export const handler = endpoint(routes.convertVideo, async ({ params, workspaceId, now, commit }) => {
  const decision = requestConversion(await getVideo(workspaceId, params.id), mintId('run', now), now)
  return commit(decision, videoView(decision.video))
})
