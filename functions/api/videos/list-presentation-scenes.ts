/** The scenes of a presentation; none until it is generated. */
import { endpoint } from '../../../lib/api/endpoint.ts'
import * as routes from '../../../lib/api/routes.ts'
import { getTimelines } from '../../../lib/aws/timelines.ts'
import { refuseNotPresentation } from '../../../lib/domain/timelines/presentation.ts'
import { getVideo } from '../../../lib/store/videos.ts'

export const handler = endpoint(routes.listPresentationScenes, async ({ params, workspaceId }) => {
  const video = await getVideo(workspaceId, params.id)
  refuseNotPresentation(video)
  const { presentationScenes } = await getTimelines(video, ['presentationScenes'])
  return presentationScenes
})
