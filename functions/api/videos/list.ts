/** A page of videos: by type and status it stands in the index, by variant and title it is looked for. */
import { searchVideos } from '../../../lib/actions/library.ts'
import { endpoint } from '../../../lib/api/endpoint.ts'
import * as routes from '../../../lib/api/routes.ts'
import { videoItemView } from '../../../lib/api/views.ts'
import { mediaUrl } from '../../../lib/media-url.ts'
import { listVideos } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

export const handler = endpoint(routes.listVideos, async ({ query, workspaceId, now }) => {
  const { limit, offset, subType, search, ...kinds } = query
  const workspace = await getWorkspace(workspaceId)
  const { videos, total } =
    subType === undefined && search === undefined
      ? await listVideos(workspaceId, workspace.videoCounts, kinds, { limit, offset })
      : await searchVideos(workspace, { ...kinds, subType, search }, { limit, offset }, now)
  return { data: videos.map((video) => videoItemView(video, mediaUrl)), paging: { limit, offset, total } }
})
