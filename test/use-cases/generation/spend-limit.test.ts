/** Vendor purchases of renders of edited scenes: limited per day and video, and refused before the purchase. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { animateScenes } from '../../../containers/media/visuals/animate-scenes.ts'
import { handler as narrateScenes } from '../../../functions/pipelines/render/narrate-scenes.ts'
import { now } from '../../../lib/clock.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { narrationFactsKey } from '../../../lib/domain/generation/narration.ts'
import {
  capturePurchases,
  purchasesPerDayMax,
  reservePurchases,
} from '../../../lib/domain/generation/scenes/spend-limit.ts'
import type { DailyPurchases, Video } from '../../../lib/domain/records/video.ts'
import { requestRender } from '../../../lib/domain/videos/job-transitions.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeJson } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { changeVideo } from '../../../lib/use-cases/videos/change-video.ts'
import type { FakeVendor } from '../../support/fake-vendors/fake-vendor.ts'
import { billedSpeechRequests, startFakePolly } from '../../support/fake-vendors/polly.ts'
import { storedScene } from '../../support/given/scenes.ts'
import { given } from '../../support/given/videos.ts'
import { newWorld, videoInputOf } from '../../support/world.ts'

let vendor: FakeVendor
beforeAll(async () => {
  vendor = await startFakePolly()
  vi.stubEnv('PROVIDERS', '{"narrator":"polly"}')
  vi.stubEnv('AWS_ENDPOINT_URL_POLLY', vendor.url)
})
afterAll(() => vendor.stop())

const today = () => now().slice(0, 10)

/** A render that needs the sound of two edited scenes. */
async function waiting(
  purchases?: DailyPurchases,
  narrations = ['Sleep early.', 'Wake with the light.'],
  more: Partial<Video> = {},
) {
  const workspaceId = more.workspaceId ?? (await newWorld()).workspaceId
  const scenes = narrations.map((narration, index) => storedScene(index, { narration }))
  const brief = { ...videoInputOf({ prompt: 'An idea' }).brief, voiceId: 'polly-Joanna' }
  const fields = { brief, ...more, ...(purchases ? { purchases } : {}) }
  const { id } = await given.generatedVideo({ workspaceId }, { type: 'ai', scenes, fields })
  const run = { workspaceId, videoId: id, runId: mintId('run', now()) }
  const workspace = await getWorkspace(workspaceId)
  await changeVideo(run, (video) => requestRender(workspace, video, run.runId, now()))
  vendor.calls.length = 0
  return run
}

describe('a render of edited scenes', () => {
  it('counts the sounds that it buys, each once', async () => {
    const run = await waiting()
    await narrateScenes(run)
    const { purchases } = await getVideo(run.workspaceId, run.videoId)
    expect(purchases).toEqual({ day: today(), sounds: 2, clips: 0 })
    await narrateScenes(run)
    expect((await getVideo(run.workspaceId, run.videoId)).purchases).toEqual(purchases)
  })

  it('that would exceed the daily limit is refused without a request to the vendor', async () => {
    const run = await waiting({ day: today(), sounds: purchasesPerDayMax - 1, clips: 0 })
    await expect(narrateScenes(run)).rejects.toThrow(/voice-failed.*need 2 new sounds; 49 of 50/)
    expect(billedSpeechRequests(vendor)).toEqual([])
  })

  it('of a clip counts towards its source, because clips are free too', async () => {
    const { workspaceId, videoId: parentVideoId } = await waiting({ day: today(), sounds: 47, clips: 0 })
    const clip = () => waiting(undefined, undefined, { workspaceId, parentVideoId })
    await narrateScenes(await clip())
    expect((await getVideo(workspaceId, parentVideoId)).purchases).toMatchObject({ sounds: 49 })
    await expect(narrateScenes(await clip())).rejects.toThrow(/need 2 new sounds; 49 of 50/)
  })

  it('includes the pending purchases of concurrent renders: concurrent renders of clips share one limit', async () => {
    const { workspaceId, videoId: parentVideoId } = await waiting({ day: today(), sounds: 45, clips: 0 })
    const runs = await Promise.all(
      [1, 2, 3, 4].map(() => waiting(undefined, undefined, { workspaceId, parentVideoId })),
    )
    const ends = await Promise.allSettled(runs.map(narrateScenes))
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(billedSpeechRequests(vendor)).toHaveLength(2 * 2 * 2)
    expect((await getVideo(workspaceId, parentVideoId)).purchases).toEqual({ day: today(), sounds: 49, clips: 0 })
  })

  it('whose function crashed between two sounds holds no more than it bought when it is retried', async () => {
    const run = await waiting({ day: today(), sounds: 46, clips: 0 })
    await changeVideo(run, (video) => reservePurchases(video, 'sounds', run.runId, 4, now()))
    await narrateScenes(run)
    expect((await getVideo(run.workspaceId, run.videoId)).purchases).toEqual({ day: today(), sounds: 50, clips: 0 })
  })

  it('that would speak far more than was paid for is refused without a request to the vendor', async () => {
    const run = await waiting(undefined, ['One small habit builds more than any great plan. '.repeat(60)])
    await expect(narrateScenes(run)).rejects.toThrow(/voice-failed.*the brief asks for 60/)
    expect(billedSpeechRequests(vendor)).toEqual([])
  })
})

it('a render whose scene clips would exceed the daily limit is refused before a request to a model, and the built-in camera is used', async () => {
  const { workspaceId } = await newWorld()
  const scenes = [storedScene(1, { imageKey: `${workspaceId}/vid/visuals/still.png`, videoKey: null })]
  const fields = { purchases: { day: today(), sounds: 0, clips: purchasesPerDayMax } }
  const video = await given.generatedVideo({ workspaceId }, { type: 'ai', scenes, fields })
  const owner = { workspace: await getWorkspace(workspaceId), videoId: video.id }
  const places = [{ startMs: 0, endMs: 300 }]
  await storeJson(owner, narrationFactsKey(video.media.audioKey!), { audioKey: '', durationMs: 300, words: [], places })
  const run = { workspaceId, videoId: video.id, runId: mintId('run', now()) }
  const animate = () => animateScenes({ run, video, rest: [], directory: '', signal: AbortSignal.abort('animated') })
  await expect(animate()).rejects.toBe('animated')
  vi.stubEnv('PROVIDERS', '{"narrator":"polly","animator":"fal"}')
  await expect(animate()).rejects.toMatchObject({
    code: 'visuals-failed',
    message: expect.stringContaining('50 of 50'),
  })
})

it('purchases of another day or of the other kind do not count', async () => {
  const { workspaceId, videoId } = await waiting({ day: '2026-01-01', sounds: 50, clips: 50 })
  const video = await getVideo(workspaceId, videoId)
  const [first, at, later] = ['run_1', '2026-01-02T00:00:00.000Z', '2026-01-02T09:00:00.000Z']
  const { video: holding } = reservePurchases(video, 'clips', first, 50, at)
  const { video: counted } = capturePurchases(holding, 'clips', first, 1, at)
  expect(counted.purchases).toEqual({ day: '2026-01-02', sounds: 0, clips: 49 })
  expect(() => reservePurchases(counted, 'sounds', 'run_2', 50, later)).not.toThrow()
  expect(() => reservePurchases(counted, 'clips', 'run_2', 2, later)).toThrow(/49 of 50/)
})
