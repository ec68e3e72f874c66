/** Loads a video, decides, commits; a decision that lost a race is made again on the fresh record. */

import { Superseded } from '../../domain/core/failures.ts'
import { Refusal } from '../../domain/core/refusal.ts'
import type { VideoDecision } from '../../domain/records/decision.ts'
import type { JobKind } from '../../domain/records/jobs.ts'
import type { Video } from '../../domain/records/video.ts'
import { withPaidTerms } from '../../domain/videos/create-video.ts'
import { requireOpenJob } from '../../domain/videos/jobs.ts'
import { commit } from '../../store/core/commit.ts'
import { retryOnConflict } from '../../store/core/conflict-retry.ts'
import { getVideo } from '../../store/videos.ts'

export interface RunRef {
  workspaceId: string
  videoId: string
  runId: string
}

/**
 * For pipelines and workers, who act on a run and not on a request. `decide` answers undefined where nothing is to be
 * changed. A video that is gone gives `Superseded`. Answers the record as it then is.
 */
export async function changeVideo(
  { workspaceId, videoId }: Omit<RunRef, 'runId'>,
  decide: (video: Video) => VideoDecision | undefined | Promise<VideoDecision | undefined>,
): Promise<Video> {
  return retryOnConflict(async () => {
    const video = await loadRunVideo(workspaceId, videoId)
    const decision = await decide(video)
    if (!decision) return video
    await commit(decision)
    return decision.video
  })
}

/** A video whose run may be over; a deleted one ends the run without an error. */
export async function loadRunVideo(workspaceId: string, videoId: string): Promise<Video> {
  try {
    return await getVideo(workspaceId, videoId)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not-found') throw new Superseded(`The video ${videoId} is gone.`)
    throw error
  }
}

/** The video of a run that goes on, on the terms that were paid for; `Superseded` where it does not, before anything is made for it. */
export async function loadOpenRunVideo({ workspaceId, videoId, runId }: RunRef, kind: JobKind): Promise<Video> {
  const video = await loadRunVideo(workspaceId, videoId)
  requireOpenJob(video, kind, runId)
  return kind === 'process' ? withPaidTerms(video) : video
}
