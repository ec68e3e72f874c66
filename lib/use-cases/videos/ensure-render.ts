/**
 * Ensures that a video has its render: queues the render of an ai video where it is missing, and waits for it. Called
 * by the download route.
 */
import { poll } from '../../async.ts'
import { startPipeline } from '../../aws/pipelines.ts'
import { now } from '../../clock.ts'
import { mintId } from '../../domain/core/id.ts'
import { Refusal } from '../../domain/core/refusal.ts'
import { isOpen } from '../../domain/core/states.ts'
import type { Video } from '../../domain/records/video.ts'
import { stitchForDownload } from '../../domain/videos/download.ts'
import { commit } from '../../store/core/commit.ts'
import { getVideo } from '../../store/videos.ts'
import { getWorkspace } from '../../store/workspaces.ts'
import { refusalFromJobError, syncWaitMsMax } from '../sync-jobs/run-sync-job.ts'

const pauseMs = { first: 250, growth: 1, last: 250 }

/** @throws Refusal `unavailable` where the stitch takes longer than a request may; it continues. */
export async function ensureRendered(workspaceId: string, videoId: string): Promise<Video> {
  const at = now()
  const [workspace, video] = await Promise.all([getWorkspace(workspaceId), getVideo(workspaceId, videoId)])
  const stitch = stitchForDownload(workspace, video, mintId('run', at), at)
  if (stitch) {
    await commit(stitch)
    // The outbox dispatcher would do the same a moment later.
    for (const start of stitch.starts) await startPipeline(workspaceId, start)
  }
  return awaitStitch(stitch?.video ?? video, Date.parse(at) + syncWaitMsMax)
}

async function awaitStitch(seen: Video, until: number): Promise<Video> {
  const { workspaceId, id } = seen
  const video = isSettled(seen) ? seen : await poll(() => getVideo(workspaceId, id), isSettled, { pauseMs, until })
  if (video.media.renderKey) return video
  if (video.render?.status === 'FAILED') throw refusalFromJobError(video.render.error!)
  // A stitch that has ended without a render was superseded by an edit: the next request stitches again.
  throw new Refusal('unavailable', 'The video is still being rendered. Retry after the time in `Retry-After`.', {
    headers: { 'Retry-After': '5' },
  })
}

const isSettled = ({ media, render }: Video) => media.renderKey !== null || !isOpen(render)
