/** The end of a synchronous action: its result or its failure, in one commit with what it costs and what it is answered with. */
import { now } from '../../clock.ts'
import type { JobError } from '../../domain/core/failures.ts'
import { Superseded } from '../../domain/core/failures.ts'
import type { Decision } from '../../domain/records/decision.ts'
import type { SyncJob } from '../../domain/records/sync-job.ts'
import type { Video } from '../../domain/records/video.ts'
import { failSyncJob, requireOpenSyncJob, withSyncJobCompleted } from '../../domain/videos/sync-job.ts'
import { commit, IdempotencyKeyUsed } from '../../store/core/commit.ts'
import { retryOnConflict } from '../../store/core/conflict-retry.ts'
import type { SyncJobKey } from '../../store/sync-jobs.ts'
import { findSyncJob } from '../../store/sync-jobs.ts'
import { getVideo } from '../../store/videos.ts'

/**
 * Commits the result of a run with its answer, so that a retry with the request's key gets the same. `decide` is given the
 * video as it is now; a run that has ended meanwhile is `Superseded`.
 */
export async function completeSyncJob(
  jobKey: SyncJobKey & { runId: string },
  decide: (
    video: Video,
    action: SyncJob,
  ) => { decision: Decision; answer: unknown } | Promise<{ decision: Decision; answer: unknown }>,
): Promise<void> {
  return retryOnConflict(async () => {
    const action = requireOpenSyncJob(await findSyncJob(jobKey), jobKey.runId)
    const { decision, answer } = await decide(await getVideo(jobKey.workspaceId, jobKey.videoId), action)
    const { answerScope, workspaceId } = action
    const record = answerScope && {
      ...answerScope,
      workspaceId,
      status: 200,
      body: JSON.stringify({ data: answer }),
      at: decision.at,
    }
    try {
      await commit(withSyncJobCompleted(decision, action, answer), record ?? undefined)
    } catch (error) {
      // A key that was answered within 24 hours is replayed before an action begins: only its own retry can be here.
      if (error instanceof IdempotencyKeyUsed) throw new Superseded(`Run ${jobKey.runId} was answered already.`)
      throw error
    }
  })
}

/** Ends a run badly, unless it has ended. */
export function failOpenSyncJob(jobKey: SyncJobKey, runId: string, error: JobError): Promise<void> {
  return retryOnConflict(async () => {
    const action = await findSyncJob(jobKey)
    if (action?.runId === runId && action.status === 'RUNNING') await commit(failSyncJob(action, error, now()))
  })
}
