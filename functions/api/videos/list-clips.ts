/** A page of the clips of a video; the total comes from its usage counters. */

import { videoItemView } from '../../../lib/bound-views/index.ts'
import * as routes from '../../../lib/contract/routes/videos.ts'
import { notFound } from '../../../lib/domain/core/refusal.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { findVideoUsage } from '../../../lib/store/storage-usage.ts'
import { listClips } from '../../../lib/store/videos.ts'

export const handler = endpoint(routes.listClips, async ({ params, query, workspaceId }) => {
  const [holdings, clips] = await Promise.all([
    findVideoUsage(workspaceId, params.id),
    listClips(workspaceId, params.id, query),
  ])
  if (!holdings) throw notFound('video')
  return { data: clips.map((clip) => videoItemView(clip)), paging: { ...query, total: holdings.clips } }
})
