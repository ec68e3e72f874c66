/**
 * Searches and filters all videos of a workspace, from an index document in S3, which costs no table capacity and is
 * updated on each search from the head of the list, ordered by activity. Called by the route that lists videos.
 */
import { readVideoIndex, writeVideoIndex } from '../../aws/video-index.ts'
import type { PageRange } from '../../domain/core/page.ts'
import type { Video } from '../../domain/records/video.ts'
import type { VideoFilters } from '../../domain/videos/video-index.ts'
import { isIndexFresh, queryVideoIndex, settledChangeCount, updateVideoIndex } from '../../domain/videos/video-index.ts'
import type { Workspace } from '../../domain/workspaces/workspace.ts'
import { listTombstones, listVideosActiveSince } from '../../store/video-index.ts'
import { countMatching, getVideos, listVideos } from '../../store/videos.ts'

/** With more settled changes than this the document is written again. */
const changesMax = 150
/** A page beyond this depth reads more list rows than an update of the document. */
const depthMax = 1_000

/** One page of the list under any filters, newest activity first, and the total. */
export function queryVideos(workspace: Workspace, filters: VideoFilters, page: PageRange, now: string) {
  const { id, videoCounts } = workspace
  const { subType, search, ...kinds } = filters
  const isDeep = page.offset + page.limit > depthMax && page.offset < countMatching(videoCounts, kinds)
  if (subType !== undefined || search || isDeep) return searchVideos(workspace, filters, page, now)
  return listVideos(id, videoCounts, kinds, page)
}

/** The same from the index document. */
export async function searchVideos(
  workspace: Workspace,
  filters: VideoFilters,
  { limit, offset }: PageRange,
  now: string,
): Promise<{ videos: Video[]; total: number }> {
  const stored = await readVideoIndex(workspace)
  const before = isIndexFresh(stored, now) ? stored : undefined
  const [active, tombstones] = await Promise.all([
    listVideosActiveSince(workspace.id, workspace.videoCounts, before?.until),
    before ? listTombstones(workspace.id, before.until) : [],
  ])
  const index = updateVideoIndex(before, active, tombstones, now)
  if (!before || settledChangeCount(index, active, tombstones) > changesMax) await writeVideoIndex(workspace, index)
  const ids = queryVideoIndex(index, filters)
  return { videos: await getVideos(workspace.id, ids.slice(offset, offset + limit)), total: ids.length }
}
