/** One video; the large arrays and the script come from storage, and only the requested ones. */

import { getScript, getTimelines } from '../../../lib/aws/timelines.ts'
import { timelineViews, videoView } from '../../../lib/bound-views/index.ts'
import * as routes from '../../../lib/contract/routes/videos.ts'
import { scriptView } from '../../../lib/contract/views/index.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getVideo } from '../../../lib/store/videos.ts'

export const handler = endpoint(routes.getVideo, async ({ params, query, workspaceId, requireRevision }) => {
  const video = requireRevision(await getVideo(workspaceId, params.id))
  const [timelines, script] = await Promise.all([
    getTimelines(
      video,
      query.include.filter((name) => name !== 'script'),
    ),
    query.include.includes('script') ? getScript(video) : undefined,
  ])
  return {
    ...videoView(video),
    ...timelineViews(timelines),
    ...(script !== undefined && { script: script && scriptView(script) }),
  }
})
