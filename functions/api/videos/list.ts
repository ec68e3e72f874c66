/** A page of videos: filtered by type and status through the index, by variant and title through search. */

import { videoItemView } from '../../../lib/bound-views/index.ts'
import * as routes from '../../../lib/contract/routes/videos.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { queryVideos } from '../../../lib/use-cases/videos/search-videos.ts'

export const handler = endpoint(routes.listVideos, async ({ query, workspaceId, now }) => {
  const { limit, offset, ...filters } = query
  const workspace = await getWorkspace(workspaceId)
  const { videos, total } = await queryVideos(workspace, filters, { limit, offset }, now)
  return { data: videos.map((video) => videoItemView(video)), paging: { limit, offset, total } }
})
