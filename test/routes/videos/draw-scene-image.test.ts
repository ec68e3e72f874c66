/** POST /videos/{id}/scenes/{sceneId}/image: what it draws, what it clears, its price, and every refusal. */
import { describe, expect, it } from 'vitest'
import { startPipeline } from '../../../lib/aws/pipelines.ts'
import { now } from '../../../lib/clock.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import type { StoredScene } from '../../../lib/domain/generation/scenes/scenes.ts'
import { claimSyncJob } from '../../../lib/domain/videos/sync-job-transitions.ts'
import { updateVideo } from '../../../lib/domain/videos/update-video.ts'
import { commit } from '../../../lib/store/core/commit.ts'
import { countObject } from '../../../lib/store/storage-usage.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { sceneImageJob } from '../../../lib/use-cases/sync-jobs/scene-image-job.ts'
import { changeVideo } from '../../../lib/use-cases/videos/change-video.ts'
import { creditLedgerOf } from '../../support/credit-ledger.ts'
import type { GivenVideo } from '../../support/given/videos.ts'
import { given } from '../../support/given/videos.ts'
import { expectMatchesOpenApi } from '../../support/openapi-validation.ts'
import { callApi, newWorld } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

const sceneOf = (id: string, fields: Partial<StoredScene> = {}): StoredScene => ({
  id,
  imagePrompt: 'mountains at dawn',
  animationPrompt: 'Slow push in',
  narration: 'Calm mornings begin in the evening.',
  voiceDescription: 'Natural voice',
  duration: 6,
  imageKey: 'none/visuals/still.png',
  videoKey: 'none/visuals/clip.mp4',
  ...fields,
})

async function drawable(fields: GivenVideo = {}, planId: 'self-hosted' | 'free' = 'self-hosted') {
  const world = await newWorld({ planId })
  const video = await given.renderedVideo(world, {
    type: 'ai',
    scenes: [
      sceneOf('scn_1'),
      sceneOf('scn_2'),
      sceneOf('scn_empty', { imagePrompt: '', imageKey: null, videoKey: null }),
    ],
    ...fields,
  })
  const { apiKey: key } = world
  return {
    ...world,
    video,
    draw: (sceneId: string, body?: unknown) =>
      callApi('POST', `/videos/${video.id}/scenes/${sceneId}/image`, { key, ...(body === undefined ? {} : { body }) }),
    scenes: async () => (await callApi('GET', `/videos/${video.id}?include=scenes`, { key })).body.data.scenes,
    credits: async () => (await callApi('GET', '/', { key })).body.data.credits,
  }
}

/** Claims and charges a drawing as its route does, and returns what starts it. */
async function claimWithoutStart(workspaceId: string, videoId: string, sceneId: string, prompt: string) {
  const [workspace, video] = [await getWorkspace(workspaceId), await getVideo(workspaceId, videoId)]
  const plan = sceneImageJob({ sceneId }, { prompt })
  const at = now()
  const claim = { ...plan, idempotencyScope: null }
  const price = await plan.price(workspace, video, at)
  const times = { arrivedAt: at, now: at, waitSeconds: 25 }
  const { decision } = claimSyncJob(workspace, video, undefined, claim, price, mintId('run', at), times)
  await commit({ ...decision!, starts: [] })
  return () => startPipeline(workspaceId, decision!.starts[0]!)
}

async function spend(workspaceId: string, credits: number) {
  const { month } = await getWorkspace(workspaceId)
  const charge = {
    kind: 'reserve' as const,
    runId: mintId('run', now()),
    credits,
    unit: 'video' as const,
    metered: true,
  }
  await commit({ workspaceId, at: now(), month, changes: [], charges: [charge], events: [], starts: [] })
}

describe('POST /videos/{id}/scenes/{sceneId}/image', () => {
  rule(['scenes.image.prompt', 'scenes.image.clears'], async () => {
    const { workspaceId, video, draw, scenes } = await drawable()
    const [, untouched] = await scenes()
    const { status, body } = await draw('scn_1', { prompt: 'a ship on the ocean' })
    expect(body).toMatchObject({
      data: { id: 'scn_1', imagePrompt: 'a ship on the ocean', status: 'ready', videoUrl: null, duration: 6 },
    })
    expect(status).toBe(200)
    expectMatchesOpenApi('POST', '/videos/{id}/scenes/{sceneId}/image', 200, body)
    const picture = await fetch(body.data.imageUrl)
    expect(picture.headers.get('content-type')).toBe('image/png')
    const bytes = Buffer.from(await picture.arrayBuffer())
    expect(bytes.toString('latin1', 1, 4)).toBe('PNG')
    const [first, second] = await scenes()
    expect([first, second]).toEqual([body.data, untouched])
    const after = await getVideo(workspaceId, video.id)
    expect(after.media).toMatchObject({ renderKey: null, bytes: null, audioKey: video.media.audioKey })

    // Without a prompt the stored one is drawn anew, and the picture is another.
    const anew = (await draw('scn_1', { prompt: null })).body.data
    expect(anew.imagePrompt).toBe('a ship on the ocean')
    expect(Buffer.from(await (await fetch(anew.imageUrl)).arrayBuffer()).equals(bytes)).toBe(false)
    expect((await scenes())[0].imageUrl).toBe(anew.imageUrl)
  })

  rule('scenes.image.price', async () => {
    const { workspaceId, video, draw, credits } = await drawable({}, 'free')
    expect(await credits()).toMatchObject({ balance: 190, used: 10 })
    await spend(workspaceId, 185)
    const start = await claimWithoutStart(workspaceId, video.id, 'scn_1', 'a ship')
    const joined = [draw('scn_1', { prompt: 'a ship' }), draw('scn_1', { prompt: 'a ship' })]
    const other = await draw('scn_1', { prompt: 'a train' })
    const elsewhere = await draw('scn_2', { prompt: 'a train' })
    expect(other).toMatchObject({ status: 409, body: { error: { code: 'job-in-progress' } } })
    expect(elsewhere.status).toBe(200)
    await start()
    const [first, same] = await Promise.all(joined)
    expect(first).toMatchObject({ status: 200, body: { data: { imagePrompt: 'a ship' } } })
    expect(same!.body).toEqual(first!.body)
    expect(await credits()).toMatchObject({ balance: 1, used: 14 })
    const ofImages = (await creditLedgerOf(workspaceId)).filter(({ credits }) => credits === 2)
    expect(ofImages.map(({ kind }) => kind).toSorted()).toEqual(['capture', 'capture', 'reserve', 'reserve'])
    // What is left pays for none.
    expect(await draw('scn_1')).toMatchObject({ status: 402, body: { error: { code: 'warning-no-credits' } } })
  })

  rule('scenes.image.no-prompt', async () => {
    const { draw } = await drawable()
    for (const body of [undefined, {}, { prompt: null }, { prompt: '' }, { prompt: ' ' }])
      expect((await draw('scn_empty', body)).body.error).toMatchObject({
        code: 'invalid-request',
        details: [{ path: 'body.prompt' }],
      })
    // One of its own, as long as it may be.
    expect((await draw('scn_empty', { prompt: 'x'.repeat(2_000) })).status).toBe(200)
  })

  it('400: a prompt of 2001 characters, or one that is no text', async () => {
    const { draw } = await drawable()
    expect((await draw('scn_1', { prompt: 'x'.repeat(2_001) })).body.error.details[0].path).toBe('body.prompt')
    expect((await draw('scn_1', { prompt: 7 })).body.error.details[0].path).toBe('body.prompt')
  })

  it('402: where the storage is full', async () => {
    const { workspaceId, video, draw } = await drawable({}, 'free')
    const workspace = await getWorkspace(workspaceId)
    const room = 1024 ** 3 - workspace.storageUsedBytes
    await countObject({ workspace, videoId: video.id }, 'sources/large.mp4', room)
    expect(await draw('scn_1')).toMatchObject({ status: 402, body: { error: { code: 'warning-plan-storage' } } })
  })

  it('404: an unknown scene, an unknown video, and one of another workspace', async () => {
    const { video, draw } = await drawable()
    expect((await draw('scn_other')).status).toBe(404)
    const { apiKey: key } = await newWorld()
    expect((await callApi('POST', `/videos/${video.id}/scenes/scn_1/image`, { key })).status).toBe(404)
    expect((await callApi('POST', '/videos/vid_none/scenes/scn_1/image', { key })).status).toBe(404)
  })

  rule('scenes.image.ugc', async () => {
    const { draw } = await drawable({ subType: 'ugc' })
    expect(await draw('scn_1')).toMatchObject({ status: 409, body: { error: { code: 'warning-invalid-input' } } })
  })

  it('409: only ai videos have scenes', async () => {
    const { draw } = await drawable({ type: 'faceless' })
    expect(await draw('scn_1')).toMatchObject({ status: 409, body: { error: { code: 'wrong-video-type' } } })
  })

  it('409: while the video is generated anew', async () => {
    const { workspaceId, video, draw } = await drawable()
    const process = { ...video.process!, status: 'PROCESSING' as const }
    await changeVideo({ workspaceId, videoId: video.id }, (now) =>
      updateVideo(now, { ...now, process }, video.updatedAt),
    )
    expect((await draw('scn_1')).body.error.code).toBe('job-in-progress')
  })
})
