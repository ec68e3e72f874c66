/** A page of videos: by type and status it stands in the index, by variant and title it is looked for. */

import * as routes from '../../../lib/contract/routes/videos.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { queryVideos } from '../../../lib/use-cases/videos/search-videos.ts'
import { videoItemView } from '../../../lib/views/index.ts'

export const handler = endpoint(routes.listVideos, async ({ query, workspaceId, now }) => {
  const { limit, offset, ...filters } = query
  const workspace = await getWorkspace(workspaceId)
  const { videos, total } = await queryVideos(workspace, filters, { limit, offset }, now)
  return { data: videos.map((video) => videoItemView(video)), paging: { limit, offset, total } }
})
