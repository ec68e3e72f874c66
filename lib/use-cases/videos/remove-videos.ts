/**
 * Removes a video with everything that was made from it. The records vanish first, page by page from the top; each leaves an
 * outbox row from which whoever wakes up finishes what is left (`purge-video.ts`).
 */
import { now } from '../../clock.ts'
import { Refusal } from '../../domain/core/refusal.ts'
import type { VideoRemoval } from '../../domain/videos/removal.ts'
import { removeVideos } from '../../domain/videos/removal.ts'
import { commit } from '../../store/core/commit.ts'
import { retryOnConflict } from '../../store/core/conflict-retry.ts'
import { findVideoUsage } from '../../store/storage-usage.ts'
import { getVideo, listClipIds } from '../../store/videos.ts'

export interface RemovalCounts {
  /** How many videos made from it went with it. */
  deletedClips: number
  deletedBytes: number
}

/** Four actions a video, one for the workspace; a transaction takes a hundred. */
const videosPerCommit = 20

/** Removes a video and all its descendants. Throws `not-found` where it is not there. */
export async function removeVideo(workspaceId: string, videoId: string): Promise<RemovalCounts> {
  const [root] = await removePage(workspaceId, [videoId], false)
  if (!root) throw new Refusal('not-found', 'No such record.')
  const clips = await removeClips(workspaceId, videoId, root.holdings.clips)
  const bytes = clips.reduce((sum, { holdings }) => sum + holdings.storedBytes, root.holdings.storedBytes)
  return { deletedClips: clips.length, deletedBytes: bytes }
}

/** Removes what was made from a video that is gone: level by level, a page a commit. */
export async function removeClips(workspaceId: string, videoId: string, expected: number): Promise<VideoRemoval[]> {
  if (expected === 0) return []
  const ids = await listClipIds(workspaceId, videoId)
  const removed: VideoRemoval[] = []
  for (let page = 0; page < ids.length; page += videosPerCommit)
    removed.push(...(await removePage(workspaceId, ids.slice(page, page + videosPerCommit), true)))
  for (const { video, holdings } of [...removed])
    removed.push(...(await removeClips(workspaceId, video.id, holdings.clips)))
  return removed
}

/** Removes the videos that are still there, in one commit; decided again where one of them changed meanwhile. */
function removePage(workspaceId: string, ids: readonly string[], parentIsGone: boolean): Promise<VideoRemoval[]> {
  return retryOnConflict(async () => {
    const found = (await Promise.all(ids.map((id) => findRemovable(workspaceId, id)))).filter(
      (one) => one !== undefined,
    )
    if (found.length > 0) await commit(removeVideos(workspaceId, found, parentIsGone, now()))
    return found
  })
}

async function findRemovable(workspaceId: string, videoId: string): Promise<VideoRemoval | undefined> {
  try {
    const [video, holdings] = await Promise.all([getVideo(workspaceId, videoId), findVideoUsage(workspaceId, videoId)])
    return holdings && { video, holdings }
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not-found') return undefined
    throw error
  }
}
