/**
 * Search and the filter by variant look at every video of a workspace. The list is remembered in storage, where reading it costs no
 * capacity, and whoever searches brings it up to date from the head of the list: it is ordered by activity.
 */
import { readLibrary, writeLibrary } from '../aws/library.ts'
import type { ListedVideo, VideoFilters } from '../domain/library.ts'
import { isFresh, selected, updatedLibrary } from '../domain/library.ts'
import type { Video } from '../domain/video.ts'
import type { Workspace } from '../domain/workspace.ts'
import { getVideos, listActiveSince, listDepartures } from '../store/videos.ts'

/** So many changes are read with every search before the document is written anew. */
const changesMax = 150

/** One page of what the filters select, newest activity first, and how many they select. */
export async function searchVideos(
  workspace: Workspace,
  filters: VideoFilters,
  { limit, offset }: { limit: number; offset: number },
  now: string,
): Promise<{ videos: Video[]; total: number }> {
  const stored = await readLibrary(workspace)
  const before = isFresh(stored, now) ? stored : undefined
  const [active, departures] = await Promise.all([
    activeSince(workspace, before?.until),
    before ? listDepartures(workspace.id, before.until) : [],
  ])
  const library = updatedLibrary(before, active, departures, now)
  if (!before || active.length + departures.length > changesMax) await writeLibrary(workspace, library)
  const ids = selected(library, filters)
  return { videos: await getVideos(workspace.id, ids.slice(offset, offset + limit)), total: ids.length }
}

async function activeSince({ id, videoCounts }: Workspace, since: string | undefined): Promise<ListedVideo[]> {
  const rows: ListedVideo[] = []
  for await (const row of listActiveSince(id, videoCounts, since)) rows.push(row)
  return rows
}
