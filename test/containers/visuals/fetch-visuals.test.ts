/**
 * The pictures of a plan by vendors: bought once, replaced by another kind if refused, and retried while the vendor is
 * busy.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fetchVisuals } from '../../../containers/media/visuals/fetch-visuals.ts'
import { getJson, hasObject } from '../../../lib/aws/media-bucket.ts'
import { now } from '../../../lib/clock.ts'
import { artefactKey } from '../../../lib/domain/core/artefact.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import type { VisualRequest } from '../../../lib/domain/generation/plan-visuals.ts'
import {
  attributionKey,
  type ResolvedVisuals,
  type VisualPlan,
  visualsResultKey,
} from '../../../lib/domain/generation/visual-media.ts'
import { createVideo } from '../../../lib/domain/videos/create-video.ts'
import { beginProcess } from '../../../lib/domain/videos/job-transitions.ts'
import { commit } from '../../../lib/store/core/commit.ts'
import { claimAttempt } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeJson } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { changeVideo } from '../../../lib/use-cases/videos/change-video.ts'
import { startSecretsManager } from '../../../local/emulators/secrets-manager.ts'
import { restJsonError, startFakeBedrock } from '../../support/fake-vendors/bedrock.ts'
import type { FakeVendor } from '../../support/fake-vendors/fake-vendor.ts'
import { type FakeOpenverse, startFakeOpenverse } from '../../support/fake-vendors/openverse.ts'
import { type FakePexels, pexelsKey, startFakePexels } from '../../support/fake-vendors/pexels.ts'
import { filteredWord, stability } from '../../support/fake-vendors/stability.ts'
import { temporaryDirectoryOfFile } from '../../support/temporary-directory.ts'
import { newWorld, videoInputOf } from '../../support/world.ts'

const directory = temporaryDirectoryOfFile()
let bedrock: FakeVendor
let pexels: FakePexels
let secrets: Awaited<ReturnType<typeof startSecretsManager>>
beforeAll(async () => {
  ;[bedrock, pexels] = await Promise.all([startFakeBedrock(stability), startFakePexels()])
  const keys = JSON.stringify({ pexels: pexelsKey })
  secrets = await startSecretsManager({ port: 0, secrets: { 'keys-of-vendors': () => keys } })
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: bedrock.url,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
    PROVIDER_KEYS_ID: 'keys-of-vendors',
    PROVIDERS: JSON.stringify({ images: 'stability', footage: 'pexels' }),
    VENDOR_URLS: JSON.stringify({ pexels: pexels.url }),
    // The backoff before a busy vendor is called again.
    TIME_SCALE: '1000',
  })
  const files = [{ width: 1080, height: 1920 }]
  // Searches are cached: each test uses its own words.
  for (const word of ['waves', 'surf', 'foam', 'tide', 'reef', 'bay'])
    pexels.searchResults.set(
      word,
      [1, 2].map((id) => ({ id, duration: 9, files })),
    )
})
afterAll(async () => {
  await Promise.all([bedrock.stop(), pexels.stop(), secrets.stop()])
})
beforeEach(() => {
  for (const vendor of [bedrock, pexels]) {
    vendor.calls.length = 0
    vendor.faults = []
  }
})

const wish = (kind: VisualRequest['kind'], word: string): VisualRequest => ({
  ...{ kind, prompt: word, keywords: [word], mood: null, width: 180, height: 320, durationMs: 500, seed: 'vid_1' },
})

/** A run that is to make these pictures; it returns their keys. */
const runWith = async (...wishes: VisualRequest[]) => (await resultsWith(...wishes)).fetched

async function resultsWith(...wishes: VisualRequest[]) {
  const { workspaceId } = await newWorld()
  const workspace = await getWorkspace(workspaceId)
  const run = { workspaceId, videoId: mintId('vid', now()), runId: mintId('run', now()) }
  await commit(createVideo(workspace, videoInputOf({ prompt: 'An idea' }), run, now()))
  await changeVideo(run, (video) => beginProcess(video, run.runId, now()))
  const plan: VisualPlan = wishes.map((wish, index) => ({
    segment: {
      ...{ id: `bro_${index}`, startMs: 500 * index, endMs: 500 * (index + 1), text: wish.prompt, prompt: wish.prompt },
      ...{ keywords: wish.keywords, mediaType: wish.kind === 'still' ? 'ai_image' : 'stock_footage', hidden: false },
    },
    wish,
  }))
  const planKey = artefactKey({ workspace, videoId: run.videoId }, 'plans', plan, 'json')
  await storeJson({ workspace, videoId: run.videoId }, planKey, plan)
  const made = () => getJson<ResolvedVisuals>(visualsResultKey(planKey))
  const fetched = async (): Promise<string[]> => {
    const video = await claimAttempt(run.workspaceId, run.videoId, 'process', run.runId)
    await fetchVisuals({ run, video, rest: [planKey], directory, signal: new AbortController().signal })
    return (await made()).map(({ media }) => media!.key)
  }
  return { fetched, made }
}

const searches = () => pexels.calls.filter(({ path }) => path === '/videos/search').length
const downloads = () => pexels.calls.length - searches()

describe('a generation of a minute', () => {
  it('makes at most one picture per second, and buys nothing if more are requested', async () => {
    const wishes = Array.from({ length: 61 }, (_, index) => wish('still', `lighthouse ${index}`))
    const make = await runWith(...wishes)
    await expect(make()).rejects.toMatchObject({ code: 'visuals-failed', message: /need 61 new pictures/ })
    expect(bedrock.calls).toEqual([])
  })
})

describe('the pictures of a plan', () => {
  it('are bought once, however often the task restarts', async () => {
    const fetched = await runWith(wish('still', 'one'), wish('still', 'two'), wish('clip', 'waves'))
    const keys = await fetched()
    expect([bedrock.calls.length, searches(), downloads()]).toEqual([2, 1, 1])
    expect(await fetched()).toEqual(keys)
    expect([bedrock.calls.length, searches(), downloads()]).toEqual([2, 1, 1])
  })

  it('that exist are kept if one of them could not be made', async () => {
    const fetched = await runWith(wish('still', 'one'), wish('clip', 'surf'))
    bedrock.fault = restJsonError(503, 'ServiceUnavailableException').answer
    await expect(fetched()).rejects.toMatchObject({ name: 'ProviderBusy' })
    // Three retries with backoff.
    expect(bedrock.calls).toHaveLength(4)
    bedrock.fault = null
    await fetched()
    expect([bedrock.calls.length, searches(), downloads()]).toEqual([5, 1, 1])
  })

  it('are retried if a vendor is busy for a moment', async () => {
    bedrock.faults = [restJsonError(429, 'ThrottlingException').answer, 'lost']
    pexels.faults = [{ status: 429 }]
    await (await runWith(wish('still', 'one'), wish('clip', 'foam')))()
    expect(bedrock.calls).toHaveLength(3)
    expect(searches()).toBe(2)
  })

  it('are drawn and generated if a filter refuses them and there is no matching footage', async () => {
    const fetched = await runWith(wish('still', filteredWord), wish('clip', 'unheard'))
    for (const key of await fetched()) expect(await hasObject(key)).toBe(true)
    expect([bedrock.calls.length, searches(), downloads()]).toEqual([1, 1, 0])
  })

  it('show no clip twice, and name the author of each', async () => {
    const three = [
      wish('clip', 'tide'),
      { ...wish('clip', 'tide'), prompt: 'b' },
      { ...wish('clip', 'tide'), prompt: 'c' },
    ]
    const keys = await (await runWith(...three))()
    const credits = await Promise.all(
      keys.map(async (key) =>
        (await hasObject(attributionKey(key))) ? getJson<{ author: string }>(attributionKey(key)) : null,
      ),
    )
    // The third one is generated: the collection has two.
    expect(credits.map((credit) => credit?.author ?? '').toSorted()).toEqual(['', 'Author 1', 'Author 2'])
  })

  it('that several shots show are bought once', async () => {
    const [first, second] = await (await runWith(wish('still', 'same'), wish('still', 'same')))()
    expect(second).toBe(first)
    expect(bedrock.calls).toHaveLength(1)
  })

  it('are generated, without an author, if the collection stays busy', async () => {
    pexels.fault = { status: 429 }
    const [key] = await (await runWith(wish('clip', 'reef')))()
    pexels.fault = null
    expect(await hasObject(key!)).toBe(true)
    expect(await hasObject(attributionKey(key!))).toBe(false)
    expect(searches()).toBe(4)
  })

  it('are searched for once a day, for all videos', async () => {
    await (await runWith(wish('clip', 'bay')))()
    await (await runWith(wish('clip', 'bay')))()
    expect([searches(), downloads()]).toEqual([1, 2])
  })

  it('fail with an error for the operator if the account is not accepted', async () => {
    const fetched = await runWith(wish('still', 'one'))
    bedrock.faults = [restJsonError(403, 'AccessDeniedException').answer]
    await expect(fetched()).rejects.toMatchObject({ name: 'AccountExpired' })
    expect(bedrock.calls).toHaveLength(1)
  })
})

describe('the pictures of a collection', () => {
  let openverse: FakeOpenverse
  const before = process.env.PROVIDERS
  beforeAll(async () => {
    openverse = await startFakeOpenverse()
    openverse.searchResults.set('glacier', [{ id: 'a' }, { id: 'b' }])
    process.env.PROVIDERS = JSON.stringify({ images: 'openverse' })
    process.env.VENDOR_URLS = JSON.stringify({ openverse: openverse.url })
  })
  afterAll(async () => {
    process.env.PROVIDERS = before
    await openverse.stop()
  })
  const two = [wish('still', 'glacier'), { ...wish('still', 'glacier'), prompt: 'b' }]

  it('are shown once each, with the line that names their author beside them and in their segments', async () => {
    const { fetched, made } = await resultsWith(...two)
    const keys = await fetched()
    const credits = (await made()).map(({ media }) => media?.credit)
    expect(credits.toSorted()).toEqual([
      'Picture: “Picture a” by Author a, CC BY 2.0, https://www.flickr.com/photos/a/a',
      'Picture: “Picture b” by Author b, CC BY 2.0, https://www.flickr.com/photos/a/b',
    ])
    for (const key of keys) expect(await getJson(attributionKey(key))).toMatchObject({ licence: 'CC BY 2.0' })
    openverse.calls.length = 0
    expect(await fetched()).toEqual(keys)
    expect([openverse.calls.length, (await made()).map(({ media }) => media?.credit)]).toEqual([0, credits])
  })

  it('are drawn if the collection has none, or its limit is reached', async () => {
    const { fetched, made } = await resultsWith(wish('still', 'unheard'), wish('still', 'fjord'))
    openverse.fault = { status: 429 }
    for (const key of await fetched()) expect(await hasObject(key)).toBe(true)
    openverse.fault = null
    expect((await made()).map(({ media }) => media?.credit)).toEqual([undefined, undefined])
  })
})
