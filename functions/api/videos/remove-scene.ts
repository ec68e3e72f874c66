/** Deletes a scene; the stitched render is cleared. */

import { getTimelines } from '../../../lib/aws/timelines.ts'
import * as routes from '../../../lib/contract/routes/scenes.ts'
import { changeScenes, removeScene } from '../../../lib/domain/generation/scenes/scenes.ts'
import { refuseNotAi } from '../../../lib/domain/videos/kind.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeTimeline } from '../../../lib/use-cases/artefacts/store-artefact.ts'

export const handler = endpoint(routes.removeScene, async ({ params, workspaceId, now, commit }) => {
  const [workspace, video] = await Promise.all([getWorkspace(workspaceId), getVideo(workspaceId, params.id)])
  refuseNotAi(video)
  const { scenes } = await getTimelines(video, ['scenes'])
  const key = await storeTimeline({ workspace, videoId: video.id }, 'scenes', removeScene(scenes, params.sceneId))
  return commit(changeScenes(video, key, now), { ok: true as const })
})
