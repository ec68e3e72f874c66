import type { JobError } from '../core/failures.ts'
import type { SyncJobKind } from '../core/pipeline.ts'
import type { RunCharge } from './jobs.ts'

/** The answer of an action to a request that carried an idempotency key is kept under this. */
export interface IdempotentRequest {
  method: string
  path: string
  key: string
  bodyHash: string
}

export interface SyncJob {
  workspaceId: string
  videoId: string
  kind: SyncJobKind
  /** The scene or segment that it is about; empty where that is the video itself. */
  target: string
  version: number
  runId: string
  status: 'RUNNING' | 'COMPLETED' | 'FAILED'
  /** What the request asked for, after parsing. */
  input: Record<string, unknown>
  charge: RunCharge
  answerScope: IdempotentRequest | null
  /** What the request is answered with, as compressed JSON; null until the work is done. */
  answer: Uint8Array | null
  error: JobError | null
  /** How the run before this one ended: a request may still be waiting for it. */
  previous: SyncJobOutcome | null
  startedAt: string
  /** When its answer was there; absent before, and of runs that earlier versions settled. */
  endedAt?: string
  deadlineAt: string
  /** Counts workers: the newest one wins. */
  attempt: number
  dueAt: string | null
}

/** The end of a run, as whoever waited for it is told. */
export type SyncJobOutcome = Pick<SyncJob, 'runId' | 'status' | 'answer' | 'error'>
