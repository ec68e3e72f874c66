/**
 * Deletes a video with everything that was made from it, record by record from the top; each leaves an outbox row, from
 * which `purge-video.ts` deletes the rest. Called by the delete routes, and by that purge for the clips that a request
 * left when it crashed.
 */
import { now } from '../../clock.ts'
import { notFound } from '../../domain/core/refusal.ts'
import type { VideoRemoval } from '../../domain/videos/removal.ts'
import { removeVideos } from '../../domain/videos/removal.ts'
import { commit } from '../../store/core/commit.ts'
import { conflictAttemptsMax, retryOnConflict } from '../../store/core/conflict-retry.ts'
import { WriteConflict } from '../../store/core/write-conflict.ts'
import { findVideoUsage } from '../../store/storage-usage.ts'
import { findVideo, listClipIds } from '../../store/videos.ts'

export interface RemovalCounts {
  /** How many derived videos were deleted with it. */
  deletedClips: number
  deletedBytes: number
}

/** A transaction holds 100 items: four per video, and one for the workspace. */
const videosPerCommit = 20

/** Deletes a video and all its descendants. @throws Refusal `not-found`. */
export async function removeVideo(workspaceId: string, videoId: string): Promise<RemovalCounts> {
  const [root] = await retryOnConflict(() => removeExisting(workspaceId, [videoId], false))
  if (!root) throw notFound('video')
  const clips = await removeClips(workspaceId, videoId, root.holdings.clips)
  const bytes = clips.reduce((sum, { holdings }) => sum + holdings.storedBytes, root.holdings.storedBytes)
  return { deletedClips: clips.length, deletedBytes: bytes }
}

/** Deletes the descendants of a deleted video: level by level, one commit per page. */
export async function removeClips(workspaceId: string, videoId: string, expected: number): Promise<VideoRemoval[]> {
  if (expected === 0) return []
  const ids = await listClipIds(workspaceId, videoId)
  const removed: VideoRemoval[] = []
  for (let page = 0; page < ids.length; page += videosPerCommit)
    removed.push(...(await removePage(workspaceId, ids.slice(page, page + videosPerCommit))))
  for (const { video, holdings } of [...removed])
    removed.push(...(await removeClips(workspaceId, video.id, holdings.clips)))
  return removed
}

const attemptsPerPage = 3

/** Deletes clips; in halves where workers keep changing some of them, since one change cancels the whole commit. */
async function removePage(workspaceId: string, ids: readonly string[]): Promise<VideoRemoval[]> {
  const attempts = ids.length > 1 ? attemptsPerPage : conflictAttemptsMax
  try {
    return await retryOnConflict(() => removeExisting(workspaceId, ids, true), attempts)
  } catch (error) {
    if (!(error instanceof WriteConflict) || ids.length === 1) throw error
    const half = Math.ceil(ids.length / 2)
    return [...(await removePage(workspaceId, ids.slice(0, half))), ...(await removePage(workspaceId, ids.slice(half)))]
  }
}

/** Deletes the videos that still exist, in one commit. */
async function removeExisting(
  workspaceId: string,
  ids: readonly string[],
  parentIsGone: boolean,
): Promise<VideoRemoval[]> {
  const found = (await Promise.all(ids.map((id) => findRemovable(workspaceId, id)))).filter((one) => one !== undefined)
  if (found.length > 0) await commit(removeVideos(workspaceId, found, parentIsGone, now()))
  return found
}

async function findRemovable(workspaceId: string, videoId: string): Promise<VideoRemoval | undefined> {
  const [video, holdings] = await Promise.all([findVideo(workspaceId, videoId), findVideoUsage(workspaceId, videoId)])
  return video && holdings && { video, holdings }
}
