/** A page of videos: narrow rows are counted and filtered, only the records of the page are read. */
import { endpoint } from '../../../lib/api/endpoint.ts'
import * as routes from '../../../lib/api/routes.ts'
import { videoItemView } from '../../../lib/api/views.ts'
import { mediaUrl } from '../../../lib/media-url.ts'
import { listVideos } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

export const handler = endpoint(routes.listVideos, async ({ query: { limit, offset, ...filters }, workspaceId }) => {
  const { videoCounts } = await getWorkspace(workspaceId)
  const { videos, total } = await listVideos(workspaceId, videoCounts, filters, { limit, offset })
  return { data: videos.map((video) => videoItemView(video, mediaUrl)), paging: { limit, offset, total } }
})
