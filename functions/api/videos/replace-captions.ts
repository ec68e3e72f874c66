/** Replaces the words of the captions, their pages or both; the captions file follows. */

import { getTimelines } from '../../../lib/aws/timelines.ts'
import * as routes from '../../../lib/contract/routes/timelines.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { mergeCaptions } from '../../../lib/domain/generation/captions/captions.ts'
import { replaceTimelines } from '../../../lib/domain/videos/edits.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeDecidedCaptions } from '../../../lib/use-cases/generation/store-captions.ts'

export const handler = endpoint(
  routes.replaceCaptions,
  async ({ params, body, workspaceId, requireRevision, now, commit }) => {
    const [workspace, video] = await Promise.all([
      getWorkspace(workspaceId),
      getVideo(workspaceId, params.id).then(requireRevision),
    ])
    const stored = await getTimelines(video, ['captions', 'captionsPages'])
    const captions = mergeCaptions(stored, body, (prefix) => mintId(prefix, now))
    const owner = { workspace, videoId: video.id }
    const decision = await storeDecidedCaptions(owner, captions, ({ timelines, captionsKey }) =>
      replaceTimelines(video, timelines, now, { captionsKey }),
    )
    return commit(decision, captions)
  },
)
