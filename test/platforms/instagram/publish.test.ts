import { describe, expect, it } from 'vitest'
import { instagramPublisher } from '../../../lib/platforms/instagram/publish.ts'
import { refusedEnd, threeDaysMinutes } from '../shared/publisher-harness.ts'
import { publisherSuite } from '../shared/publisher-suite.ts'

describe('Instagram', () => {
  const harness = publisherSuite({
    platform: 'instagram',
    publisher: ({ graph = '' }) => instagramPublisher({ graph }),
  })

  it('rejects what Instagram never accepts, before anything is sent', () => {
    expect(harness.validationCode({ caption: '#a '.repeat(30) })).toBe(undefined)
    expect(harness.validationCode({ caption: '#a '.repeat(31) })).toBe('caption-not-allowed')
    expect(harness.validationCode({ caption: '@a '.repeat(21) })).toBe('caption-not-allowed')
    expect(harness.validationCode({ caption: 'x'.repeat(2201) })).toBe('caption-too-long')
    expect(harness.validationCode({ durationMs: 2_000 })).toBe('film-too-short')
    expect(harness.validationCode({ durationMs: 901_000 })).toBe('film-too-long')
    expect(harness.validationCode({ width: 2160 })).toBe('film-wrong-format')
  })

  it('fails for a video that Instagram cannot process', async () => {
    const { end, posts } = await harness.post({ film: { width: 360, height: 640, seconds: 5, fps: 12 } })
    expect([end, posts]).toMatchObject([{ kind: 'failed', code: 'film-wrong-format' }, []])
  })

  it('retries a failed fetch, and fails after the third', async () => {
    const fault = { op: 'create', kind: 'fail:Error: Media upload has failed with error code 2207003' }
    const once = await harness.post({ fault })
    expect([once.end.kind, once.posts.length]).toEqual(['done', 1])
    const always = await harness.post({ fault: { ...fault, times: 3 } })
    expect([always.end, always.posts]).toMatchObject([refusedEnd('container-failed'), []])
  })

  it('waits for the next day when the daily limit is reached', async () => {
    const fault = { op: 'publish', kind: 'quota-full', times: 3 }
    const { end, posts } = await harness.post({ fault, minutes: threeDaysMinutes })
    expect([end.kind, posts.length]).toEqual(['done', 1])
  })

  it('fails when Instagram does not finish processing the video', async () => {
    const { end, posts } = await harness.post({ fault: { op: 'create', kind: 'stuck-processing' } })
    expect([end.kind, posts]).toEqual(['failed', []])
  })

  it('does not publish again while Instagram may still be executing an aborted call', async () => {
    const { end, posts, ops } = await harness.post({ fault: { op: 'publish', kind: 'late:80' } })
    expect([end, ops.filter((op) => op === 'publish').length]).toMatchObject([{ kind: 'done', isAdopted: true }, 1])
    expect(posts).toHaveLength(1)
  })

  it('finds the post by its container when the response with its id was lost', async () => {
    const { end, posts } = await harness.post({ fault: { op: 'publish', kind: 'reset-after' } })
    expect(end).toEqual({ kind: 'done', externalId: posts[0]!.knownAs[0], url: null, isAdopted: true })
  })
})
