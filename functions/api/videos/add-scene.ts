/** Adds an empty scene; it costs nothing. */

import { getTimelines } from '../../../lib/aws/timelines.ts'
import { sceneView } from '../../../lib/bound-views/index.ts'
import * as routes from '../../../lib/contract/routes/scenes.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { addScene, changeScenes } from '../../../lib/domain/generation/scenes/scenes.ts'
import { refuseNotAi } from '../../../lib/domain/videos/kind.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeDecidedTimeline } from '../../../lib/use-cases/artefacts/store-artefact.ts'

export const handler = endpoint(
  routes.addScene,
  async ({ params, body, workspaceId, requireRevision, now, commit }) => {
    const [workspace, video] = await Promise.all([
      getWorkspace(workspaceId),
      getVideo(workspaceId, params.id).then(requireRevision),
    ])
    refuseNotAi(video)
    const before = await getTimelines(video, ['scenes'])
    const { scenes, scene } = addScene(before.scenes, mintId('scn', now), body.afterSceneId)
    const owner = { workspace, videoId: video.id }
    const decision = await storeDecidedTimeline(owner, 'scenes', scenes, (key) => changeScenes(video, key, now))
    return commit(decision, sceneView(scene))
  },
)
