/** The run of an accepted publication: how it is claimed, and how the ends of its postings end it. */
import { describe, expect, it } from 'vitest'
import { Superseded } from '../../../lib/domain/core/failures.ts'
import type { PostingOutcome } from '../../../lib/domain/publishing/posting.ts'
import { beginPublish, endPublish, withPublishBegun } from '../../../lib/domain/publishing/publish-run.ts'
import {
  accountOn,
  expired,
  failedEnd,
  postedEnd,
  publishEndedWith,
  renderedVideo,
  requestPublishOf,
} from '../support/publications.ts'
import { at } from '../support/videos.ts'

describe('a publication', () => {
  it('of a waiting request is processing from acceptance on, and its pipeline finds it already claimed', () => {
    const { video, changes, starts } = withPublishBegun(requestPublishOf({ time: at(10) }), 'run_5', at(10))
    expect(video.publish).toMatchObject({
      status: 'PROCESSING',
      startedAt: at(10),
      results: [{ status: 'PROCESSING' }],
    })
    expect(changes).toEqual([{ record: 'video', before: renderedVideo, after: video }])
    expect([video.version, starts.length]).toEqual([renderedVideo.version + 1, 1])
    expect(beginPublish(video, 'run_5', at(11))).toBeUndefined()
  })
})

describe('the end of a publication', () => {
  it('is success when at least one account was reached, with the result of each', () => {
    const { video, events } = publishEndedWith({
      tiktok: postedEnd,
      youtube: failedEnd('caption-too-long'),
      reddit: failedEnd('publish-outcome-unknown'),
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

  it('is failure when no account was reached: with the shared reason, with all reasons, or with the doubt', () => {
    const all = (end: PostingOutcome) => ({ tiktok: end, youtube: end, reddit: end })
    expect(publishEndedWith(all(failedEnd('caption-too-long'))).video.publish?.error?.code).toBe('caption-too-long')
    const no = (message: string) => failedEnd('publish-failed', message)
    const differing = publishEndedWith({ tiktok: no('Spam.'), youtube: no('No quota.'), reddit: no('No quota.') })
    expect(differing.video.publish?.error).toEqual({
      code: 'publish-failed',
      message: 'tiktok: Spam. youtube: No quota. reddit: No quota.',
      blocked: false,
    })
    const mixed = publishEndedWith({ ...all(failedEnd('caption-too-long')), reddit: failedEnd('publish-failed') })
    expect(mixed.video.publish?.error).toMatchObject({
      code: 'publish-failed',
      message: expect.stringContaining('reddit'),
    })
    const doubt = publishEndedWith({
      ...all(failedEnd('publish-failed')),
      reddit: failedEnd('publish-outcome-unknown'),
    })
    expect(doubt.video.publish).toMatchObject({
      status: 'FAILED',
      publishedAt: null,
      failedAt: at(20),
      error: { code: 'publish-outcome-unknown' },
    })
    expect(doubt.events.map(({ type }) => type)).toEqual(['video.publish_failed'])
  })

  it('names the platforms whose accounts have to be reconnected, including those found during the run', () => {
    const auth: PostingOutcome = {
      status: 'FAILED',
      error: { code: 'warning-publish-auth', message: 'x', blocked: true },
    }
    expect(
      publishEndedWith({ tiktok: postedEnd, youtube: auth, reddit: postedEnd }).video.publish?.unhealthyPlatforms,
    ).toEqual(['youtube'])
  })

  it('happens once: late results and those of another run change nothing', () => {
    const { video } = publishEndedWith({ tiktok: postedEnd })
    expect(() => endPublish(video, 'run_5', [], at(21))).toThrow(Superseded)
    expect(() => beginPublish(requestPublishOf().video, 'run_other', at(21))).toThrow(Superseded)
    const begun = beginPublish(requestPublishOf().video, 'run_5', at(11))!.video
    expect(beginPublish(begun, 'run_5', at(12))).toBeUndefined()
  })

  it('has the outcome of each account that was open, and the shared reason of all that failed', () => {
    const refusedCaption = { ...failedEnd('caption-too-long', 'At most 10.') }
    const queued = requestPublishOf({
      accounts: [accountOn('tiktok'), accountOn('youtube', expired)],
      platforms: ['tiktok', 'youtube'],
    })
    const ends = [
      { accountId: 'acc_tiktok', end: refusedCaption },
      { accountId: 'acc_youtube', end: postedEnd },
    ]
    const { results, error } = endPublish(queued.video, 'run_5', ends, at(20)).video.publish!
    expect(results.map((result) => result.error?.code)).toEqual(['caption-too-long', 'warning-publish-auth'])
    expect(error).toMatchObject({ code: 'publish-failed', blocked: false })
    const differing = publishEndedWith({
      tiktok: refusedCaption,
      youtube: failedEnd('caption-too-long', 'At most 20.'),
      reddit: refusedCaption,
    })
    expect(differing.video.publish!.error).toEqual({
      ...{ code: 'caption-too-long', blocked: false },
      message: 'tiktok: At most 10. youtube: At most 20. reddit: At most 10.',
    })
  })

  it('without an outcome was never sent', () => {
    const { publish } = publishEndedWith({ tiktok: postedEnd }).video
    expect(publish!.results.map(({ status, error }) => [status, error?.code])).toEqual([
      ['COMPLETED', undefined],
      ['FAILED', 'publish-failed'],
      ['FAILED', 'publish-failed'],
    ])
    expect(publish).toMatchObject({ publishedAt: at(20), failedAt: null })
  })
})
