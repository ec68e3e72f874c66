/** Replaces the b-roll segments. Media is not fetched: a generation with `addBRolls` does that. */
import { keepTimeline } from '../../../lib/actions/keep.ts'
import { endpoint } from '../../../lib/api/endpoint.ts'
import * as routes from '../../../lib/api/routes.ts'
import { bRollView } from '../../../lib/api/views.ts'
import { getTimelines } from '../../../lib/aws/timelines.ts'
import { mintId } from '../../../lib/domain/id.ts'
import { replacedBRolls } from '../../../lib/domain/timelines/brolls.ts'
import { replaceTimelines } from '../../../lib/domain/timelines/item.ts'
import { mediaUrl } from '../../../lib/media-url.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

export const handler = endpoint(routes.replaceBRolls, async ({ params, body, workspaceId, now, commit }) => {
  const [workspace, video] = await Promise.all([getWorkspace(workspaceId), getVideo(workspaceId, params.id)])
  const stored = await getTimelines(video, ['bRolls'])
  const segments = replacedBRolls(stored.bRolls, body, (prefix) => mintId(prefix, now))
  const bRolls = await keepTimeline({ workspace, videoId: video.id }, 'bRolls', segments)
  return commit(
    replaceTimelines(video, { bRolls }, now),
    segments.map((segment) => bRollView(segment, mediaUrl)),
  )
})
