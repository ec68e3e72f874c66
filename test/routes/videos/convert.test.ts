/** POST /videos/{id}/convert: what an ai video contains after its conversion, and every refusal. */
import { describe, expect, it } from 'vitest'
import { handler as begin } from '../../../functions/pipelines/generate/begin.ts'
import { handler as convert } from '../../../functions/pipelines/generate/convert.ts'
import { putObject } from '../../../lib/aws/media-bucket.ts'
import { now } from '../../../lib/clock.ts'
import { narrationFactsKey } from '../../../lib/domain/generation/narration.ts'
import type { StoredScene } from '../../../lib/domain/generation/scenes/scenes.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { captionlessRenderKey } from '../../../lib/domain/videos/conversion.ts'
import { clearRender, updateVideo } from '../../../lib/domain/videos/update-video.ts'
import type { CompositionPage } from '../../../lib/render/composition.ts'
import { rendererVersion } from '../../../lib/render/segments/segment-key.ts'
import { listEvents } from '../../../lib/store/event-journal.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { changeVideo } from '../../../lib/use-cases/videos/change-video.ts'
import { composition } from '../../render/compositions.ts'
import { given } from '../../support/given/videos.ts'
import { expectMatchesOpenApi } from '../../support/openapi-validation.ts'
import { callApi, newWorld } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

const sceneOf = (number: number, fields: Partial<StoredScene> = {}): StoredScene => ({
  id: `scn_${number}`,
  imagePrompt: `picture ${number}`,
  animationPrompt: 'Slow push in',
  narration: `Sentence ${number}.`,
  voiceDescription: 'Natural voice',
  duration: 5,
  imageKey: `none/visuals/${number}.png`,
  videoKey: null,
  ...fields,
})
const places = [
  { startMs: 0, endMs: 5_000 },
  { startMs: 5_000, endMs: 11_200 },
  { startMs: 11_200, endMs: 16_200 },
]

/** Stores the manifest of a render. */
async function keepManifest({ render }: Video, pages: CompositionPage[]) {
  const key = render?.manifestKey
  if (key) await putObject(key, Buffer.from(JSON.stringify(composition({ pages }))), 'application/json')
}

async function convertible(make: 'generatedVideo' | 'renderedVideo' = 'renderedVideo', type: Video['type'] = 'ai') {
  const world = await newWorld({ planId: 'free' })
  const scenes = [sceneOf(1), sceneOf(2, { videoKey: 'none/visuals/2.mp4' }), sceneOf(3, { imageKey: null })]
  const video = await given[make](world, { type, ...(type === 'ai' ? { scenes } : {}) })
  const facts = { audioKey: video.media.audioKey, durationMs: 16_200, words: [], places }
  await putObject(narrationFactsKey(video.media.audioKey!), Buffer.from(JSON.stringify(facts)), 'application/json')
  await keepManifest(video, [])
  const { apiKey: key, workspaceId } = world
  const path = `/videos/${video.id}`
  const place = { workspaceId, videoId: video.id }
  return {
    video,
    key,
    place,
    ask: (idempotencyKey?: string) =>
      callApi('POST', `${path}/convert`, { key, headers: idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {} }),
    /** What the state machine does. */
    run: async () => {
      const { runId } = (await getVideo(workspaceId, video.id)).process!
      const begun = await begin({ ...place, runId })
      return [begun, await convert({ ...place, runId })]
    },
    read: async (include = 'captions,captionsPages,bRolls,scenes') =>
      (await callApi('GET', `${path}?include=${include}`, { key })).body.data,
    change: (fields: Partial<Video>) =>
      changeVideo(place, (current) => updateVideo(current, { ...current, ...fields }, now())),
  }
}

describe('POST /videos/{id}/convert', () => {
  rule('convert.idempotent', async () => {
    const { key, ask, read } = await convertible()
    const before = await read()
    const first = await ask('one')
    expect(first).toMatchObject({
      status: 202,
      body: { data: { type: 'ai', process: { status: 'QUEUED', progress: 0, error: null }, render: before.render } },
    })
    expectMatchesOpenApi('POST', '/videos/{id}/convert', 202, first.body)
    const again = await ask('one')
    expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([202, 'true', first.body])
    expect((await callApi('GET', '/', { key })).body.data).toMatchObject({
      credits: { balance: 190, used: 10 },
      limits: { generations: { used: 1 } },
    })
  })

  rule('convert.editable', async () => {
    const { ask, run, read, place } = await convertible()
    const before = await read()
    await ask()
    expect(await run()).toEqual([
      { type: 'ai', work: 'convert', lane: 'function' },
      { stitched: true, lane: 'function' },
    ])
    const after = await read()
    expect(after).toMatchObject({
      type: 'video',
      status: 'ready',
      process: { status: 'COMPLETED', progress: 100, statusText: null, error: null },
      media: { ...before.media, sourceUrl: before.media.renderUrl },
      captions: before.captions,
      captionsPages: before.captionsPages,
      durationSeconds: before.durationSeconds,
      scenes: [],
    })
    expect(after.captions).not.toEqual([])
    const shown = after.bRolls.map(({ startMs, endMs, text, prompt, url, type }: Record<string, unknown>) => ({
      startMs,
      endMs,
      text,
      prompt,
      media: [type, String(url).split('/').at(-1)],
    }))
    expect(shown).toEqual([
      { ...places[0], text: 'Sentence 1.', prompt: 'picture 1', media: ['image', '1.png'] },
      { ...places[1], text: 'Sentence 2.', prompt: 'picture 2', media: ['video', '2.mp4'] },
      { ...places[2], text: 'Sentence 3.', prompt: 'picture 3', media: [null, 'null'] },
    ])
    const told = (await listEvents(place.workspaceId)).map(({ type }) => type)
    expect(told.filter((type) => type === 'video.generation_completed')).toHaveLength(2)
  })

  it('a render that shows captions: the conversion waits for one without captions and uses that as its source', async () => {
    const { video, place, ask, run, read } = await convertible()
    await keepManifest(video, [{ startMs: 0, endMs: 900, words: [] }])
    const before = await read()
    await ask()
    expect(await run()).toEqual([
      { type: 'ai', work: 'convert', lane: 'function' },
      { stitched: false, lane: 'function' },
    ])
    expect(await read()).toMatchObject({ type: 'ai', process: { status: 'PROCESSING' } })
    const owner = { workspace: await getWorkspace(place.workspaceId), videoId: video.id }
    const clean = captionlessRenderKey(owner, video.render!.manifestKey!, rendererVersion)
    await putObject(clean, Buffer.from('A film without captions'), 'video/mp4')
    expect((await run())[1]).toMatchObject({ stitched: true })
    const { media } = await read()
    expect(media).toEqual({ ...before.media, sourceUrl: expect.stringContaining(clean) })
  })

  it('202: the list filters it by its new type', async () => {
    const { key, ask, run } = await convertible()
    await ask()
    await run()
    const total = async (type: string) => (await callApi('GET', `/videos?type=${type}`, { key })).body.paging.total
    expect([await total('ai'), await total('video')]).toEqual([0, 1])
  })

  rule('convert.one-way', async () => {
    const { ask, run } = await convertible()
    await ask()
    await run()
    expect(await ask()).toMatchObject({ status: 422, body: { error: { code: 'already-converted' } } })
    const faceless = await convertible('renderedVideo', 'faceless')
    expect(await faceless.ask()).toMatchObject({ status: 422, body: { error: { code: 'already-converted' } } })
  })

  it('409: nothing was generated, or the generation or the stitch failed or is missing', async () => {
    const notReady = { status: 409, body: { error: { code: 'warning-source-not-ready' } } }
    const { apiKey: key } = await newWorld()
    const { body } = await callApi('POST', '/videos', { key, body: { type: 'ai', prompt: 'An idea' } })
    expect(await callApi('POST', `/videos/${body.data.id}/convert`, { key })).toMatchObject(notReady)
    const generated = await convertible('generatedVideo')
    expect(await generated.ask()).toMatchObject(notReady)
    const failed = await convertible()
    await failed.change({ process: { ...failed.video.process!, status: 'FAILED' } })
    expect(await failed.ask()).toMatchObject(notReady)
    const unstitched = await convertible()
    await unstitched.change({ render: { ...unstitched.video.render!, status: 'FAILED' } })
    expect(await unstitched.ask()).toMatchObject(notReady)
  })

  it('409: a generation, a conversion or a render is running', async () => {
    const open = { status: 409, body: { error: { code: 'job-in-progress' } } }
    const { video, ask, change } = await convertible()
    await change({ render: { ...video.render!, status: 'PROCESSING' } })
    expect(await ask()).toMatchObject(open)
    await change({ render: video.render })
    expect((await ask()).status).toBe(202)
    expect(await ask()).toMatchObject(open)
  })

  it('404: an unknown video, and one of another workspace', async () => {
    const { video } = await convertible()
    const { apiKey: key } = await newWorld()
    expect((await callApi('POST', `/videos/${video.id}/convert`, { key })).status).toBe(404)
    expect((await callApi('POST', '/videos/vid_none/convert', { key })).status).toBe(404)
  })

  it('the conversion fails with a reason where an edit cleared the render after it was queued', async () => {
    const { place, ask, run, read } = await convertible()
    await ask()
    await changeVideo(place, (video) => clearRender(video, video, now()))
    await expect(run()).rejects.toThrow('warning-source-not-ready')
    expect((await read()).type).toBe('ai')
  })
})
