/**
 * Ends a sync job: commits its result or failure together with its charge and its response. Called by the pipeline step
 * or container command that did the work, by the failure step and by the sweeper.
 */
import { now } from '../../clock.ts'
import type { JobError } from '../../domain/core/failures.ts'
import { Superseded, toJobError } from '../../domain/core/failures.ts'
import { Refusal } from '../../domain/core/refusal.ts'
import type { Decision } from '../../domain/records/decision.ts'
import type { SyncJob } from '../../domain/records/sync-job.ts'
import type { Video } from '../../domain/records/video.ts'
import {
  failFinishedSyncJob,
  failSyncJob,
  requireOpenSyncJob,
  withSyncJobCompleted,
} from '../../domain/videos/sync-job-transitions.ts'
import { commit, IdempotencyKeyUsed } from '../../store/core/commit.ts'
import { retryOnConflict } from '../../store/core/conflict-retry.ts'
import type { SyncJobKey } from '../../store/sync-jobs.ts'
import { findSyncJob } from '../../store/sync-jobs.ts'
import { getVideo } from '../../store/videos.ts'

/**
 * Commits the result of a run together with the stored response of the request's idempotency key. `decide` gets the
 * current video; where it refuses, because the target has changed since the work began, the run fails and is charged.
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
    const result = await decideOrRefusal(async () => decide(await getVideo(jobKey.workspaceId, jobKey.videoId), job))
    if (result instanceof Refusal)
      return commit(failFinishedSyncJob(job, toJobError(result, 'provider-unavailable'), now()))
    const { decision, answer } = result
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

async function decideOrRefusal<Result>(decide: () => Promise<Result>): Promise<Result | Refusal> {
  try {
    return await decide()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** Fails a run unless it has ended. */
export function failOpenSyncJob(jobKey: SyncJobKey, runId: string, error: JobError): Promise<void> {
  return retryOnConflict(async () => {
    const job = await findSyncJob(jobKey)
    if (job?.runId === runId && job.status === 'RUNNING') await commit(failSyncJob(job, error, now()))
  })
}
