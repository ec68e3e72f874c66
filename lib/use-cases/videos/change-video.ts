/**
 * Loads, decides and commits for one video, and retries on write conflicts with the current record. Called by pipeline
 * steps, container commands and the sweeper.
 */
import { Superseded } from '../../domain/core/failures.ts'
import type { VideoDecision } from '../../domain/records/decision.ts'
import type { MediaJobKind } from '../../domain/records/jobs.ts'
import type { Video } from '../../domain/records/video.ts'
import { withPaidTerms } from '../../domain/videos/create-video.ts'
import { requireOpenJob } from '../../domain/videos/job-transitions.ts'
import { commit } from '../../store/core/commit.ts'
import { retryOnConflict } from '../../store/core/conflict-retry.ts'
import { findVideo } from '../../store/videos.ts'

export interface RunRef {
  workspaceId: string
  videoId: string
  runId: string
}

/**
 * For pipelines and workers, which act on a run, not on a request. `decide` returns undefined to change nothing.
 * Returns the resulting record.
 * @throws Superseded where the video was deleted.
 */
export async function changeVideo(
  { workspaceId, videoId }: Omit<RunRef, 'runId'>,
  decide: (video: Video) => VideoDecision | undefined | Promise<VideoDecision | undefined>,
): Promise<Video> {
  const { video } = await changeVideoWithResult({ workspaceId, videoId }, async (current) => ({
    decision: await decide(current),
    result: undefined,
  }))
  return video
}

/** As `changeVideo`; also returns what `decide` computed besides its decision, from the attempt that succeeded. */
export async function changeVideoWithResult<Result>(
  { workspaceId, videoId }: Omit<RunRef, 'runId'>,
  decide: (video: Video) => Promise<{ decision: VideoDecision | undefined; result: Result }>,
): Promise<{ video: Video; result: Result }> {
  return retryOnConflict(async () => {
    const video = await loadRunVideo(workspaceId, videoId)
    const { decision, result } = await decide(video)
    if (!decision) return { video, result }
    await commit(decision)
    return { video: decision.video, result }
  })
}

/**
 * The video of a run that may have ended. @throws Superseded where it was deleted, which ends the run without an error.
 */
export async function loadRunVideo(workspaceId: string, videoId: string): Promise<Video> {
  const video = await findVideo(workspaceId, videoId)
  if (!video) throw new Superseded(`The video ${videoId} was deleted.`)
  return video
}

/**
 * The video of an open run, under the terms that were paid for. @throws Superseded where the run is not open, before
 * any work is done.
 */
export async function loadOpenRunVideo({ workspaceId, videoId, runId }: RunRef, kind: MediaJobKind): Promise<Video> {
  const video = await loadRunVideo(workspaceId, videoId)
  requireOpenJob(video, kind, runId)
  return kind === 'process' ? withPaidTerms(video) : video
}
