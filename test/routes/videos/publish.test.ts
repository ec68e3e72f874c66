/** POST /videos/{id}/publish, on the local run with the sandbox network. */
import { describe, expect, it } from 'vitest'
import { publishVideo } from '../../../lib/contract/routes.ts'
import { listEvents } from '../../../lib/store/event-journal.ts'
import { findAccount } from '../../../lib/store/profiles.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { markAccountExpired } from '../../../lib/use-cases/accounts/access-token.ts'
import { addProfile } from '../../../lib/use-cases/accounts/add-profile.ts'
import { usePublishFixture } from '../../support/given/publishing.ts'
import { given } from '../../support/given/videos.ts'
import { expectMatchesOpenApi } from '../../support/openapi-validation.ts'
import { callApi, newWorld } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

const stageWith = usePublishFixture()

describe('POST /videos/{id}/publish', () => {
  rule(['publish.answer', 'publish.results', 'publish.missing-platforms'], async () => {
    const { video, publish, postsOn: wallOf, sha256 } = await stageWith({ connected: ['bluesky'] })
    const { status, body } = await publish({ platforms: ['bluesky', 'tiktok'], caption: 'Calm mornings' })
    expect(status).toBe(200)
    expectMatchesOpenApi('POST', '/videos/{id}/publish', 200, body)
    const [post] = await wallOf('bluesky')
    expect(post).toMatchObject({ sha256, caption: 'Calm mornings' })
    expect(body.data).toEqual({
      videoId: video.id,
      platforms: ['bluesky'],
      missingPlatforms: ['tiktok'],
      publish: {
        status: 'COMPLETED',
        scheduledAt: null,
        startedAt: expect.any(String),
        publishedAt: expect.any(String),
        failedAt: null,
        platforms: ['bluesky'],
        missingPlatforms: ['tiktok'],
        unhealthyPlatforms: [],
        caption: 'Calm mornings',
        results: [
          {
            accountId: expect.any(String),
            platform: 'bluesky',
            status: 'COMPLETED',
            url: expect.any(String),
            error: null,
          },
        ],
        error: null,
      },
    })
    const page = await fetch(body.data.publish.results[0].url)
    expect(await page.text()).toContain('Calm mornings')
  })

  rule(['publish.body', 'publish.default-caption', 'publish.own-destination'], async () => {
    const stage = await stageWith({ connected: ['bluesky'], brief: { description: 'Sleep early' } })
    const { world, video, profileId, publish, postsOn: wallOf } = stage
    expect((await publish({})).body.error).toMatchObject({ code: 'warning-publish-not-configured' })
    expect((await publish({ profileId, platforms: ['bluesky'], caption: 'First' })).status).toBe(200)
    // From now on it has a destination of its own, and a clip of it has the same.
    const again = await publish()
    expect(again.body.data.publish).toMatchObject({ status: 'COMPLETED', caption: 'Sleep early' })
    const clip = await given.renderedVideo(world, { fields: { parentVideoId: video.id } })
    const answer = await callApi('POST', `/videos/${clip.id}/publish`, { key: world.apiKey, body: {} })
    expect(answer.body.data).toMatchObject({ platforms: ['bluesky'] })
    expect((await wallOf('bluesky')).map(({ caption }) => caption)).toEqual(
      expect.arrayContaining(['First', 'Sleep early']),
    )
  })

  it('200: the default profile is used where none is given', async () => {
    const { world, publish } = await stageWith({ connected: ['bluesky'] })
    await addProfile(world.workspaceId, { name: 'Another' })
    expect((await publish({ platforms: ['bluesky'] })).body.data.publish.status).toBe('COMPLETED')
  })

  rule('publish.idempotent', async () => {
    const { publish, postsOn: wallOf } = await stageWith({ connected: ['bluesky'] })
    const headers = { 'Idempotency-Key': 'one' }
    // A duplicate that arrives while the first waits gets its state so far; a later one gets its response.
    const both = await Promise.all([0, 1].map(() => publish({ platforms: ['bluesky'] }, headers)))
    const [first, twin] = both.toSorted((one) => (one.headers.get('idempotent-replayed') ? 1 : -1))
    expect([first!.headers.get('idempotent-replayed'), twin!.headers.get('idempotent-replayed')]).toEqual([
      null,
      'true',
    ])
    expect([first!.body.data.publish.status, twin!.body.data.publish.status]).toEqual(['COMPLETED', 'PROCESSING'])
    const later = await publish({ platforms: ['bluesky'] }, headers)
    expect(later.body).toEqual(first!.body)
    expect(later.headers.get('idempotent-replayed')).toBe('true')
    expect(await wallOf('bluesky')).toHaveLength(1)
  })

  it('200 or 409: twenty concurrent requests make one post', async () => {
    const { publish, postsOn: wallOf } = await stageWith({ connected: ['bluesky'] })
    const answers = await Promise.all(Array.from({ length: 20 }, () => publish({ platforms: ['bluesky'] })))
    const codes = new Set(answers.map(({ body }) => body.error?.code ?? 'done'))
    expect([...codes].toSorted()).toEqual(expect.arrayContaining(['done']))
    expect(codes.difference(new Set(['done', 'job-in-progress', 'warning-publish-duplicate'])).size).toBe(0)
    expect(await wallOf('bluesky')).toHaveLength(1)
  })

  rule('publish.plan', async () => {
    const { publish } = await stageWith({ planId: 'free' })
    const { status, body } = await publish({ platforms: ['bluesky'] })
    expect([status, body.error.code, body.error.action]).toEqual([402, 'warning-plan-publish', 'upgrade'])
  })

  rule('publish.not-rendered', async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world)
    const body = { platforms: ['bluesky'] }
    const answer = await callApi('POST', `/videos/${id}/publish`, { key: world.apiKey, body })
    expect([answer.status, answer.body.error.code]).toEqual([409, 'warning-publish-not-configured'])
  })

  rule('publish.no-accounts', async () => {
    const { publish } = await stageWith({ connected: ['bluesky'] })
    const { status, body } = await publish({ platforms: ['tiktok', 'youtube'] })
    expect([status, body.error.code, body.error.action]).toEqual([409, 'warning-publish-no-accounts', 'connect'])
  })

  rule('publish.expired', async () => {
    const { world, profileId, publish, postsOn: wallOf } = await stageWith({ connected: ['bluesky', 'twitter'] })
    await markAccountExpired((await findAccount(world.workspaceId, profileId, 'bluesky'))!)
    const { status, body } = await publish({ platforms: ['bluesky'] })
    expect([status, body.error.code, body.error.action]).toEqual([409, 'warning-publish-auth', 'connect'])
    // Beside a healthy account it is reported, and fails nothing.
    const both = await publish({ platforms: ['bluesky', 'twitter'] })
    expect(both.body.data.publish).toMatchObject({
      status: 'COMPLETED',
      platforms: ['twitter'],
      unhealthyPlatforms: ['bluesky'],
    })
    expect(await wallOf('bluesky')).toEqual([])
  })

  rule('limits.publish-duplicate', async () => {
    const { publish, postsOn: wallOf } = await stageWith({ connected: ['bluesky', 'twitter'] })
    await publish({ platforms: ['bluesky'], caption: 'Once' })
    const { status, body } = await publish({ platforms: ['bluesky', 'twitter'], caption: 'Once' })
    expect([status, body.error.code]).toEqual([409, 'warning-publish-duplicate'])
    expect(body.error.details).toEqual([{ path: 'body.platforms', message: 'bluesky has it already' }])
    expect([await wallOf('bluesky'), await wallOf('twitter')].map(({ length }) => length)).toEqual([1, 0])
  })

  rule('publish.waits', async () => {
    const { world, video, publish } = await stageWith({ connected: ['bluesky'] })
    const at = await publish({ platforms: ['bluesky'] }, { Prefer: 'wait=0' })
    expect(at.body.data.publish).toMatchObject({ status: 'PROCESSING', results: [{ status: 'PROCESSING' }] })
    await expect.poll(async () => (await getVideo(world.workspaceId, video.id)).publish?.status).toBe('COMPLETED')
    expect(publishVideo.waitSeconds).toBe(10)
  })

  it('400: names what is wrong with profile, platforms and caption; 404: a profile of another workspace', async () => {
    const { publish } = await stageWith()
    const { status, body } = await publish({ profileId: 7, platforms: ['myspace'], caption: 'a'.repeat(10_001) })
    expect(status).toBe(400)
    expect(body.error.details.map(({ path }: { path: string }) => path)).toEqual([
      'body.profileId',
      'body.platforms.0',
      'body.caption',
    ])
    expect((await publish({ platforms: [] })).body.error.details[0].path).toBe('body.platforms')
    const stranger = await stageWith({ connected: ['bluesky'] })
    expect((await publish({ profileId: stranger.profileId, platforms: ['bluesky'] })).status).toBe(404)
  })
})

describe('the end of a publication', () => {
  /** The event types that a publication emits, without those of making its video. */
  async function toldOf(caption: string) {
    const { world, publish } = await stageWith({ connected: ['bluesky'] })
    const before = (await listEvents(world.workspaceId)).length
    await publish({ platforms: ['bluesky'], caption })
    return (await listEvents(world.workspaceId)).slice(before).map(({ type }) => type)
  }

  rule('events.video.published', async () => {
    expect(await toldOf('Calm mornings')).toEqual(['video.published'])
  })

  rule('events.video.publish-failed', async () => {
    expect(await toldOf('a'.repeat(301))).toEqual(['video.publish_failed'])
  })
})
