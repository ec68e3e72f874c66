import { describe, expect, it } from 'vitest'
import { tiktokPublisher } from '../../../lib/platforms/tiktok/publish.ts'
import { refusedEnd, threeDaysMinutes } from '../shared/publisher-harness.ts'
import { publisherSuite } from '../shared/publisher-suite.ts'
import { verticalVideo } from '../shared/test-videos.ts'

/** The smallest size that TikTok accepts. */
const chunkBytes = 5_000_000
const inThree = { ...verticalVideo, paddedTo: 16_000_000 }

describe('TikTok', () => {
  const harness = publisherSuite({
    platform: 'tiktok',
    publisher: ({ api = '' }) => tiktokPublisher({ api }, chunkBytes),
  })

  it('uploads a large video in chunks, the last of which is longer', async () => {
    const { ops, posts, sha256 } = await harness.post({ film: inThree })
    expect(ops.filter((op) => op === 'upload')).toHaveLength(3)
    expect(posts).toMatchObject([{ sha256 }])
  })

  it.each(['reset-before', 'reset-after', 'http:500', 'http-after:500'])(
    'resumes an interrupted upload: %s',
    async (kind) => {
      const { ops, posts, sha256 } = await harness.post({ film: inThree, fault: { op: 'upload', nth: 2, kind } })
      expect(ops.filter((op) => op === 'upload')).toHaveLength(/after/.test(kind) ? 3 : 4)
      expect(posts).toMatchObject([{ sha256 }])
    },
  )

  it("posts publicly or as the account says, within the creator's options", async () => {
    expect((await harness.post()).posts).toMatchObject([{ fields: { privacy: 'PUBLIC_TO_EVERYONE' } }])
    const { posts } = await harness.post({ settings: { privacy: 'SELF_ONLY' } })
    expect(posts).toMatchObject([{ fields: { privacy: 'SELF_ONLY' } }])
    const { end } = await harness.post({ settings: { privacy: 'FOLLOWER_OF_CREATOR' } })
    expect(end).toMatchObject({ kind: 'failed', code: 'settings-missing' })
  })

  it("reports TikTok's id with all of its digits", async () => {
    const { end, account } = await harness.post()
    expect(end).toMatchObject({
      url: expect.stringMatching(`^https://www.tiktok.com/@${account.username}/video/75\\d{17}$`),
    })
  })

  it('rejects what TikTok never accepts, before anything is sent', async () => {
    expect(harness.validationCode({ caption: 'x'.repeat(2200) })).toBe(undefined)
    expect(harness.validationCode({ caption: 'x'.repeat(2201) })).toBe('caption-too-long')
    expect(harness.validationCode({ width: 320 })).toBe('film-wrong-format')
    expect(harness.validationCode({ bytes: 5 * 1024 ** 3 })).toBe('film-too-large')
  })

  it("fails with TikTok's message for a video that it does not accept", async () => {
    const { end, posts } = await harness.post({ film: { width: 200, height: 350, seconds: 1 } })
    expect([end, posts]).toMatchObject([refusedEnd('picture_size_check_failed'), []])
  })

  it('fails for a video that is longer than the creator may post', async () => {
    const { end, ops } = await harness.post({ film: { width: 360, height: 640, seconds: 601, fps: 1 } })
    expect([end, ops]).toMatchObject([{ kind: 'failed', code: 'film-too-long' }, ['creator']])
  })

  it('restarts after an internal error of TikTok', async () => {
    const { end, posts } = await harness.post({ fault: { op: 'upload', kind: 'fail:internal' } })
    expect([end.kind, posts.length]).toEqual(['done', 1])
  })

  it('waits for the next day when the daily limit is reached', async () => {
    const { end, posts } = await harness.post({
      fault: { op: 'creator', kind: 'quota-full' },
      minutes: threeDaysMinutes,
    })
    expect([end.kind, posts.length]).toEqual(['done', 1])
  })

  it('fails immediately when a run of fifteen minutes cannot wait for the next day', async () => {
    const { end, ops } = await harness.post({ fault: { op: 'creator', kind: 'quota-full' } })
    expect([end, ops]).toMatchObject([
      { kind: 'failed', message: expect.stringContaining('86400 seconds') },
      ['creator'],
    ])
  })

  it('is unknown, not failed, while TikTok does not finish processing', async () => {
    const { end, posts } = await harness.post({ fault: { op: 'upload', kind: 'stuck-processing' } })
    expect([end.kind, posts.length]).toEqual(['unknown', 0])
  })
})
