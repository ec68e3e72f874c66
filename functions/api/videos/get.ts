/** One video; the large arrays come from storage, and only the requested ones. */

import { getTimelines } from '../../../lib/aws/timelines.ts'
import { timelineViews, videoView } from '../../../lib/bound-views/index.ts'
import * as routes from '../../../lib/contract/routes/videos.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getVideo } from '../../../lib/store/videos.ts'

export const handler = endpoint(routes.getVideo, async ({ params, query, workspaceId }) => {
  const video = await getVideo(workspaceId, params.id)
  const timelines = await getTimelines(video, query.include)
  return { ...videoView(video), ...timelineViews(timelines) }
})
