/**
 * Search and the filter by variant look at every video of a workspace. The list is remembered in storage, where reading it costs no
 * capacity, and whoever searches brings it up to date from the head of the list: it is ordered by activity.
 */
import { readVideoIndex, writeVideoIndex } from '../../aws/video-index.ts'
import type { Video } from '../../domain/records/video.ts'
import type { VideoFilters } from '../../domain/videos/video-index.ts'
import { isIndexFresh, queryVideoIndex, settledChangeCount, updateVideoIndex } from '../../domain/videos/video-index.ts'
import type { Workspace } from '../../domain/workspaces/workspace.ts'
import { listTombstones, listVideosActiveSince } from '../../store/video-index.ts'
import { countMatching, getVideos, listVideos } from '../../store/videos.ts'

/** So many changes are read with every search before the document is written anew. */
const changesMax = 150
/** A page further down than this would read more of the index than bringing the document up to date does. */
const depthMax = 1_000

interface Page {
  limit: number
  offset: number
}

/** One page of the list under any filters, newest activity first, and how many videos the filters select. */
export function queryVideos(workspace: Workspace, filters: VideoFilters, page: Page, now: string) {
  const { id, videoCounts } = workspace
  const { subType, search, ...kinds } = filters
  const isDeep = page.offset + page.limit > depthMax && page.offset < countMatching(videoCounts, kinds)
  if (subType !== undefined || search || isDeep) return searchVideos(workspace, filters, page, now)
  return listVideos(id, videoCounts, kinds, page)
}

/** One page of what the filters select, newest activity first, and how many they select. */
export async function searchVideos(
  workspace: Workspace,
  filters: VideoFilters,
  { limit, offset }: Page,
  now: string,
): Promise<{ videos: Video[]; total: number }> {
  const stored = await readVideoIndex(workspace)
  const before = isIndexFresh(stored, now) ? stored : undefined
  const [active, departures] = await Promise.all([
    listVideosActiveSince(workspace.id, workspace.videoCounts, before?.until),
    before ? listTombstones(workspace.id, before.until) : [],
  ])
  const library = updateVideoIndex(before, active, departures, now)
  if (!before || settledChangeCount(library, active, departures) > changesMax) await writeVideoIndex(workspace, library)
  const ids = queryVideoIndex(library, filters)
  return { videos: await getVideos(workspace.id, ids.slice(offset, offset + limit)), total: ids.length }
}
