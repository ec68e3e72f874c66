/**
 * A publication from the request to the sandbox's feeds: by the state machine, from storage, with tokens that are
 * encrypted at rest.
 */
import { SFNClient } from '@aws-sdk/client-sfn'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { now } from '../../lib/clock.ts'
import { Superseded, timeoutError } from '../../lib/domain/core/failures.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { type PlatformId, platforms } from '../../lib/domain/core/platform.ts'
import { secondsAfter } from '../../lib/domain/core/time.ts'
import { applyStepOutcome, endPosting, markSending } from '../../lib/domain/publishing/posting-transitions.ts'
import { requestPublish } from '../../lib/domain/publishing/publish.ts'
import { beginPublish } from '../../lib/domain/publishing/publish-run.ts'
import type { Video } from '../../lib/domain/records/video.ts'
import { updateVideo } from '../../lib/domain/videos/update-video.ts'
import { findPosting, writePosting } from '../../lib/store/postings.ts'
import { getProfile } from '../../lib/store/profiles.ts'
import { recordPublishResult } from '../../lib/store/publish-results.ts'
import { getVideo } from '../../lib/store/videos.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { addProfile } from '../../lib/use-cases/accounts/add-profile.ts'
import { advancePosting } from '../../lib/use-cases/publishing/advance-posting.ts'
import { createPostings } from '../../lib/use-cases/publishing/create-postings.ts'
import { finishPublish } from '../../lib/use-cases/publishing/finish-publish.ts'
import { reportPostingEnd } from '../../lib/use-cases/publishing/report-posting.ts'
import { startAndAwaitPublish } from '../../lib/use-cases/publishing/start-publish.ts'
import { changeVideo } from '../../lib/use-cases/videos/change-video.ts'
import { connectSandboxAccount } from '../../local/connect-sandbox-account.ts'
import { useTestVideos, verticalVideo } from '../platforms/shared/test-videos.ts'
import { given } from '../support/given/videos.ts'
import { callApi, newWorld, type World } from '../support/world.ts'

const films = useTestVideos()

interface Stage {
  world: World
  video: Video
  profileId: string
  sha256: string
}

/** A video with a render that platforms accept, and an account on each of them. */
async function stageWith(connected: readonly PlatformId[]): Promise<Stage> {
  const world = await newWorld()
  const { film, read, sha256 } = await films.make(verticalVideo)
  const mp4 = Buffer.concat(await Array.fromAsync(read(0, film.bytes)))
  const cover = await (await fetch(film.coverUrl)).bytes()
  const video = await given.renderedVideo(world, { brief: { aspectRatio: '9:16' }, film: { mp4, cover } })
  const { id: profileId } = await addProfile(world.workspaceId, { name: 'Studio' })
  for (const platform of connected) await connectSandboxAccount(world.workspaceId, profileId, platform)
  return { world, video, profileId, sha256 }
}

const publish = ({ world, video }: Stage, body: object) =>
  callApi('POST', `/videos/${video.id}/publish`, { key: world.apiKey, headers: { Prefer: 'wait=25' }, body })

/** The posts that the sandbox shows for an account. */
async function wallOf({ world, profileId }: Stage, platform: PlatformId): Promise<{ sha256: string; url: string }[]> {
  const { accounts } = await getProfile(world.workspaceId, profileId)
  const { externalId } = accounts.find((account) => account.platform === platform)!
  const [url] = Object.values(JSON.parse(process.env.PLATFORM_URLS!)[platform] as Record<string, string>)
  const query = new URLSearchParams({ platform, account: externalId })
  const response = await fetch(`${new URL(url!).origin}/__sandbox/posts?${query}`)
  return ((await response.json()) as { posts: { sha256: string; url: string }[] }).posts
}

describe('a publication', () => {
  it('posts the render to every platform, once and complete', async () => {
    const all = platforms.map(({ id }) => id)
    const stage = await stageWith(all)
    await publish(stage, { platforms: all, caption: 'A calm morning' })
    await expect
      .poll(async () => (await getVideo(stage.world.workspaceId, stage.video.id)).publish?.status, { timeout: 60_000 })
      .toBe('COMPLETED')
    const { publish: job } = await getVideo(stage.world.workspaceId, stage.video.id)
    expect(job?.results.filter(({ status }) => status !== 'COMPLETED')).toEqual([])
    for (const platform of all) expect(await wallOf(stage, platform)).toMatchObject([{ sha256: stage.sha256 }])
    // The URL of each post leads to its page in the sandbox.
    for (const { url } of job!.results) {
      const page = await (await fetch(url!)).text()
      expect(page).toContain('A calm morning')
      expect(page).toContain(`src="/__sandbox/media/${stage.sha256}.mp4"`)
    }
  })

  it('reaches the platforms that it can, and reports why the others failed', async () => {
    const stage = await stageWith(['bluesky', 'twitter'])
    const caption = 'a'.repeat(290)
    const { body } = await publish(stage, { platforms: ['bluesky', 'twitter'], caption })
    expect(body.data).toMatchObject({ publish: { status: 'COMPLETED', platforms: ['bluesky'] } })
    const refused = body.data.publish.results.find(({ platform }: { platform: string }) => platform === 'twitter')
    expect(refused).toMatchObject({ status: 'FAILED', error: { code: 'caption-too-long' } })
    expect(await wallOf(stage, 'twitter')).toEqual([])
  })
})

describe('the credits that a video owes', () => {
  const text = 'Text: adapted from “Quokka”, Wikipedia, CC BY-SA 4.0, https://en.wikipedia.org/wiki/Quokka'
  const picture = `Picture: “${'a'.repeat(50)}” by Ann, CC BY 4.0, https://www.flickr.com/photos/a/1`
  const owing = async (connected: readonly PlatformId[]) => {
    const stage = await stageWith(connected)
    const { id: videoId, workspaceId } = stage.video
    const owe = (video: Video) => updateVideo(video, { ...video, credits: [text, picture], updatedAt: now() }, now())
    return { ...stage, video: await changeVideo({ workspaceId, videoId }, owe) }
  }

  it('are posted below the caption, each once, as many as the platform allows', async () => {
    const stage = await owing(['facebook', 'twitter'])
    const caption = `${'b'.repeat(100)}\n\n${text}`
    const video = await begun(stage, { caption })
    expect(video.publish?.caption).toBe(caption)
    const postings = await Promise.all((await createPostings(video)).map((key) => findPosting(key)))
    const captionOf = (platform: PlatformId) => postings.find((one) => one?.platform === platform)!.post.caption
    expect(captionOf('facebook')).toBe(`${caption}\n${picture}`)
    expect(captionOf('twitter')).toBe(caption)
  })

  it('are left out where they would exceed the length that a platform allows', async () => {
    const video = await begun(await owing(['twitter']), { caption: `${'b'.repeat(270)}\n\n${text}` })
    const [key] = await createPostings(video)
    expect(await findPosting(key!)).toMatchObject({ post: { caption: 'b'.repeat(270) } })
  })

  it('end the description that is written for the video', async () => {
    const { world, video } = await owing([])
    const { body } = await callApi('POST', `/videos/${video.id}/description`, { key: world.apiKey })
    expect(body.data.description).toMatch(/\S\n\nText: adapted from “Quokka”.*\nPicture: .*\/photos\/a\/1$/)
  })
})

/** A publication that has begun and of which no step has run. */
async function begun(stage: Stage, input: { caption?: string } = {}): Promise<Video> {
  const { world, video, profileId } = stage
  const [workspace, target] = await Promise.all([
    getWorkspace(world.workspaceId),
    getProfile(world.workspaceId, profileId),
  ])
  const wanted = { ...target, platforms: target.accounts.map(({ platform }) => platform) }
  const [run, runId] = [{ workspaceId: world.workspaceId, videoId: video.id }, mintId('run', now())]
  await changeVideo(run, (before) => ({
    ...requestPublish(workspace, before, wanted, input, runId, now()),
    starts: [],
  }))
  return changeVideo(run, (before) => beginPublish(before, runId, now()))
}

const pace = { now: now(), timeScale: 1 }
const done = { kind: 'done', externalId: '7', url: 'https://bsky.example/7' } as const

describe('an account that has been reached', () => {
  it('is shown while others are still in progress, without changing the version of the video, and once', async () => {
    const video = await begun(await stageWith(['bluesky', 'tiktok']))
    const [reached, other] = await createPostings(video)
    await writePosting(applyStepOutcome((await findPosting(reached!))!, done, false, pace))
    for (let call = 0; call < 3; call++) expect(await advancePosting(reached!)).toEqual({ ended: true, waitSeconds: 0 })
    const during = await getVideo(video.workspaceId, video.id)
    const [platform] = during.publish!.platforms
    expect([during.version, during.updatedAt]).toEqual([video.version, video.updatedAt])
    expect(during.publish).toMatchObject({ status: 'PROCESSING', platforms: [platform] })
    expect(during.publish!.results).toEqual(
      expect.arrayContaining([
        { accountId: reached!.accountId, platform, status: 'COMPLETED', url: done.url, error: null },
        expect.objectContaining({ accountId: other!.accountId, status: 'PROCESSING' }),
      ]),
    )
    await finishPublish({ workspaceId: video.workspaceId, videoId: video.id, runId: reached!.runId }, timeoutError)
    const { publish } = await getVideo(video.workspaceId, video.id)
    expect(publish).toMatchObject({ status: 'COMPLETED', platforms: [platform] })
    expect(publish!.results.map(({ error }) => error?.code ?? null).toSorted()).toEqual([null, 'timeout'])
  })

  it('changes nothing once the run is over, nor for another run', async () => {
    const video = await begun(await stageWith(['bluesky']))
    const [place] = await createPostings(video)
    const posting = applyStepOutcome((await findPosting(place!))!, done, false, pace)
    const stored = async () => (await getVideo(video.workspaceId, video.id)).publish
    await reportPostingEnd({ ...posting, runId: 'run_other' })
    expect(await stored()).toEqual(video.publish)
    await finishPublish({ workspaceId: video.workspaceId, videoId: video.id, runId: place!.runId }, timeoutError)
    const ended = await stored()
    await reportPostingEnd(posting)
    await recordPublishResult(video, { ...video.publish!.results[0]!, status: 'COMPLETED' })
    expect(await stored()).toEqual(ended)
  })

  it('is not shown as unknown before the run has ended, which counts the unknown outcomes', async () => {
    const video = await begun(await stageWith(['bluesky']))
    const [place] = await createPostings(video)
    await reportPostingEnd(endPosting(markSending((await findPosting(place!))!, false), timeoutError))
    expect((await getVideo(video.workspaceId, video.id)).publish).toEqual(video.publish)
  })
})

describe('a request that was accepted', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  const decisionOn = (video: Video) => ({ ...updateVideo(video, video, now()), starts: [startOf(video)] })
  const startOf = ({ id, publish: job }: Video) =>
    ({ pipeline: 'publish', videoId: id, runId: job?.runId ?? '' }) as const

  it('is answered if its pipeline cannot be started at once: the outbox starts it', async () => {
    const video = await begun(await stageWith(['bluesky']))
    const asked = vi.spyOn(SFNClient.prototype, 'send').mockRejectedValue(new Error('Too many executions.') as never)
    const answered = await startAndAwaitPublish(now(), decisionOn(video))
    expect([asked.mock.calls.length, answered.publish?.status]).toEqual([1, 'PROCESSING'])
  })

  it('is never answered with the result of another request', async () => {
    const video = await begun(await stageWith(['bluesky']))
    vi.spyOn(SFNClient.prototype, 'send').mockResolvedValue({} as never)
    const earlier: Video = { ...video, publish: { ...video.publish!, runId: 'run_before', caption: 'Before' } }
    for (const until of [now(), secondsAfter(now(), 20)])
      expect((await startAndAwaitPublish(until, decisionOn(earlier))).publish?.caption).toBe('Before')
  })
})

describe('a publication that is ended from outside', () => {
  it('is unknown if a post was being sent, and has failed if none was', async () => {
    const video = await begun(await stageWith(['bluesky', 'tiktok']))
    const run = { workspaceId: video.workspaceId, videoId: video.id, runId: video.publish!.runId }
    const places = await createPostings(video)
    const posting = (await findPosting(places[0]!))!
    await writePosting(markSending(posting, false))
    await finishPublish(run, timeoutError)
    const { publish: job } = await getVideo(video.workspaceId, video.id)
    const codes = Object.fromEntries(job!.results.map(({ accountId, error }) => [accountId, error?.code]))
    expect(codes).toEqual({ [places[0]!.accountId]: 'publish-outcome-unknown', [places[1]!.accountId]: 'timeout' })
    expect(job).toMatchObject({ status: 'FAILED', error: { code: 'publish-outcome-unknown' } })
    await expect(finishPublish(run, timeoutError)).rejects.toThrow(Superseded)
  })

  it('reports the reason if it crashed before it had a posting', async () => {
    const video = await begun(await stageWith(['bluesky']))
    await finishPublish(
      { workspaceId: video.workspaceId, videoId: video.id, runId: video.publish!.runId },
      timeoutError,
    )
    const { publish: job } = await getVideo(video.workspaceId, video.id)
    expect(job).toMatchObject({ status: 'FAILED', error: { code: 'timeout' }, results: [{ status: 'FAILED' }] })
  })

  it('starts its postings once, however often it is started', async () => {
    const video = await begun(await stageWith(['bluesky']))
    const [place] = await createPostings(video)
    await writePosting(markSending((await findPosting(place!))!, false))
    expect(await createPostings(video)).toEqual([place])
    expect(await findPosting(place!)).toMatchObject({ phase: 'sending', version: 2 })
  })
})
