/** Replaces the b-roll segments. Media is not fetched: a generation with `addBRolls` does that. */

import { getTimelines } from '../../../lib/aws/timelines.ts'
import { bRollView } from '../../../lib/bound-views/index.ts'
import * as routes from '../../../lib/contract/routes/timelines.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { mergeBRolls } from '../../../lib/domain/generation/b-rolls.ts'
import { replaceTimelines } from '../../../lib/domain/videos/edits.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeDecidedTimeline } from '../../../lib/use-cases/artefacts/store-artefact.ts'

export const handler = endpoint(
  routes.replaceBRolls,
  async ({ params, body, workspaceId, requireRevision, now, commit }) => {
    const [workspace, video] = await Promise.all([
      getWorkspace(workspaceId),
      getVideo(workspaceId, params.id).then(requireRevision),
    ])
    const stored = await getTimelines(video, ['bRolls'])
    const segments = mergeBRolls(stored.bRolls, body, (prefix) => mintId(prefix, now))
    const owner = { workspace, videoId: video.id }
    const decision = await storeDecidedTimeline(owner, 'bRolls', segments, (bRolls) =>
      replaceTimelines(video, { bRolls }, now),
    )
    return commit(
      decision,
      segments.map((segment) => bRollView(segment)),
    )
  },
)
