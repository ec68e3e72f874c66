/**
 * Ensures that a video has its render: queues the render of an ai video where it is missing, and waits for it. Called
 * by the download route.
 */
import { poll } from '../../async.ts'
import { now } from '../../clock.ts'
import { mintId } from '../../domain/core/mint-id.ts'
import { Refusal } from '../../domain/core/refusal.ts'
import { isOpen } from '../../domain/core/states.ts'
import type { Video } from '../../domain/records/video.ts'
import { stitchForDownload } from '../../domain/videos/download.ts'
import { commit } from '../../store/core/commit.ts'
import { keys } from '../../store/core/keys.ts'
import { getVideo } from '../../store/videos.ts'
import { getWorkspace } from '../../store/workspaces.ts'
import { refusalFromJobError } from '../sync-jobs/run-sync-job.ts'
import { withWaitPermit } from '../sync-jobs/wait-permit.ts'
import { startRun } from './start-runs.ts'

const pauseMs = { first: 250, growth: 1, last: 250 }

/**
 * @throws Refusal `unavailable` where the stitch takes longer than `waitSeconds`; it continues. `rate-limited` where too
 * many requests of the workspace wait already; then nothing is queued.
 */
export async function ensureRendered(workspaceId: string, videoId: string, waitSeconds: number): Promise<Video> {
  const at = now()
  const [workspace, video] = await Promise.all([getWorkspace(workspaceId), getVideo(workspaceId, videoId)])
  const stitch = stitchForDownload(workspace, video, mintId('run', at), at)
  const seen = stitch?.video ?? video
  if (isSettled(seen)) return renderedOrRefusal(seen)
  return withWaitPermit(workspaceId, async (permit) => {
    await permit.acquire()
    if (stitch) {
      await commit(stitch)
      // The outbox dispatcher would do the same a moment later.
      for (const start of stitch.starts) await startRun(workspaceId, start, keys.outbox(workspaceId, start.runId))
    }
    const until = Date.parse(at) + waitSeconds * 1000
    return renderedOrRefusal(await poll(() => getVideo(workspaceId, videoId), isSettled, { pauseMs, until }))
  })
}

function renderedOrRefusal(video: Video): Video {
  if (video.media.renderKey) return video
  if (video.render?.status === 'FAILED') throw refusalFromJobError(video.render.error!)
  // A stitch that has ended without a render was superseded by an edit: the next request stitches again.
  throw new Refusal('unavailable', 'The video is still being rendered. Retry after the time in `Retry-After`.', {
    headers: { 'Retry-After': '5' },
  })
}

const isSettled = ({ media, render }: Video) => media.renderKey !== null || !isOpen(render)
