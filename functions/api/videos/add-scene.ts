/** Adds an empty scene; it costs nothing. */
import { keepTimeline } from '../../../lib/actions/keep.ts'
import { endpoint } from '../../../lib/api/endpoint.ts'
import * as routes from '../../../lib/api/routes.ts'
import { sceneView } from '../../../lib/api/views.ts'
import { getTimelines } from '../../../lib/aws/timelines.ts'
import { mintId } from '../../../lib/domain/id.ts'
import { addScene, refuseNotAi, withScenes } from '../../../lib/domain/timelines/scenes.ts'
import { mediaUrl } from '../../../lib/media-url.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

export const handler = endpoint(routes.addScene, async ({ params, body, workspaceId, now, commit }) => {
  const [workspace, video] = await Promise.all([getWorkspace(workspaceId), getVideo(workspaceId, params.id)])
  refuseNotAi(video)
  const before = await getTimelines(video, ['scenes'])
  const { scenes, scene } = addScene(before.scenes, mintId('scn', now), body.afterSceneId)
  const key = await keepTimeline({ workspace, videoId: video.id }, 'scenes', scenes)
  return commit(withScenes(video, key, now), sceneView(scene, mediaUrl))
})
