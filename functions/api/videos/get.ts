/** One video; the heavy arrays come from storage, and only those that were asked for. */
import { endpoint } from '../../../lib/api/endpoint.ts'
import * as routes from '../../../lib/api/routes.ts'
import { timelineViews, videoView } from '../../../lib/api/views.ts'
import { getTimelines } from '../../../lib/aws/timelines.ts'
import { mediaUrl } from '../../../lib/media-url.ts'
import { getVideo } from '../../../lib/store/videos.ts'

export const handler = endpoint(routes.getVideo, async ({ params, query, workspaceId }) => {
  const video = await getVideo(workspaceId, params.id)
  const timelines = await getTimelines(video, query.include)
  return { ...videoView(video, mediaUrl), ...timelineViews(timelines, mediaUrl) }
})
