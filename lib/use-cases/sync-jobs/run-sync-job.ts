/**
 * Runs a sync job for a request: one commit claims and charges the job, a pipeline run does the work, another commit
 * completes it (`complete-sync-job.ts`). Called by the routes that wait for work; after the time limit the request gets
 * `unavailable` while the work continues.
 */
import { poll, retry } from '../../async.ts'
import { startPipeline } from '../../aws/pipelines.ts'
import { now } from '../../clock.ts'
import type { JobError } from '../../domain/core/failures.ts'
import { mintId } from '../../domain/core/mint-id.ts'
import { notFound, Refusal, refusalCodes } from '../../domain/core/refusal.ts'
import type { SyncJob } from '../../domain/records/sync-job.ts'
import type { SyncJobClaim } from '../../domain/videos/sync-job-transitions.ts'
import { claimSyncJob, isReplayable, syncJobResponse } from '../../domain/videos/sync-job-transitions.ts'
import { type QuotedPrice, refuseOtherPrice } from '../../domain/workspaces/quote.ts'
import { commit, IdempotencyKeyUsed } from '../../store/core/commit.ts'
import { retryOnConflict } from '../../store/core/conflict-retry.ts'
import { findStoredResponse } from '../../store/idempotency.ts'
import { findSyncJob } from '../../store/sync-jobs.ts'
import { getVideo } from '../../store/videos.ts'
import { getWorkspace } from '../../store/workspaces.ts'
import type { SyncJobPlan } from './sync-job-plan.ts'
import { type WaitPermit, withWaitPermit } from './wait-permit.ts'

const pauseMs = { first: 40, growth: 1.3, last: 500 }

/** The request for a job. */
export interface SyncJobRequest extends Pick<SyncJobClaim, 'idempotencyScope'> {
  workspaceId: string
  quote: QuotedPrice | undefined
  /** How long the request waits for its job. */
  waitSeconds: number
}

const isRateLimit = (error: unknown) => error instanceof Refusal && error.code === 'rate-limited'

/**
 * Runs a job of a video, or joins the same one that is running, and returns its response.
 * @throws IdempotencyKeyUsed where the job of the key has a stored response: replay it.
 */
export async function runSyncJob<Answer>(videoId: string, plan: SyncJobPlan, request: SyncJobRequest): Promise<Answer> {
  const until = Date.parse(now()) + request.waitSeconds * 1000
  return withWaitPermit(request.workspaceId, async (permit) => {
    // A duplicate that finds no permit may only be ahead of the commit of the first: then its answer is another one.
    const run = await retry(() => claim(videoId, plan, request, permit), {
      pausesMs: [100, 300],
      isRetryable: isRateLimit,
    })
    return (await awaitSyncJob(run, until)) as Answer
  })
}

async function claim(
  videoId: string,
  { check, price, ...job }: SyncJobPlan,
  { workspaceId, idempotencyScope, quote, waitSeconds }: SyncJobRequest,
  permit: WaitPermit,
): Promise<SyncJob> {
  const arrivedAt = now()
  const wanted: SyncJobClaim = { ...job, idempotencyScope }
  return retryOnConflict(async () => {
    const at = now()
    const times = { arrivedAt, now: at, waitSeconds }
    const [workspace, video] = await Promise.all([getWorkspace(workspaceId), getVideo(workspaceId, videoId)])
    // Read last: where the credits of a job that started meanwhile are missing, the job is seen too.
    const newest = await findSyncJob({ workspaceId, videoId, kind: job.kind, target: job.target })
    await check(video)
    // A charged job is not priced again: there may be no credits left.
    const isPaid = newest && (newest.status === 'RUNNING' || isReplayable(newest, wanted, times))
    // The key's own job may have ended, and another one too, since the request looked for the response of its key.
    if (newest && !isPaid && idempotencyScope && (await findStoredResponse(workspaceId, idempotencyScope, at)))
      throw new IdempotencyKeyUsed(idempotencyScope.path)
    const cost = isPaid ? undefined : await price(workspace, video, at)
    if (cost) refuseOtherPrice(quote, cost)
    const { run, decision } = claimSyncJob(workspace, video, newest, wanted, cost, mintId('run', at), times)
    if (run.status === 'RUNNING') await permit.acquire()
    if (!decision) return run
    await commit(decision)
    // The outbox dispatcher would do the same a moment later.
    for (const start of decision.starts) await startPipeline(workspaceId, start)
    return run
  })
}

async function awaitSyncJob(run: SyncJob, until: number): Promise<unknown> {
  const findOutcome = async () => {
    const newest = await findSyncJob(run)
    // The row is deleted with its video.
    if (!newest) throw notFound('video')
    // Another run may have started since this one ended.
    return [newest, newest.previous].find((job) => job?.runId === run.runId)
  }
  const outcome = await poll(findOutcome, (job) => job?.status !== 'RUNNING', { pauseMs, until })
  if (outcome?.status === 'COMPLETED') return syncJobResponse(outcome)
  if (outcome?.status === 'FAILED') throw refusalFromJobError(outcome.error!)
  throw new Refusal('unavailable', 'Still processing. Retry after the time in `Retry-After`.', {
    headers: { 'Retry-After': '5' },
  })
}

/** A refusal of the run refuses the request; any other failure is temporary. */
export function refusalFromJobError({ code, message, action }: JobError): Refusal {
  const known = refusalCodes.find((name) => name === code)
  if (known) return new Refusal(known, message, action ? { action } : {})
  return new Refusal('unavailable', message, { headers: { 'Retry-After': '5' } })
}
