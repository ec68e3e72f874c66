import { describe, expect, it } from 'vitest'
import { chunkBytesMultiple, youtubePublisher } from '../../../lib/platforms/youtube/publish.ts'
import { refusedEnd, threeDaysMinutes } from '../shared/publisher-harness.ts'
import { publisherSuite } from '../shared/publisher-suite.ts'
import { verticalVideo } from '../shared/test-videos.ts'

/** Three parts of the smallest possible size. */
const film = { ...verticalVideo, paddedTo: 2.5 * chunkBytesMultiple }
const longer = { ...verticalVideo, paddedTo: 3.5 * chunkBytesMultiple }

describe('YouTube', () => {
  const harness = publisherSuite({
    platform: 'youtube',
    publisher: ({ api = '' }) => youtubePublisher({ api }, chunkBytesMultiple),
    film,
  })

  it('resumes the upload when YouTube has stored less than it was sent', async () => {
    const publisher = youtubePublisher({ api: harness.sandbox.urlsOf('youtube').api! }, 2 * chunkBytesMultiple)
    const { ops, posts, sha256 } = await harness.post({
      publisher,
      film: longer,
      fault: { op: 'upload', kind: 'short' },
    })
    expect(ops.filter((op) => op === 'upload')).toHaveLength(3)
    expect(posts).toMatchObject([{ sha256 }])
  })

  it('has ten attempts per part, not per upload', async () => {
    // Each of eleven parts fails once, is queried, and is sent again.
    const faults = Array.from({ length: 11 }, (_, part) => ({ op: 'upload', nth: 1 + 3 * part, kind: 'http:503' }))
    const { end, posts } = await harness.post({
      film: { ...verticalVideo, paddedTo: 12.5 * chunkBytesMultiple },
      faults,
    })
    expect([end.kind, posts.length]).toEqual(['done', 1])
  })

  it('restarts when the upload session has expired', async () => {
    for (const nth of [1, 2, 3]) {
      const { ops, end, posts } = await harness.post({ fault: { op: 'upload', nth, kind: 'session-lost' } })
      expect([end.kind, posts.length, ops.filter((op) => op === 'begin').length]).toEqual(['done', 1, 2])
    }
  })

  it('posts publicly, or as the account says', async () => {
    expect((await harness.post()).posts).toMatchObject([
      { title: expect.stringMatching(/^Film/), fields: { privacy: 'public' } },
    ])
    const { posts } = await harness.post({ settings: { privacy: 'unlisted' } })
    expect(posts).toMatchObject([{ fields: { privacy: 'unlisted' } }])
  })

  it('rejects what YouTube never accepts, before anything is sent', () => {
    expect(harness.validationCode({ caption: 'ü'.repeat(2500), title: 'x'.repeat(100) })).toBe(undefined)
    expect(harness.validationCode({ caption: 'ü'.repeat(2501) })).toBe('caption-too-long')
    expect(harness.validationCode({ title: 'x'.repeat(101) })).toBe('title-too-long')
    expect(harness.validationCode({ caption: 'a <b>' })).toBe('caption-not-allowed')
    expect(harness.validationCode({ durationMs: 13 * 3_600_000 })).toBe('film-too-long')
  })

  it.each(['copyright', 'termsOfUse'])("fails with YouTube's message: %s", async (reason) => {
    const { end, posts } = await harness.post({ fault: { op: 'upload', nth: 3, kind: `fail:${reason}` } })
    expect([end, posts]).toMatchObject([refusedEnd(reason), []])
  })

  it('is not created a second time when YouTube already has it', async () => {
    const { end, posts } = await harness.post({ fault: { op: 'upload', nth: 3, kind: 'duplicate' } })
    expect([end, posts]).toEqual([
      { kind: 'failed', code: 'warning-publish-duplicate', message: expect.any(String) },
      [],
    ])
  })

  it('waits for midnight in California when the daily quota is used up', async () => {
    const before = harness.sandbox.clock.now()
    const { end, posts } = await harness.post({ fault: { op: 'begin', kind: 'quota-full' }, minutes: threeDaysMinutes })
    expect([end.kind, posts.length]).toEqual(['done', 1])
    expect(posts[0]!.at - before).toBeLessThan(86_400_000 + 60_000)
  })

  it('is published, even if YouTube does not finish processing it', async () => {
    const { end, posts } = await harness.post({ fault: { op: 'upload', nth: 3, kind: 'stuck-processing' } })
    expect([end.kind, posts.length]).toEqual(['done', 1])
  })
})
