/**
 * Ends a sync job: commits its result or failure together with its charge and its response. Called by the pipeline step
 * or container command that did the work, by the failure step and by the sweeper.
 */
import { now } from '../../clock.ts'
import type { JobError } from '../../domain/core/failures.ts'
import { Superseded } from '../../domain/core/failures.ts'
import type { Decision } from '../../domain/records/decision.ts'
import type { SyncJob } from '../../domain/records/sync-job.ts'
import type { Video } from '../../domain/records/video.ts'
import { failSyncJob, requireOpenSyncJob, withSyncJobCompleted } from '../../domain/videos/sync-job-transitions.ts'
import { commit, IdempotencyKeyUsed } from '../../store/core/commit.ts'
import { retryOnConflict } from '../../store/core/conflict-retry.ts'
import type { SyncJobKey } from '../../store/sync-jobs.ts'
import { findSyncJob } from '../../store/sync-jobs.ts'
import { getVideo } from '../../store/videos.ts'

/**
 * Commits the result of a run together with the stored response of the request's idempotency key. `decide` gets the
 * current video.
 * @throws Superseded where the run has ended.
 */
export async function completeSyncJob(
  jobKey: SyncJobKey & { runId: string },
  decide: (
    video: Video,
    job: SyncJob,
  ) => { decision: Decision; answer: unknown } | Promise<{ decision: Decision; answer: unknown }>,
): Promise<void> {
  return retryOnConflict(async () => {
    const job = requireOpenSyncJob(await findSyncJob(jobKey), jobKey.runId)
    const { decision, answer } = await decide(await getVideo(jobKey.workspaceId, jobKey.videoId), job)
    const { answerScope, workspaceId } = job
    const record = answerScope && {
      ...answerScope,
      workspaceId,
      status: 200,
      body: JSON.stringify({ data: answer }),
      at: decision.at,
    }
    try {
      await commit(withSyncJobCompleted(decision, job, answer), record ?? undefined)
    } catch (error) {
      // A key with a stored response is replayed before a job starts, so this is a retry of the same run.
      if (error instanceof IdempotencyKeyUsed) throw new Superseded(`Run ${jobKey.runId} has its response already.`)
      throw error
    }
  })
}

/** Fails a run unless it has ended. */
export function failOpenSyncJob(jobKey: SyncJobKey, runId: string, error: JobError): Promise<void> {
  return retryOnConflict(async () => {
    const job = await findSyncJob(jobKey)
    if (job?.runId === runId && job.status === 'RUNNING') await commit(failSyncJob(job, error, now()))
  })
}
