/** The stored record of a sync job: the newest run for one kind and target of a video. */
import type { JobError } from '../core/failures.ts'
import type { SyncJobKind } from '../core/pipeline.ts'
import type { IdempotencyScope } from './idempotency-scope.ts'
import type { RunCharge } from './jobs.ts'

export interface SyncJob {
  workspaceId: string
  videoId: string
  kind: SyncJobKind
  /** Id of a scene or segment; empty for the video itself. */
  target: string
  version: number
  runId: string
  status: 'RUNNING' | 'COMPLETED' | 'FAILED'
  /** The parsed request. */
  input: Record<string, unknown>
  charge: RunCharge
  /** The idempotency scope of the request that claimed the run; null without a key. */
  answerScope: IdempotencyScope | null
  /** The response body as gzipped JSON; null until the job is complete. */
  answer: Uint8Array | null
  error: JobError | null
  /** Outcome of the previous run: a request may still be waiting for it. */
  previous: SyncJobOutcome | null
  startedAt: string
  /** When it completed; absent before, and in older records. */
  endedAt?: string
  deadlineAt: string
  /** Fencing token: incremented by each worker, the newest one wins. */
  attempt: number
  dueAt: string | null
}

/** The end of a run, for the request that waits for it. */
export type SyncJobOutcome = Pick<SyncJob, 'runId' | 'status' | 'answer' | 'error'>
