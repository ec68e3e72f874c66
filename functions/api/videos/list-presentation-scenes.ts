/** The scenes of a presentation; none until it is generated. */

import { getTimelines } from '../../../lib/aws/timelines.ts'
import * as routes from '../../../lib/contract/routes/timelines.ts'
import { refuseNotPresentation } from '../../../lib/domain/videos/kind.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getVideo } from '../../../lib/store/videos.ts'

export const handler = endpoint(routes.listPresentationScenes, async ({ params, workspaceId, requireRevision }) => {
  const video = requireRevision(await getVideo(workspaceId, params.id))
  refuseNotPresentation(video)
  const { presentationScenes } = await getTimelines(video, ['presentationScenes'])
  return presentationScenes
})
