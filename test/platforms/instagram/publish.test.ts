import { describe, expect, it } from 'vitest'
import { instagramPublisher } from '../../../lib/platforms/instagram/publish.ts'
import { refusedEnd, threeDaysMinutes } from '../shared/publisher-harness.ts'
import { publisherSuite } from '../shared/publisher-suite.ts'

describe('Instagram', () => {
  const stage = publisherSuite({ platform: 'instagram', publisher: ({ graph = '' }) => instagramPublisher({ graph }) })

  it('refuses what Instagram never takes, before anything is sent', () => {
    expect(stage.validationCode({ caption: '#a '.repeat(30) })).toBe(undefined)
    expect(stage.validationCode({ caption: '#a '.repeat(31) })).toBe('caption-not-allowed')
    expect(stage.validationCode({ caption: '@a '.repeat(21) })).toBe('caption-not-allowed')
    expect(stage.validationCode({ caption: 'x'.repeat(2201) })).toBe('caption-too-long')
    expect(stage.validationCode({ durationMs: 2_000 })).toBe('film-too-short')
    expect(stage.validationCode({ durationMs: 901_000 })).toBe('film-too-long')
    expect(stage.validationCode({ width: 2160 })).toBe('film-wrong-format')
  })

  it('is refused for a film that Instagram cannot use', async () => {
    const { end, posts } = await stage.post({ film: { width: 360, height: 640, seconds: 5, fps: 12 } })
    expect([end, posts]).toMatchObject([{ kind: 'failed', code: 'film-wrong-format' }, []])
  })

  it('is fetched anew where that failed, and given up at the third time', async () => {
    const fault = { op: 'create', kind: 'fail:Error: Media upload has failed with error code 2207003' }
    const once = await stage.post({ fault })
    expect([once.end.kind, once.posts.length]).toEqual(['done', 1])
    const always = await stage.post({ fault: { ...fault, times: 3 } })
    expect([always.end, always.posts]).toMatchObject([refusedEnd('container-failed'), []])
  })

  it('waits for the next day where the day is full', async () => {
    const fault = { op: 'publish', kind: 'quota-full', times: 3 }
    const { end, posts } = await stage.post({ fault, minutes: threeDaysMinutes })
    expect([end.kind, posts.length]).toEqual(['done', 1])
  })

  it('is given up while Instagram does not come to an end with the film', async () => {
    const { end, posts } = await stage.post({ fault: { op: 'create', kind: 'stuck-processing' } })
    expect([end.kind, posts]).toEqual(['failed', []])
  })

  it('is not published again while Instagram may still be at work on the call that was cut', async () => {
    const { end, posts, ops } = await stage.post({ fault: { op: 'publish', kind: 'late:80' } })
    expect([end, ops.filter((op) => op === 'publish').length]).toMatchObject([{ kind: 'done', isAdopted: true }, 1])
    expect(posts).toHaveLength(1)
  })

  it('is there, known by its container, where nobody tells the id of the post any more', async () => {
    const { end, posts } = await stage.post({ fault: { op: 'publish', kind: 'reset-after' } })
    expect(end).toEqual({ kind: 'done', externalId: posts[0]!.knownAs[0], url: null, isAdopted: true })
  })
})
