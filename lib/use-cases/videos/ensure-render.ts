/** Brings about the film of a video: queues the stitch of an ai video where it is missing, and waits for it. */
import { setTimeout as delay } from 'node:timers/promises'
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

const pollMs = 250

/** The video with its film. Told with a 503 where the stitch takes longer than a request may; the stitch goes on. */
export async function ensureRendered(workspaceId: string, videoId: string): Promise<Video> {
  const at = now()
  const [workspace, video] = await Promise.all([getWorkspace(workspaceId), getVideo(workspaceId, videoId)])
  const stitch = stitchForDownload(workspace, video, mintId('run', at), at)
  if (stitch) {
    await commit(stitch)
    // The outbox row would wake the dispatcher, which would do the same a moment later.
    for (const start of stitch.starts) await startPipeline(workspaceId, start)
  }
  return awaitStitch(stitch?.video ?? video, Date.parse(at) + syncWaitMsMax)
}

async function awaitStitch(seen: Video, until: number): Promise<Video> {
  for (let video = seen; ; video = await getVideo(seen.workspaceId, seen.id)) {
    const { media, render } = video
    if (media.renderKey) return video
    if (render?.status === 'FAILED') throw refusalFromJobError(render.error!)
    // A stitch that is over without a film was overtaken by an edit: the next request stitches again.
    if (!isOpen(render) || Date.parse(now()) >= until)
      throw new Refusal('unavailable', 'The film is still being stitched. Ask again.', {
        headers: { 'Retry-After': '5' },
      })
    await delay(pollMs)
  }
}
