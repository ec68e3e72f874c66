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
import { requireAttempt } from '../../domain/videos/job-transitions.ts'
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
 * Commits the result of a run together with the stored response of the request's idempotency key. `claimed`: the job, as
 * the worker claimed it. `decide` gets the current video; where it refuses, because the target has changed since the work
 * began, the run fails and is charged.
 * @throws Superseded where the run has ended, or another worker has claimed it.
 */
export async function completeSyncJob(
  claimed: SyncJob,
  decide: (
    video: Video,
    job: SyncJob,
  ) => { decision: Decision; answer: unknown } | Promise<{ decision: Decision; answer: unknown }>,
): Promise<void> {
  return retryOnConflict(async () => {
    const job = await requireClaimedSyncJob(claimed)
    const result = await decideOrRefusal(async () => decide(await getVideo(job.workspaceId, job.videoId), job))
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
      if (error instanceof IdempotencyKeyUsed) throw new Superseded(`Run ${job.runId} has its response already.`)
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

/** Fails the run of a worker. @throws Superseded where it has ended, or another worker has claimed it. */
export function failSyncJobAttempt(claimed: SyncJob, error: JobError): Promise<void> {
  return retryOnConflict(async () => commit(failSyncJob(await requireClaimedSyncJob(claimed), error, now())))
}

/** The current record of a job that a worker has claimed. */
const requireClaimedSyncJob = async (claimed: SyncJob): Promise<SyncJob> =>
  requireAttempt(requireOpenSyncJob(await findSyncJob(claimed), claimed.runId), claimed.attempt)

/** Fails a run unless it has ended, whichever worker has claimed it. */
export function failOpenSyncJob(jobKey: SyncJobKey, runId: string, error: JobError): Promise<void> {
  return retryOnConflict(async () => {
    const job = await findSyncJob(jobKey)
    if (job?.runId === runId && job.status === 'RUNNING') await commit(failSyncJob(job, error, now()))
  })
}
