/** Edits a scene; what was made of it and of the whole is cleared. */
import { keepTimeline } from '../../../lib/actions/keep.ts'
import { endpoint } from '../../../lib/api/endpoint.ts'
import * as routes from '../../../lib/api/routes.ts'
import { sceneView } from '../../../lib/api/views.ts'
import { getTimelines } from '../../../lib/aws/timelines.ts'
import { editScene, refuseNotAi, withScenes } from '../../../lib/domain/timelines/scenes.ts'
import { mediaUrl } from '../../../lib/media-url.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

export const handler = endpoint(routes.editScene, async ({ params, body, workspaceId, now, commit }) => {
  const [workspace, video] = await Promise.all([getWorkspace(workspaceId), getVideo(workspaceId, params.id)])
  refuseNotAi(video)
  const before = await getTimelines(video, ['scenes'])
  const { scenes, scene } = editScene(before.scenes, params.sceneId, body)
  const key = await keepTimeline({ workspace, videoId: video.id }, 'scenes', scenes)
  return commit(withScenes(video, key, now), sceneView(scene, mediaUrl))
})
