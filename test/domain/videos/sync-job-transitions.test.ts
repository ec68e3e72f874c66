/** Which run a request without an idempotency key joins, so that a repeated request is not charged twice. */
import { describe, expect, it } from 'vitest'
import { Superseded } from '../../../lib/domain/core/failures.ts'
import { secondsAfter } from '../../../lib/domain/core/time.ts'
import type { Decision } from '../../../lib/domain/records/decision.ts'
import type { SyncJob } from '../../../lib/domain/records/sync-job.ts'
import {
  claimSyncJob,
  failFinishedSyncJob,
  failSyncJob,
  requireOpenSyncJob,
  type SyncJobClaim,
  syncJobResponse,
  withSyncJobCompleted,
} from '../../../lib/domain/videos/sync-job-transitions.ts'
import { creditPrices } from '../../../lib/domain/workspaces/plan.ts'
import { priceOf } from '../../../lib/domain/workspaces/price.ts'
import { refusalOf } from '../../support/refusals.ts'
import { at, videoThatIs, workspaceOn } from '../support/videos.ts'

const workspace = workspaceOn('starter')
const video = videoThatIs.generated()
const request = { kind: 'recut' as const, target: '', input: {}, idempotencyScope: null }

function claim(
  newest: SyncJob | undefined,
  runId: string,
  arrivedAt: string,
  now: string,
  fields: Partial<SyncJobClaim> = {},
  waitSeconds = 25,
) {
  const price = newest?.status === 'RUNNING' ? undefined : priceOf(workspace, creditPrices.recut, 'video', now)
  return claimSyncJob(workspace, video, newest, { ...request, ...fields }, price, runId, {
    arrivedAt,
    now,
    waitSeconds,
  })
}
const scope = (key: string): Partial<SyncJobClaim> => ({ idempotencyScope: { key } as never })

/** A run that began at second 10 and ended at second 20, unless given. */
function doneRun(fields: Partial<SyncJobClaim> = {}, second = 20): SyncJob {
  const { run } = claim(undefined, 'run_1', at(10), at(10), fields)
  const result: Decision = {
    workspaceId: workspace.id,
    at: at(second),
    changes: [],
    charges: [],
    events: [],
    starts: [],
  }
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

  it('counts versions on, has five minutes, a presenter 25, and begins without an answer', () => {
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
    const { run } = claim(undefined, 'run_1', at(10), at(10), { kind: 'presenter' })
    expect(run.deadlineAt).toBe(secondsAfter(at(10), 25 * 60))
  })
})

describe('a request with a key', () => {
  const day = 24 * 60 * 60
  const next = (newest: SyncJob, key: string, second: number) =>
    claim(newest, 'run_2', at(second), at(second), scope(key))

  it('is answered by the run of the same key for a day, whatever its input is', () => {
    expect(next(doneRun(scope('a')), 'a', 9 + day)).toMatchObject({ run: { runId: 'run_1' }, decision: undefined })
    expect(next(doneRun(scope('a')), 'a', 10 + day).run.runId).toBe('run_2')
    expect(claim(doneRun(scope('a')), 'run_2', at(21), at(21), { ...scope('a'), input: { other: 1 } }).run.runId).toBe(
      'run_1',
    )
  })

  it('is not answered by the run of another key, or of none, nor a request without a key by its run', () => {
    expect(next(doneRun(scope('a')), 'b', 21).run.runId).toBe('run_2')
    expect(next(doneRun(), 'a', 21).run.runId).toBe('run_2')
    expect(claim(doneRun(scope('a')), 'run_2', at(19), at(21)).run.runId).toBe('run_2')
  })

  it('waits while its own run is in progress, and is refused while another one is', () => {
    const { run } = claim(undefined, 'run_1', at(10), at(10), scope('a'))
    expect(refusalOf(() => next(run, 'a', 11))).toMatchObject({
      code: 'idempotency-in-progress',
      extras: { headers: { 'Retry-After': '2' } },
    })
    expect(refusalOf(() => next(run, 'b', 11))?.code).toBe('job-in-progress')
    const { run: unnamed } = claim(undefined, 'run_1', at(10), at(10))
    expect(refusalOf(() => next(unnamed, 'b', 11))?.code).toBe('job-in-progress')
  })
})

describe('a request without a key', () => {
  it('is refused while a run of another input is in progress', () => {
    const { run } = claim(undefined, 'run_1', at(10), at(10))
    expect(refusalOf(() => claim(run, 'run_2', at(11), at(11), { input: { other: 1 } }))?.code).toBe('job-in-progress')
  })

  it('is not answered by a run of another input, nor by one that failed', () => {
    expect(claim(doneRun(), 'run_2', at(19), at(21), { input: { other: 1 } }).run.runId).toBe('run_2')
    expect(claim({ ...doneRun(), status: 'FAILED' }, 'run_2', at(19), at(21)).run.runId).toBe('run_2')
  })

  it('is answered by a run that ended as it arrived', () => {
    expect(claim(doneRun(), 'run_2', at(20), at(21)).run.runId).toBe('run_1')
  })

  it.each([
    [25, 35, 49, 'run_1'],
    [25, 35, 50, 'run_2'],
    [25, 34, 36, 'run_2'],
    [0, 12, 26, 'run_1'],
    [0, 12, 27, 'run_2'],
  ])(
    'that waits %i s may be the retry after a run that took longer: ended at %i, asked at %i: %s',
    (...[waitSeconds, endedAt, askedAt, runId]) => {
      expect(claim(doneRun({}, endedAt), 'run_2', at(askedAt), at(askedAt), {}, waitSeconds).run.runId).toBe(runId)
    },
  )
})

describe('a run', () => {
  const { run, decision } = claim(undefined, 'run_1', at(10), at(10))

  it('reserves its price, starts its pipeline, and is looked at in a minute', () => {
    expect(run).toMatchObject({
      version: 1,
      charge: { credits: 10, unit: 'video', metered: true },
      dueAt: at(70),
      previous: null,
    })
    expect(decision).toMatchObject({
      month: '2026-11',
      charges: [{ kind: 'reserve', runId: 'run_1', credits: 10 }],
      starts: [{ pipeline: 'act', videoId: video.id, runId: 'run_1', kind: 'recut', target: '' }],
    })
    expect(decision).not.toHaveProperty('renewal')
    const december = '2026-12-01T00:00:00.000Z'
    expect(claim(undefined, 'run_1', december, december).decision).toMatchObject({ renewal: { month: '2026-12' } })
  })

  it('cannot begin without a price', () => {
    const times = { arrivedAt: at(10), now: at(10), waitSeconds: 25 }
    expect(() => claimSyncJob(workspace, video, undefined, request, undefined, 'run_1', times)).toThrow(
      'without a price',
    )
  })

  it('is open for its worker alone, and until it ends', () => {
    expect(requireOpenSyncJob(run, 'run_1')).toBe(run)
    for (const job of [undefined, { ...run, runId: 'run_2' }, doneRun()])
      expect(() => requireOpenSyncJob(job, 'run_1')).toThrow(Superseded)
  })

  it('that is complete has its response, captures its price, and is looked at no more', () => {
    const done = doneRun()
    expect(done).toMatchObject({ status: 'COMPLETED', version: 2, endedAt: at(20), dueAt: null })
    expect(syncJobResponse(done)).toEqual(['the scenes'])
    const change = { record: 'video' as const, before: video, after: video }
    const result: Decision = {
      workspaceId: workspace.id,
      at: at(20),
      changes: [change],
      charges: [],
      events: [],
      starts: [],
    }
    const complete = withSyncJobCompleted({ ...result, month: '2026-11' }, run, ['the scenes'])
    expect(complete).toMatchObject({
      ...result,
      month: '2026-11',
      changes: [change, { before: run }],
      charges: [{ kind: 'capture' }],
    })
    expect(syncJobResponse(run)).toBeNull()
  })

  const error = { code: 'timeout' as const, message: 'Late.', blocked: false }
  it('that fails releases its price', () => {
    const { changes, charges } = failSyncJob(run, error, at(20))
    expect(changes).toEqual([
      { record: 'syncJob', before: run, after: { ...run, version: 2, status: 'FAILED', error, dueAt: null } },
    ])
    expect(charges).toMatchObject([{ kind: 'release', runId: 'run_1', credits: 10 }])
  })

  it('that fails after its work was done is paid for, and says so where it costs anything', () => {
    const failedOf = (job: SyncJob) => {
      const { changes, charges } = failFinishedSyncJob(job, error, at(20))
      const [message] = changes.flatMap((one) => (one.record === 'syncJob' ? one.after.error?.message : []))
      return [message, charges[0]!.kind]
    }
    expect(failedOf(run)).toEqual(['Late. The work was done and is charged.', 'capture'])
    expect(failedOf({ ...run, charge: { ...run.charge, credits: 1 } })[0]).toContain('is charged')
    expect(failedOf({ ...run, charge: { ...run.charge, credits: 0 } })).toEqual(['Late.', 'capture'])
  })
})
