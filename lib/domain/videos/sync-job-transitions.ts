/**
 * State transitions of a sync job: work on a video that a request waits for, and that continues after the request times
 * out. Called by the use cases in `sync-jobs/`. One record per kind and target of a video holds the newest run, so that
 * two of the same kind never run concurrently.
 */
import { isDeepStrictEqual } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Charge } from '../core/credits.ts'
import type { JobError } from '../core/failures.ts'
import { Superseded } from '../core/failures.ts'
import { type SyncJobKind, sweepDelaySeconds } from '../core/pipeline.ts'
import { Refusal } from '../core/refusal.ts'
import { secondsAfter } from '../core/time.ts'
import { type Decision, newDecision } from '../records/decision.ts'
import type { IdempotencyScope } from '../records/idempotency-scope.ts'
import type { SyncJob, SyncJobOutcome } from '../records/sync-job.ts'
import type { Video } from '../records/video.ts'
import type { Price } from '../workspaces/price.ts'
import type { Workspace } from '../workspaces/workspace.ts'

/** The request that claims a job. */
export interface ClaimTimes {
  arrivedAt: string
  now: string
  /** How long it waits for the job before it is answered with a 503. */
  waitSeconds: number
}

export interface SyncJobClaim {
  kind: SyncJobKind
  target: string
  input: Record<string, unknown>
  /** Stored as the job's `answerScope`; null without an idempotency key. */
  idempotencyScope: IdempotencyScope | null
}

/**
 * Longer than any provider takes; then the run fails and its credits are released. A presenter may be an order at a vendor,
 * for which its execution waits up to 20 minutes.
 */
const timeoutSecondsOf = (kind: SyncJobKind): number => (kind === 'presenter' ? 25 : 5) * 60
const idempotencyTtlSeconds = 24 * 60 * 60

/** Window after the end of a run for the retry of a request that got a 503. */
const retryWindowSeconds = 15

/**
 * Claims a sync job and reserves its price. Returns the running job for the same request without an idempotency key.
 * Refuses with `idempotency-in-progress` if the key's job is running, with `job-in-progress` if another of this kind is.
 */
export function claimSyncJob(
  workspace: Workspace,
  video: Video,
  newest: SyncJob | undefined,
  claim: SyncJobClaim,
  /** Undefined if a run is in progress or can be replayed: nothing is charged. */
  price: Price | undefined,
  runId: string,
  times: ClaimTimes,
): { run: SyncJob; decision: Decision | undefined } {
  const { now } = times
  if (newest && isReplayable(newest, claim, times)) return { run: newest, decision: undefined }
  if (newest?.status === 'RUNNING') {
    if (claim.idempotencyScope && newest.answerScope?.key === claim.idempotencyScope.key)
      throw new Refusal('idempotency-in-progress', 'The first request with this key is still in progress.', {
        headers: { 'Retry-After': '2' },
      })
    if (!claim.idempotencyScope && isDeepStrictEqual(newest.input, claim.input))
      return { run: newest, decision: undefined }
    throw new Refusal('job-in-progress', 'The same operation is already in progress for this video.')
  }
  if (!price) throw new Error('A sync job cannot be claimed without a price.')
  const { credits, metered, unit, renewal, month } = price
  const { kind, target, input, idempotencyScope } = claim
  const run: SyncJob = {
    workspaceId: workspace.id,
    videoId: video.id,
    kind,
    target,
    input,
    answerScope: idempotencyScope,
    version: (newest?.version ?? 0) + 1,
    runId,
    status: 'RUNNING',
    charge: { credits, metered, unit },
    answer: null,
    error: null,
    previous: newest ? outcomeOf(newest) : null,
    startedAt: now,
    deadlineAt: secondsAfter(now, timeoutSecondsOf(kind)),
    attempt: 0,
    dueAt: secondsAfter(now, sweepDelaySeconds),
  }
  const decision: Decision = {
    ...newDecision(workspace.id, [{ record: 'syncJob', before: newest, after: run }], now),
    month,
    ...(renewal ? { renewal } : {}),
    charges: [syncJobCharge('reserve', run)],
    starts: [{ pipeline: 'act', videoId: video.id, runId, kind, target }],
  }
  return { run, decision }
}

/** A row has at most 400 KB and holds two responses; a large previous one, needed for a moment only, is dropped. */
const responseBytesMax = 100_000

/** The response body of a completed run. */
export const syncJobResponse = ({ answer }: SyncJobOutcome): unknown =>
  answer && JSON.parse(gunzipSync(answer).toString('utf8'))

function outcomeOf({ runId, status, answer, error }: SyncJob): SyncJobOutcome | null {
  return answer && answer.byteLength > responseBytesMax ? null : { runId, status, answer, error }
}

/** Whether a completed run has the response for a request: same key, or same input and waiting or retrying after a 503. */
export function isReplayable(run: SyncJob, claim: SyncJobClaim, times: ClaimTimes) {
  const { arrivedAt, now } = times
  const { status, answerScope, input, startedAt, endedAt = startedAt } = run
  if (status !== 'COMPLETED') return false
  if (claim.idempotencyScope)
    return claim.idempotencyScope.key === answerScope?.key && now < secondsAfter(startedAt, idempotencyTtlSeconds)
  const isInTime = endedAt >= arrivedAt || isRetry(run, times)
  return answerScope === null && isInTime && isDeepStrictEqual(input, claim.input)
}

/** Whether a request may be the retry after a run that exceeded the wait: a retry waits as long as the first request. */
const isRetry = ({ startedAt, endedAt }: SyncJob, { now, waitSeconds }: ClaimTimes) =>
  endedAt !== undefined &&
  endedAt >= secondsAfter(startedAt, waitSeconds) &&
  now < secondsAfter(endedAt, retryWindowSeconds)

/** The running job of a worker. Throws `Superseded` if it has ended. */
export function requireOpenSyncJob(job: SyncJob | undefined, runId: string): SyncJob {
  if (job?.runId !== runId || job.status !== 'RUNNING')
    throw new Superseded(`Run ${runId} is no longer the open sync job.`)
  return job
}

/** Adds to the resulting decision that the job is complete: captures its credits and stores the response. */
export function withSyncJobCompleted(decision: Decision, job: SyncJob, response: unknown): Decision {
  const after: SyncJob = {
    ...job,
    version: job.version + 1,
    status: 'COMPLETED',
    answer: gzipSync(JSON.stringify(response)),
    endedAt: decision.at,
    dueAt: null,
  }
  return {
    ...decision,
    changes: [...decision.changes, { record: 'syncJob', before: job, after }],
    charges: [...decision.charges, syncJobCharge('capture', job)],
  }
}

/** Fails a job: releases its credits, and the same request may be sent again. */
export const failSyncJob = (job: SyncJob, error: JobError, now: string): Decision =>
  failedSyncJob(job, error, 'release', now)

/**
 * Fails a job whose work is done, because its target was edited, moved or deleted meanwhile: what was made is paid for.
 */
export const failFinishedSyncJob = (job: SyncJob, { code, message, ...error }: JobError, now: string): Decision =>
  failedSyncJob(
    job,
    { ...error, code, message: job.charge.credits > 0 ? `${message} The work was done and is charged.` : message },
    'capture',
    now,
  )

function failedSyncJob(job: SyncJob, error: JobError, charge: 'capture' | 'release', now: string): Decision {
  const after: SyncJob = { ...job, version: job.version + 1, status: 'FAILED', error, dueAt: null }
  return {
    ...newDecision(job.workspaceId, [{ record: 'syncJob', before: job, after }], now),
    charges: [syncJobCharge(charge, job)],
  }
}

const syncJobCharge = (kind: Charge['kind'], { runId, charge }: Pick<SyncJob, 'runId' | 'charge'>): Charge => ({
  kind,
  runId,
  ...charge,
})
