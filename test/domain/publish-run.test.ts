/** A publication that was accepted: how its run is claimed, and how what came of its posts ends it. */
import { describe, expect, it } from 'vitest'
import { Superseded } from '../../lib/domain/core/failures.ts'
import type { PostingEnd } from '../../lib/domain/publishing/posting.ts'
import { beginPublish, begunAtOnce, endPublish } from '../../lib/domain/publishing/publish-run.ts'
import { ask, endedWith, failed, live, ready } from './support/publications.ts'
import { at } from './support/videos.ts'

describe('a publication', () => {
  it('is under way from the moment that it is accepted, where somebody asks for it, and its pipeline finds it claimed', () => {
    const { video, changes, starts } = begunAtOnce(ask({ time: at(10) }), 'run_5', at(10))
    expect(video.publish).toMatchObject({
      status: 'PROCESSING',
      startedAt: at(10),
      results: [{ status: 'PROCESSING' }],
    })
    expect(changes).toEqual([{ record: 'video', before: ready, after: video }])
    expect([video.version, starts.length]).toEqual([ready.version + 1, 1])
    expect(beginPublish(video, 'run_5', at(11))).toBeUndefined()
  })
})

describe('the end of a publication', () => {
  it('is success where one account was reached, and tells what became of each', () => {
    const { video, events } = endedWith({
      tiktok: live,
      youtube: failed('caption-too-long'),
      reddit: failed('publish-outcome-unknown'),
    })
    expect(video.publish).toMatchObject({
      status: 'COMPLETED',
      platforms: ['tiktok'],
      publishedAt: at(20),
      failedAt: null,
      error: null,
      results: [
        { platform: 'tiktok', status: 'COMPLETED', url: 'https://example.com/1' },
        { platform: 'youtube', status: 'FAILED', error: { code: 'caption-too-long' } },
        { platform: 'reddit', status: 'FAILED', error: { code: 'publish-outcome-unknown' } },
      ],
    })
    expect(events.map(({ type }) => type)).toEqual(['video.published'])
    expect(video.dueAt).toBeNull()
  })

  it('is failure where none was: with the reason that all share, with all reasons, or with the doubt', () => {
    const all = (end: PostingEnd) => ({ tiktok: end, youtube: end, reddit: end })
    expect(endedWith(all(failed('caption-too-long'))).video.publish?.error?.code).toBe('caption-too-long')
    const no = (message: string) => failed('publish-failed', message)
    const differing = endedWith({ tiktok: no('Spam.'), youtube: no('No quota.'), reddit: no('No quota.') })
    expect(differing.video.publish?.error).toEqual({
      code: 'publish-failed',
      message: 'tiktok: Spam. youtube: No quota. reddit: No quota.',
      blocked: false,
    })
    const mixed = endedWith({ ...all(failed('caption-too-long')), reddit: failed('publish-failed') })
    expect(mixed.video.publish?.error).toMatchObject({
      code: 'publish-failed',
      message: expect.stringContaining('reddit'),
    })
    const doubt = endedWith({ ...all(failed('publish-failed')), reddit: failed('publish-outcome-unknown') })
    expect(doubt.video.publish).toMatchObject({
      status: 'FAILED',
      failedAt: at(20),
      error: { code: 'publish-outcome-unknown' },
    })
    expect(doubt.events.map(({ type }) => type)).toEqual(['video.publish_failed'])
  })

  it('names the platforms whose accounts have to be connected again, also those that were found out on the way', () => {
    const auth: PostingEnd = { status: 'FAILED', error: { code: 'warning-publish-auth', message: 'x', blocked: true } }
    expect(endedWith({ tiktok: live, youtube: auth, reddit: live }).video.publish?.unhealthyPlatforms).toEqual([
      'youtube',
    ])
  })

  it('happens once: what comes late or from another run changes nothing', () => {
    const { video } = endedWith({ tiktok: live })
    expect(() => endPublish(video, 'run_5', [], at(21))).toThrow(Superseded)
    expect(() => beginPublish(ask().video, 'run_other', at(21))).toThrow(Superseded)
    const begun = beginPublish(ask().video, 'run_5', at(11))!.video
    expect(beginPublish(begun, 'run_5', at(12))).toBeUndefined()
  })
})
