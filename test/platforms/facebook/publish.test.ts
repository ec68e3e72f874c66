import { describe, expect, it } from 'vitest'
import { facebookPublisher } from '../../../lib/platforms/facebook/publish.ts'
import { threeDaysMinutes } from '../shared/publisher-harness.ts'
import { publisherSuite } from '../shared/publisher-suite.ts'

describe('Facebook', () => {
  const harness = publisherSuite({ platform: 'facebook', publisher: ({ graph = '' }) => facebookPublisher({ graph }) })

  it('resumes an interrupted upload', async () => {
    const { ops, end, posts, sha256 } = await harness.post({ fault: { op: 'upload', kind: 'short' } })
    expect(ops.filter((op) => op === 'upload')).toHaveLength(2)
    expect([end.kind, posts]).toMatchObject(['done', [{ sha256 }]])
  })

  it('rejects what Facebook never accepts, before anything is sent', () => {
    expect(harness.validationCode({})).toBe(undefined)
    expect(harness.validationCode({ width: 1920, height: 1080 })).toBe('film-wrong-format')
    expect(harness.validationCode({ width: 360, height: 640 })).toBe('film-wrong-format')
    expect(harness.validationCode({ durationMs: 2_000 })).toBe('film-too-short')
    expect(harness.validationCode({ durationMs: 91_000 })).toBe('film-too-long')
  })

  it('fails for a video that Facebook cannot process', async () => {
    const { end, posts } = await harness.post({ film: { width: 540, height: 960, seconds: 5, fps: 12 } })
    expect([end, posts]).toMatchObject([{ kind: 'failed', code: 'film-wrong-format' }, []])
  })

  it('waits when the page has posted too much', async () => {
    const fault = { op: 'phase', nth: 2, kind: 'quota-full', times: 3 }
    const { end, posts } = await harness.post({ fault, minutes: threeDaysMinutes })
    expect([end.kind, posts.length]).toEqual(['done', 1])
  })

  it('is unknown, not failed, while Facebook does not finish processing', async () => {
    const { end, posts } = await harness.post({ fault: { op: 'phase', nth: 2, kind: 'stuck-processing' } })
    expect([end.kind, posts]).toEqual(['unknown', []])
  })
})
