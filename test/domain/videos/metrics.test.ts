/**
 * Metrics of a decision: every end of a job once, by its code, and the ends of posts and slots that an operator must
 * know.
 */
import { describe, expect, it } from 'vitest'
import type { JobError } from '../../../lib/domain/core/failures.ts'
import type { Decision, RecordChange } from '../../../lib/domain/records/decision.ts'
import { measurementsOf } from '../../../lib/domain/records/metrics.ts'
import type { SlotRecord } from '../../../lib/domain/records/slot.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import type { Webhook } from '../../../lib/domain/records/webhook.ts'
import { failJob } from '../../../lib/domain/videos/job-transitions.ts'
import { at, videoThatIs } from '../support/videos.ts'

const now = at(60)
const shownBy = (fields: Partial<Decision>) =>
  measurementsOf({ workspaceId: 'wsp_1', at: now, changes: [], charges: [], events: [], starts: [], ...fields }, now)
const between = (before: Video, after: Video) => shownBy({ changes: [{ record: 'video', before, after }] })

const generating = videoThatIs.generating()
const generated = videoThatIs.generated()
const failedWith = (fields: Partial<JobError>) => {
  const error = { code: 'script-failed', message: 'No.', blocked: false, ...fields } as JobError
  return failJob(generating, 'process', generating.process!.runId, error, at(3))!.video
}

describe('the end of a job', () => {
  it('is counted once, as completed', () => {
    expect(between(generating, generated)).toEqual([
      { name: 'JobsEnded', value: 1, by: { job: 'generate', code: 'completed' } },
    ])
    expect(between(generated, { ...generated, title: 'Another' })).toEqual([])
  })

  it('is counted as a failure with its code', () => {
    expect(between(generating, failedWith({}))).toEqual([
      { name: 'JobsEnded', value: 1, by: { job: 'generate', code: 'script-failed' } },
      { name: 'JobsFailed', value: 1, by: { job: 'generate' } },
    ])
  })

  it('is not a failure when the client hit a limit', () => {
    const names = between(generating, failedWith({ code: 'limit-reached', blocked: true })).map(({ name }) => name)
    expect(names).toEqual(['JobsEnded'])
  })

  it('is not counted for a superseded run, nor for a running one', () => {
    const requeued = { ...generated, process: { ...generated.process!, runId: 'run_9', status: 'QUEUED' as const } }
    expect(between(generated, requeued)).toEqual([])
    expect(between(videoThatIs.queued(), generating)).toEqual([])
  })
})

describe('posts', () => {
  const publication = (codes: (string | null)[], runId = 'run_5') =>
    ({
      ...generated,
      publish: {
        runId,
        status: 'PROCESSING',
        results: codes.map((code) => ({ error: code && { code } })),
      },
    }) as unknown as Video

  it('with an unknown result are counted once', () => {
    const unknown = 'publish-outcome-unknown'
    const shown = between(publication([null, null, null]), publication([unknown, unknown, 'publish-failed']))
    expect(shown).toEqual([{ name: 'PostsUnknown', value: 2 }])
    expect(between(publication([unknown]), publication([unknown]))).toEqual([])
    expect(between(publication([unknown]), publication([unknown], 'run_6'))).toEqual([
      { name: 'PostsUnknown', value: 1 },
    ])
  })
})

describe('slots', () => {
  const slot = (fields: Partial<SlotRecord>): SlotRecord => ({
    automationId: 'vid_1',
    date: '2026-11-02',
    index: 0,
    at: at(0),
    outcome: 'published',
    clipId: 'vid_2',
    decidedAt: at(20),
    ...fields,
  })

  it('report their delay, and that one was missed', () => {
    expect(shownBy({ slotRecords: [slot({})] })).toEqual([{ name: 'SlotLateness', value: 20 }])
    expect(shownBy({ slotRecords: [slot({ outcome: 'missed', at: at(-3_600) })] })).toEqual([
      { name: 'Faults', value: 1, by: { what: 'slot' } },
    ])
    expect(shownBy({ slotRecords: [slot({ outcome: 'blocked' })] })).toEqual([])
  })

  it('that a client dropped by an edit are not failures', () => {
    expect(shownBy({ slotRecords: [slot({ outcome: 'missed' })] })).toEqual([])
  })

  it('of a workspace whose clock was moved forward are not counted', () => {
    expect(shownBy({ slotRecords: [slot({ outcome: 'missed', at: at(0), decidedAt: at(3_600) })] })).toEqual([])
  })
})

describe('an endpoint', () => {
  const webhook = { enabled: true, disabledReason: null } as Webhook
  const change = (after: Partial<Webhook>): RecordChange => ({
    record: 'webhook',
    before: webhook,
    after: { ...webhook, ...after },
  })

  it('is counted when it was disabled for its failures, not when its owner disabled it', () => {
    expect(shownBy({ changes: [change({ enabled: false, disabledReason: 'It failed.' })] })).toEqual([
      { name: 'EndpointsDisabled', value: 1 },
    ])
    expect(shownBy({ changes: [change({ enabled: false })] })).toEqual([])
  })
})
