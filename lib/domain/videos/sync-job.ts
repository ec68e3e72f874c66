/**
 * Synchronous actions: work on a video that a request waits for, and that goes on where the request cannot wait any longer.
 * One record for each kind and target of a video holds the newest run, so that two of the same never work at once.
 */
import { isDeepStrictEqual } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Charge } from '../core/credits.ts'
import type { JobError } from '../core/failures.ts'
import { Superseded } from '../core/failures.ts'
import type { SyncJobKind } from '../core/pipeline.ts'
import { Refusal } from '../core/refusal.ts'
import { secondsAfter } from '../core/time.ts'
import type { Decision } from '../records/decision.ts'
import type { IdempotentRequest, SyncJob, SyncJobOutcome } from '../records/sync-job.ts'
import type { Video } from '../records/video.ts'
import type { Price } from '../workspaces/price.ts'
import type { Workspace } from '../workspaces/workspace.ts'

export interface SyncJobClaim {
  kind: SyncJobKind
  target: string
  input: Record<string, unknown>
  answerScope: IdempotentRequest | null
}

/** Longer than any provider takes; past it the run has failed and its credits are released. */
const syncJobTimeoutSeconds = 5 * 60
const sweepDelaySeconds = 60
const idempotencyTtlSeconds = 24 * 60 * 60

/** How long a request waits for its run. API Gateway cuts at 30 s; what is not done by then is told with a 503. */
export const syncWaitSecondsMax = 25
/** How soon whoever was told with a 503 comes again, at most: a run may end in between. */
const retryWindowSeconds = 15

/**
 * Claims an action and reserves its price. Answers the running one where the same request, without a key, is under way already.
 * Refuses with `idempotency-in-progress` where that key's work runs, with `job-in-progress` where another of this kind does.
 */
export function claimSyncJob(
  workspace: Workspace,
  video: Video,
  newest: SyncJob | undefined,
  claim: SyncJobClaim,
  /** Undefined where a run is under way, or answers: nothing is charged then. */
  price: Price | undefined,
  runId: string,
  { arrivedAt, now }: { arrivedAt: string; now: string },
): { run: SyncJob; decision: Decision | undefined } {
  if (newest && isReplayable(newest, claim, { arrivedAt, now })) return { run: newest, decision: undefined }
  if (newest?.status === 'RUNNING') {
    if (claim.answerScope && newest.answerScope?.key === claim.answerScope.key)
      throw new Refusal('idempotency-in-progress', 'The first request with this key is still being worked on.', {
        headers: { 'Retry-After': '2' },
      })
    if (!claim.answerScope && isDeepStrictEqual(newest.input, claim.input)) return { run: newest, decision: undefined }
    throw new Refusal('job-in-progress', 'The same kind of work is under way on this video already.')
  }
  if (!price) throw new Error('An action that is to be claimed has no price.')
  const { credits, metered, unit, renewal, month } = price
  const run: SyncJob = {
    workspaceId: workspace.id,
    videoId: video.id,
    ...claim,
    version: (newest?.version ?? 0) + 1,
    runId,
    status: 'RUNNING',
    charge: { credits, metered, unit },
    answer: null,
    error: null,
    previous: newest ? outcomeOf(newest) : null,
    startedAt: now,
    deadlineAt: secondsAfter(now, syncJobTimeoutSeconds),
    attempt: 0,
    dueAt: secondsAfter(now, sweepDelaySeconds),
  }
  const decision: Decision = {
    workspaceId: workspace.id,
    at: now,
    changes: [{ record: 'action', before: newest, after: run }],
    month,
    ...(renewal ? { renewal } : {}),
    charges: [chargeOf('reserve', run)],
    events: [],
    starts: [{ pipeline: 'act', videoId: video.id, runId, kind: claim.kind, target: claim.target }],
  }
  return { run, decision }
}

/** A row has 400 KB: two answers have to fit, of which the older is of interest for a moment only. */
const responseBytesMax = 100_000

/** What the request of a run that was settled is answered with. */
export const syncJobResponse = ({ answer }: SyncJobOutcome): unknown =>
  answer && JSON.parse(gunzipSync(answer).toString('utf8'))

function outcomeOf({ runId, status, answer, error }: SyncJob): SyncJobOutcome | null {
  return answer && answer.byteLength > responseBytesMax ? null : { runId, status, answer, error }
}

/** Whether a run that was settled is the one of this very key, or for the same request, which came before its end or was told to come again. */
export function isReplayable(
  run: SyncJob,
  claim: SyncJobClaim,
  { arrivedAt, now }: { arrivedAt: string; now: string },
) {
  const { status, answerScope, input, startedAt, endedAt = startedAt } = run
  if (status !== 'COMPLETED') return false
  if (claim.answerScope)
    return claim.answerScope.key === answerScope?.key && now < secondsAfter(startedAt, idempotencyTtlSeconds)
  const isInTime = endedAt >= arrivedAt || isRetry(run, now)
  return answerScope === null && isInTime && isDeepStrictEqual(input, claim.input)
}

/** Whether a request of now may be that of a run whose answer was not there in time. */
const isRetry = ({ startedAt, endedAt }: SyncJob, now: string) =>
  endedAt !== undefined &&
  endedAt >= secondsAfter(startedAt, syncWaitSecondsMax) &&
  now < secondsAfter(endedAt, retryWindowSeconds)

/** The run that a worker works on, or `Superseded` where it has ended. */
export function requireOpenSyncJob(action: SyncJob | undefined, runId: string): SyncJob {
  if (action?.runId !== runId || action.status !== 'RUNNING')
    throw new Superseded(`Run ${runId} is no longer the open action.`)
  return action
}

/** Adds to a decision about the video that the action which led to it is done, paid for, and answered. */
export function withSyncJobCompleted(decision: Decision, action: SyncJob, answer: unknown): Decision {
  const after: SyncJob = {
    ...action,
    version: action.version + 1,
    status: 'COMPLETED',
    answer: gzipSync(JSON.stringify(answer)),
    endedAt: decision.at,
    dueAt: null,
  }
  return {
    ...decision,
    changes: [...decision.changes, { record: 'action', before: action, after }],
    charges: [...decision.charges, chargeOf('capture', action)],
  }
}

/** Ends an action badly: what was reserved is given back, and the same request may be made again. */
export function failSyncJob(action: SyncJob, error: JobError, now: string): Decision {
  const after: SyncJob = { ...action, version: action.version + 1, status: 'FAILED', error, dueAt: null }
  return {
    workspaceId: action.workspaceId,
    at: now,
    changes: [{ record: 'action', before: action, after }],
    charges: [chargeOf('release', action)],
    events: [],
    starts: [],
  }
}

const chargeOf = (kind: Charge['kind'], { runId, charge }: Pick<SyncJob, 'runId' | 'charge'>): Charge => ({
  kind,
  runId,
  ...charge,
})
