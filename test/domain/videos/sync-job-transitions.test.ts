/** Which run a request without an idempotency key joins, so that a repeated request is not charged twice. */
import { describe, expect, it } from 'vitest'
import type { Decision } from '../../../lib/domain/records/decision.ts'
import type { SyncJob } from '../../../lib/domain/records/sync-job.ts'
import { claimSyncJob, withSyncJobCompleted } from '../../../lib/domain/videos/sync-job-transitions.ts'
import { creditPrices } from '../../../lib/domain/workspaces/plan.ts'
import { priceOf } from '../../../lib/domain/workspaces/price.ts'
import { at, videoThatIs, workspaceOn } from '../support/videos.ts'

const workspace = workspaceOn('starter')
const video = videoThatIs.generated()
const request = { kind: 'recut' as const, target: '', input: {}, idempotencyScope: null }

function claim(newest: SyncJob | undefined, runId: string, arrivedAt: string, now: string) {
  const price = newest?.status === 'RUNNING' ? undefined : priceOf(workspace, creditPrices.recut, 'video', now)
  return claimSyncJob(workspace, video, newest, request, price, runId, { arrivedAt, now })
}

/** A run that began at second 10 and ended at second 20. */
function doneRun(): SyncJob {
  const { run } = claim(undefined, 'run_1', at(10), at(10))
  const result: Decision = { workspaceId: workspace.id, at: at(20), changes: [], charges: [], events: [], starts: [] }
  const { changes } = withSyncJobCompleted(result, run, ['the scenes'])
  return changes.flatMap((change) => (change.record === 'syncJob' ? [change.after] : []))[0]!
}

describe('a request without a key joins an equal earlier run', () => {
  it('that is in progress', () => {
    const { run } = claim(undefined, 'run_1', at(10), at(10))
    expect(claim(run, 'run_2', at(11), at(11))).toEqual({ run, decision: undefined })
  })

  it('that was in progress when the request arrived, and done when it was read', () => {
    expect(claim(doneRun(), 'run_2', at(19), at(21))).toMatchObject({ run: { runId: 'run_1' }, decision: undefined })
  })

  it('that an earlier version settled, which recorded only its beginning', () => {
    const { endedAt: _, ...older } = doneRun()
    expect(claim(older, 'run_2', at(9), at(21)).run.runId).toBe('run_1')
    expect(claim(older, 'run_2', at(19), at(21)).run.runId).toBe('run_2')
  })

  it('but not one that was done when the request arrived', () => {
    const { run, decision } = claim(doneRun(), 'run_2', at(21), at(21))
    expect([run.runId, decision!.charges]).toMatchObject(['run_2', [{ kind: 'reserve', credits: 10 }]])
  })
})

describe('the next run of a job', () => {
  /** A response of this many stored bytes. */
  const doneWith = (bytes: number): SyncJob => ({ ...doneRun(), answer: new Uint8Array(bytes) })
  const next = (newest: SyncJob) => claim(newest, 'run_2', at(30), at(30)).run

  it('keeps the outcome of the one before it, unless its response takes more than 100 KB', () => {
    expect(next(doneWith(100_000)).previous).toMatchObject({ runId: 'run_1', status: 'COMPLETED', error: null })
    expect(next(doneWith(100_001)).previous).toBeNull()
  })

  it('counts versions on, has five minutes, and begins without an answer', () => {
    const before = doneRun()
    expect(next(before)).toMatchObject({
      version: before.version + 1,
      runId: 'run_2',
      status: 'RUNNING',
      answer: null,
      error: null,
      startedAt: at(30),
      deadlineAt: at(330),
      attempt: 0,
    })
  })
})
