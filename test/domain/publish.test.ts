/** Publishing: what is refused and in which order, and what is fixed when it is accepted. */
import { describe, expect, it } from 'vitest'
import type { PlatformId } from '../../lib/domain/core/platform.ts'
import { Refusal } from '../../lib/domain/core/refusal.ts'
import { secondsAfter } from '../../lib/domain/core/time.ts'
import { destinationOf, requestPublish } from '../../lib/domain/publishing/publish.ts'
import { endPublish } from '../../lib/domain/publishing/publish-run.ts'
import type { Video } from '../../lib/domain/records/video.ts'
import { requestRender } from '../../lib/domain/videos/jobs.ts'
import {
  type Asked,
  account,
  ask,
  endedWith,
  expired,
  failed,
  live,
  profile,
  ready,
  starter,
} from './support/publications.ts'
import { afterOf, at, videoThatIs, workspaceOn } from './support/videos.ts'

const refusalOf = (attempt: () => unknown) => {
  try {
    attempt()
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code, action: error.extras.action }
    throw error
  }
  return undefined
}

describe('a publication', () => {
  it('is queued with its film, its caption and its accounts, and wakes its pipeline', () => {
    const { video, starts } = ask({
      accounts: [account('tiktok'), account('youtube', expired), account('bluesky')],
      platforms: ['tiktok', 'youtube', 'instagram'],
    })
    expect(video.publish).toMatchObject({
      status: 'QUEUED',
      caption: 'Calm',
      missingPlatforms: ['instagram'],
      unhealthyPlatforms: ['youtube'],
      platforms: [],
      deadlineAt: secondsAfter(at(10), 15 * 60),
      film: { key: ready.media.renderKey, bytes: ready.media.bytes, width: 1080, height: 1920 },
      results: [
        { accountId: 'acc_tiktok', status: 'QUEUED', error: null },
        { accountId: 'acc_youtube', status: 'FAILED', error: { code: 'warning-publish-auth', action: 'connect' } },
      ],
    })
    expect(starts).toEqual([{ pipeline: 'publish', videoId: ready.id, runId: 'run_5' }])
    expect(video.dueAt).toBe(secondsAfter(at(10), 60))
  })

  it('tells the platforms what the film is, not what the video has become', () => {
    const facts = { width: 1080, height: 1920, durationMs: 12_000 }
    const edited: Video = {
      ...ready,
      brief: { ...ready.brief, aspectRatio: '16:9' },
      durationSeconds: 40,
      media: { ...ready.media, film: facts },
    }
    expect(ask({ video: edited }).video.publish?.film).toMatchObject(facts)
  })

  it('takes the description for a caption where none is named, and no words where there is none', () => {
    const described: Video = { ...ready, brief: { ...ready.brief, description: 'Sleep early' } }
    expect(ask({ video: described, wish: {} }).video.publish?.caption).toBe('Sleep early')
    expect(ask({ video: described, wish: { caption: '' } }).video.publish?.caption).toBe('')
    expect(ask({ wish: {} }).video.publish?.caption).toBe('')
  })

  it('is refused on a plan without publishing, before anything else', () => {
    const wish = { caption: '' }
    const refused = refusalOf(() =>
      requestPublish(
        workspaceOn('free'),
        videoThatIs.generated(),
        { profile, accounts: [], platforms: [] },
        wish,
        'r',
        at(1),
      ),
    )
    expect(refused).toEqual({ code: 'warning-plan-publish', action: 'upgrade' })
  })

  it('is refused without a film, without accounts, and where all of them have to be connected again', () => {
    expect(refusalOf(() => ask({ video: videoThatIs.generated() }))?.code).toBe('warning-publish-not-configured')
    expect(refusalOf(() => ask({ accounts: [] }))).toEqual({ code: 'warning-publish-no-accounts', action: 'connect' })
    expect(refusalOf(() => ask({ accounts: [account('tiktok', expired)] }))).toEqual({
      code: 'warning-publish-auth',
      action: 'connect',
    })
  })

  it('is refused while one is under way, and while the film is about to be another', () => {
    expect(refusalOf(() => ask({ video: ask().video }))?.code).toBe('job-in-progress')
    const rendering = afterOf(requestRender(starter, ready, 'run_3', at(10)))
    expect(refusalOf(() => ask({ video: rendering }))?.code).toBe('job-in-progress')
  })

  it('needs platforms: those of the request, else those of the video', () => {
    const own = { profileId: 'prf_2', platforms: ['reddit' as const] }
    expect(destinationOf({}, own)).toEqual(own)
    expect(destinationOf({ platforms: ['tiktok', 'tiktok'] }, own)).toEqual({
      profileId: 'prf_2',
      platforms: ['tiktok'],
    })
    expect(destinationOf({ profileId: 'prf_3' }, own).profileId).toBe('prf_3')
    expect(refusalOf(() => destinationOf({}, undefined))?.code).toBe('warning-publish-not-configured')
  })

  it('gives a video its own destination, but never changes that of an automation', () => {
    const destination = { profileId: 'prf_1', platforms: ['tiktok'] }
    expect(ask().video.destination).toEqual(destination)
    expect(ask({ video: { ...ready, isAutomation: true } }).video.destination).toBeUndefined()
    expect(ask({ video: { ...ready, parentVideoId: 'vid_9' } }).video.destination).toBeUndefined()
  })
})

describe('the same caption to the same account', () => {
  const published = endedWith({ tiktok: live, youtube: live, reddit: live }).video
  const again = (time: string, asked: Asked = {}) =>
    refusalOf(() => ask({ video: published, time, runId: 'run_6', ...asked }))?.code

  it('is refused for 24 hours to the millisecond, counted from when it was accepted', () => {
    const end = Date.parse(at(10)) + 24 * 60 * 60 * 1000
    expect(again(new Date(end - 1).toISOString())).toBe('warning-publish-duplicate')
    expect(again(new Date(end).toISOString())).toBeUndefined()
  })

  it('is taken in other words, and by another account', () => {
    expect(again(at(30), { wish: { caption: 'Calmer' } })).toBeUndefined()
    const other = account('tiktok', { id: 'acc_other', externalId: 'another' })
    expect(again(at(30), { accounts: [other] })).toBeUndefined()
  })

  it('is refused where another profile is connected to that account, too', () => {
    const shared = account('tiktok', { id: 'acc_other', profileId: 'prf_2' })
    expect(again(at(30), { accounts: [shared] })).toBe('warning-publish-duplicate')
  })

  it('is refused to an account that had it, lost its authorization, was left out of another run, and is connected again', () => {
    const accounts = [account('tiktok', expired), account('bluesky')]
    const platforms: PlatformId[] = ['tiktok', 'bluesky']
    const queued = ask({ video: published, accounts, platforms, time: at(30), runId: 'run_6' }).video
    const { video } = endPublish(queued, 'run_6', [{ accountId: 'acc_bluesky', end: live }], at(40))
    const renewed = refusalOf(() => ask({ video, time: at(50), runId: 'run_7' }))
    expect(renewed?.code).toBe('warning-publish-duplicate')
  })

  it('may be tried again at once where it surely did not appear, and not where nobody knows', () => {
    const { video } = endedWith({ tiktok: failed('publish-failed'), youtube: failed('publish-outcome-unknown') })
    const retry = (platform: PlatformId) =>
      refusalOf(() =>
        ask({ video, time: at(30), runId: 'run_6', accounts: [account(platform)], platforms: [platform] }),
      )
    expect(retry('tiktok')).toBeUndefined()
    expect(retry('reddit')).toBeUndefined()
    expect(retry('youtube')?.code).toBe('warning-publish-duplicate')
  })

  it('is not remembered for longer than it counts', () => {
    const later = secondsAfter(at(10), 24 * 60 * 60)
    expect(Object.keys(ask({ video: published, time: later, runId: 'run_6' }).video.posted ?? {})).toHaveLength(1)
  })

  it('counts to 500 posts of a video in a day, and no further', () => {
    const posted = Object.fromEntries(Array.from({ length: 499 }, (_, index) => [`mark${index}`, at(59)]))
    expect(refusalOf(() => ask({ video: { ...ready, posted } }))).toBeUndefined()
    const two = { accounts: [account('tiktok'), account('reddit')], platforms: ['tiktok', 'reddit'] as PlatformId[] }
    expect(refusalOf(() => ask({ video: { ...ready, posted }, ...two }))?.code).toBe('limit-reached')
  })
})
