/** Replaces the scenes of a presentation, kept within its transcript. */

import { getTimelines } from '../../../lib/aws/timelines.ts'
import * as routes from '../../../lib/contract/routes/timelines.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { mergePresentationScenes } from '../../../lib/domain/generation/scenes/presentation-scenes.ts'
import { replaceTimelines } from '../../../lib/domain/videos/edits.ts'
import { refuseNotPresentation } from '../../../lib/domain/videos/kind.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeDecidedTimeline } from '../../../lib/use-cases/artefacts/store-artefact.ts'

export const handler = endpoint(
  routes.replacePresentationScenes,
  async ({ params, body, workspaceId, requireRevision, now, commit }) => {
    const [workspace, video] = await Promise.all([
      getWorkspace(workspaceId),
      getVideo(workspaceId, params.id).then(requireRevision),
    ])
    refuseNotPresentation(video)
    const stored = await getTimelines(video, ['captions', 'presentationScenes'])
    const scenes = mergePresentationScenes(video, stored, body, (prefix) => mintId(prefix, now))
    const owner = { workspace, videoId: video.id }
    const decision = await storeDecidedTimeline(owner, 'presentationScenes', scenes, (presentationScenes) =>
      replaceTimelines(video, { presentationScenes }, now),
    )
    return commit(decision, scenes)
  },
)
