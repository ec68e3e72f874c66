/** Accepting a publication: what is refused and in which order, and what is fixed at acceptance. */
import { describe, expect, it } from 'vitest'
import type { PlatformId } from '../../../lib/domain/core/platform.ts'
import { secondsAfter } from '../../../lib/domain/core/time.ts'
import { requestPublish, resolveDestination, wasPosted } from '../../../lib/domain/publishing/publish.ts'
import { endPublish } from '../../../lib/domain/publishing/publish-run.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { requestRender } from '../../../lib/domain/videos/job-transitions.ts'
import { refusalOf } from '../../support/refusals.ts'
import {
  accountOn,
  expired,
  failedEnd,
  type PublishRequestOptions,
  postedEnd,
  profile,
  publishEndedWith,
  renderedVideo,
  requestPublishOf,
  starterWorkspace,
} from '../support/publications.ts'
import { at, decidedVideo, videoThatIs, workspaceOn } from '../support/videos.ts'

describe('a publication', () => {
  it('is queued with its render, its caption and its accounts, and wakes its pipeline', () => {
    const { video, starts } = requestPublishOf({
      accounts: [accountOn('tiktok'), accountOn('youtube', expired), accountOn('bluesky')],
      platforms: ['tiktok', 'youtube', 'instagram'],
    })
    expect(video.publish).toMatchObject({
      status: 'QUEUED',
      caption: 'Calm',
      missingPlatforms: ['instagram'],
      unhealthyPlatforms: ['youtube'],
      platforms: [],
      deadlineAt: secondsAfter(at(10), 15 * 60),
      film: { key: renderedVideo.media.renderKey, bytes: renderedVideo.media.bytes, width: 1080, height: 1920 },
      results: [
        { accountId: 'acc_tiktok', status: 'QUEUED', error: null },
        { accountId: 'acc_youtube', status: 'FAILED', error: { code: 'warning-publish-auth', action: 'connect' } },
      ],
    })
    expect(starts).toEqual([{ pipeline: 'publish', videoId: renderedVideo.id, runId: 'run_5' }])
    expect(video.dueAt).toBe(secondsAfter(at(10), 60))
  })

  it('keeps the time for which it was scheduled, and no other', () => {
    const publish = { ...requestPublishOf().video.publish!, scheduledAt: at(5) }
    const scheduledAt = (status: 'SCHEDULED' | 'COMPLETED') =>
      requestPublishOf({ video: { ...renderedVideo, publish: { ...publish, status } } }).video.publish!.scheduledAt
    expect([scheduledAt('SCHEDULED'), scheduledAt('COMPLETED')]).toEqual([at(5), null])
  })

  it('describes a render of before by the brief of its video', () => {
    const { film } = requestPublishOf().video.publish!
    expect(film).toMatchObject({
      width: 1080,
      height: 1920,
      durationMs: 12_500,
      coverKey: renderedVideo.media.thumbnailKey,
    })
    for (const missing of [{ thumbnailKey: null }, { bytes: null }])
      expect(() =>
        requestPublishOf({ video: { ...renderedVideo, media: { ...renderedVideo.media, ...missing } } }),
      ).toThrow(/without thumbnail or size/)
  })

  it('was posted where it is complete, where that is unknown, or within 24 hours', () => {
    const ended = (status: 'COMPLETED' | 'FAILED', code?: 'publish-outcome-unknown' | 'publish-failed'): Video => {
      const publish = requestPublishOf().video.publish!
      const error = code ? { code, message: 'No.', blocked: false } : null
      return {
        ...renderedVideo,
        publish: { ...publish, status, results: publish.results.map((one) => ({ ...one, error })) },
      }
    }
    const posted = (video: Video) => wasPosted(video, at(50))
    expect([posted(ended('COMPLETED')), posted(ended('FAILED', 'publish-outcome-unknown'))]).toEqual([true, true])
    expect([posted(ended('FAILED', 'publish-failed')), posted(renderedVideo)]).toEqual([false, false])
    expect(posted({ ...renderedVideo, posted: { a: at(51) } })).toBe(true)
    expect(posted({ ...renderedVideo, posted: { a: at(50) } })).toBe(false)
  })

  it('describes the render to the platforms, not the video as edited since', () => {
    const facts = { width: 1080, height: 1920, durationMs: 12_000 }
    const edited: Video = {
      ...renderedVideo,
      brief: { ...renderedVideo.brief, aspectRatio: '16:9' },
      durationSeconds: 40,
      media: { ...renderedVideo.media, film: facts },
    }
    expect(requestPublishOf({ video: edited }).video.publish?.film).toMatchObject(facts)
  })

  it('defaults the caption to the description, and to an empty text', () => {
    const described: Video = { ...renderedVideo, brief: { ...renderedVideo.brief, description: 'Sleep early' } }
    expect(requestPublishOf({ video: described, input: {} }).video.publish?.caption).toBe('Sleep early')
    expect(requestPublishOf({ video: described, input: { caption: '' } }).video.publish?.caption).toBe('')
    expect(requestPublishOf({ input: {} }).video.publish?.caption).toBe('')
  })

  it('is refused on a plan without publishing, before anything else', () => {
    const input = { caption: '' }
    const refused = refusalOf(() =>
      requestPublish(
        workspaceOn('free'),
        videoThatIs.generated(),
        { profile, accounts: [], platforms: [] },
        input,
        'r',
        at(1),
      ),
    )
    expect(refused).toMatchObject({ code: 'warning-plan-publish', extras: { action: 'upgrade' } })
  })

  it('is refused without a render, without accounts, and when all of them have to be reconnected', () => {
    expect(refusalOf(() => requestPublishOf({ video: videoThatIs.generated() }))?.code).toBe(
      'warning-publish-not-configured',
    )
    expect(refusalOf(() => requestPublishOf({ accounts: [] }))).toMatchObject({
      code: 'warning-publish-no-accounts',
      extras: { action: 'connect' },
    })
    expect(refusalOf(() => requestPublishOf({ accounts: [accountOn('tiktok', expired)] }))).toMatchObject({
      code: 'warning-publish-auth',
      extras: { action: 'connect' },
    })
  })

  it('is refused while another one is in progress, and while the render is about to be replaced', () => {
    expect(refusalOf(() => requestPublishOf({ video: requestPublishOf().video }))?.code).toBe('job-in-progress')
    const rendering = decidedVideo(requestRender(starterWorkspace, renderedVideo, 'run_3', at(10)))
    expect(refusalOf(() => requestPublishOf({ video: rendering }))?.code).toBe('job-in-progress')
  })

  it('needs platforms: those of the request, else those of the video', () => {
    const own = { profileId: 'prf_2', platforms: ['reddit' as const] }
    expect(resolveDestination({}, own)).toEqual(own)
    expect(resolveDestination({ platforms: ['tiktok', 'tiktok'] }, own)).toEqual({
      profileId: 'prf_2',
      platforms: ['tiktok'],
    })
    expect(resolveDestination({ profileId: 'prf_3' }, own).profileId).toBe('prf_3')
    expect(resolveDestination({ platforms: ['tiktok'] }, undefined).profileId).toBeNull()
    expect(refusalOf(() => resolveDestination({}, undefined))?.code).toBe('warning-publish-not-configured')
  })

  it('sets the destination of a video without one, but never changes that of an automation', () => {
    const destination = { profileId: 'prf_1', platforms: ['tiktok'] }
    expect(requestPublishOf().video.destination).toEqual(destination)
    expect(requestPublishOf({ video: { ...renderedVideo, isAutomation: true } }).video.destination).toBeUndefined()
    expect(requestPublishOf({ video: { ...renderedVideo, parentVideoId: 'vid_9' } }).video.destination).toBeUndefined()
  })
})

describe('the same caption to the same account', () => {
  const published = publishEndedWith({ tiktok: postedEnd, youtube: postedEnd, reddit: postedEnd }).video
  const again = (time: string, asked: PublishRequestOptions = {}) =>
    refusalOf(() => requestPublishOf({ video: published, time, runId: 'run_6', ...asked }))?.code

  it('is refused for 24 hours, exact to the millisecond, counted from acceptance', () => {
    const end = Date.parse(at(10)) + 24 * 60 * 60 * 1000
    expect(again(new Date(end - 1).toISOString())).toBe('warning-publish-duplicate')
    expect(again(new Date(end).toISOString())).toBeUndefined()
  })

  it('is accepted with another text, and for another account', () => {
    expect(again(at(30), { input: { caption: 'Calmer' } })).toBeUndefined()
    const other = accountOn('tiktok', { id: 'acc_other', externalId: 'another' })
    expect(again(at(30), { accounts: [other] })).toBeUndefined()
  })

  it('is refused too when another profile is connected to that account', () => {
    const shared = accountOn('tiktok', { id: 'acc_other', profileId: 'prf_2' })
    expect(again(at(30), { accounts: [shared] })).toBe('warning-publish-duplicate')
  })

  it('is refused for an account that has the post, lost its authorization, was left out of another run, and is reconnected', () => {
    const accounts = [accountOn('tiktok', expired), accountOn('bluesky')]
    const platforms: PlatformId[] = ['tiktok', 'bluesky']
    const queued = requestPublishOf({ video: published, accounts, platforms, time: at(30), runId: 'run_6' }).video
    const { video } = endPublish(queued, 'run_6', [{ accountId: 'acc_bluesky', end: postedEnd }], at(40))
    const renewed = refusalOf(() => requestPublishOf({ video, time: at(50), runId: 'run_7' }))
    expect(renewed?.code).toBe('warning-publish-duplicate')
  })

  it('may be retried immediately when it certainly does not exist, and not when that is unknown', () => {
    const { video } = publishEndedWith({
      tiktok: failedEnd('publish-failed'),
      youtube: failedEnd('publish-outcome-unknown'),
    })
    const retry = (platform: PlatformId) =>
      refusalOf(() =>
        requestPublishOf({
          video,
          time: at(30),
          runId: 'run_6',
          accounts: [accountOn(platform)],
          platforms: [platform],
        }),
      )
    expect(retry('tiktok')).toBeUndefined()
    expect(retry('reddit')).toBeUndefined()
    expect(retry('youtube')?.code).toBe('warning-publish-duplicate')
  })

  it('is remembered only for as long as it counts', () => {
    const later = secondsAfter(at(10), 24 * 60 * 60)
    expect(
      Object.keys(requestPublishOf({ video: published, time: later, runId: 'run_6' }).video.posted ?? {}),
    ).toHaveLength(1)
  })

  it('counts at most 500 posts of a video per day', () => {
    const posted = Object.fromEntries(Array.from({ length: 499 }, (_, index) => [`mark${index}`, at(59)]))
    expect(refusalOf(() => requestPublishOf({ video: { ...renderedVideo, posted } }))).toBeUndefined()
    const two = {
      accounts: [accountOn('tiktok'), accountOn('reddit')],
      platforms: ['tiktok', 'reddit'] as PlatformId[],
    }
    expect(refusalOf(() => requestPublishOf({ video: { ...renderedVideo, posted }, ...two }))?.code).toBe(
      'limit-reached',
    )
  })
})
