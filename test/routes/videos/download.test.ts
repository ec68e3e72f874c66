/** GET /videos/{id}/download: an existing render, one that has to be stitched first, and none. */
import { describe, expect, it } from 'vitest'
import { putObject } from '../../../lib/aws/media-bucket.ts'
import { now } from '../../../lib/clock.ts'
import type { StoredScene } from '../../../lib/domain/generation/scenes/scenes.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { completeRender } from '../../../lib/domain/videos/complete-job.ts'
import { beginRender } from '../../../lib/domain/videos/job-transitions.ts'
import { clearRender, updateVideo } from '../../../lib/domain/videos/update-video.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { changeVideo } from '../../../lib/use-cases/videos/change-video.ts'
import { given } from '../../support/given/videos.ts'
import { expectMatchesOpenApi } from '../../support/openapi-validation.ts'
import { portraitPng } from '../../support/picture-server.ts'
import { callApi, newWorld } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

const scene: StoredScene = {
  id: 'scn_1',
  imagePrompt: 'mountains',
  animationPrompt: '',
  narration: 'Calm mornings.',
  voiceDescription: '',
  duration: 3,
  imageKey: 'of-a-test/visuals/still.png',
  videoKey: null,
}

async function world(make: 'generatedVideo' | 'renderedVideo', fields: Parameters<typeof given.generatedVideo>[1]) {
  const { apiKey: key, workspaceId } = await newWorld()
  const video = await given[make]({ workspaceId }, fields)
  const place = { workspaceId, videoId: video.id }
  return {
    video,
    ask: () => callApi('GET', `/videos/${video.id}/download`, { key }),
    read: () => getVideo(workspaceId, video.id),
    change: (decide: Parameters<typeof changeVideo>[1]) => changeVideo(place, decide),
  }
}

const queued = (video: Video) =>
  updateVideo(video, { ...video, render: { ...video.render!, runId: 'run_other', status: 'QUEUED' } }, now())

describe('GET /videos/{id}/download', () => {
  rule('download.answer', async () => {
    const { video, ask } = await world('renderedVideo', {})
    const { status, body } = await ask()
    expect(body).toEqual({
      data: { url: expect.any(String), expiresAt: null, bytes: video.media.bytes, contentType: 'video/mp4' },
    })
    expect(status).toBe(200)
    expectMatchesOpenApi('GET', '/videos/{id}/download', 200, body)
    const film = await fetch(body.data.url)
    expect([film.headers.get('content-type'), (await film.arrayBuffer()).byteLength]).toEqual([
      'video/mp4',
      body.data.bytes,
    ])
  })

  it('200: returns the existing render while a new one is made', async () => {
    const { ask, change, read } = await world('renderedVideo', { type: 'ai', scenes: [] })
    await change(queued)
    expect((await ask()).status).toBe(200)
    expect((await read()).render!.runId).toBe('run_other')
  })

  rule('download.not-ready', async () => {
    const { ask, read } = await world('generatedVideo', {})
    expect(await ask()).toMatchObject({ status: 409, body: { error: { code: 'warning-source-not-ready' } } })
    expect((await read()).render).toBeNull()
  })

  it('409: an ai video of which nothing was generated', async () => {
    const { apiKey: key } = await newWorld()
    const { body } = await callApi('POST', '/videos', { key, body: { type: 'ai', prompt: 'An idea' } })
    expect(await callApi('GET', `/videos/${body.data.id}/download`, { key })).toMatchObject({
      status: 409,
      body: { error: { code: 'warning-source-not-ready' } },
    })
  })

  it('200: joins a running stitch and returns its render', async () => {
    const { ask, change, read } = await world('renderedVideo', { type: 'ai', scenes: [] })
    const film = { renderKey: 'a/renders/b.mp4', thumbnailKey: 'a/renders/b.jpg', bytes: 12 }
    await change((video) => clearRender(video, video, now()))
    await change(queued)
    const answer = ask()
    await change((video) => beginRender(video, 'run_other', 'a/manifests/m.json', now()))
    await change((video) => completeRender(video, 'run_other', video.render!.attempt, film, now()))
    expect(await answer).toMatchObject({ status: 200, body: { data: { bytes: 12 } } })
    expect((await read()).render!.runId).toBe('run_other')
  })

  it.each([
    ['scene', []],
    ['picture', [{ ...scene, imageKey: null }]],
  ])('409: an ai video without a %s; a retry would not help', async (lack, scenes) => {
    const { ask, change, read } = await world('renderedVideo', { type: 'ai', scenes })
    await change((video) => clearRender(video, video, now()))
    const { status, headers, body } = await ask()
    expect([status, body.error]).toMatchObject([
      409,
      { code: 'warning-source-not-ready', message: expect.stringContaining(lack) },
    ])
    expect(headers.has('retry-after')).toBe(false)
    expect((await read()).render).toMatchObject({ status: 'FAILED', error: { blocked: true } })
  })

  rule('download.ai', async () => {
    const { video, ask, change, read } = await world('renderedVideo', {
      type: 'ai',
      scenes: [scene],
      brief: { aspectRatio: '1:1' },
    })
    await putObject(scene.imageKey!, await portraitPng(1080, 1080), 'image/png')
    await change((video) => clearRender(video, video, now()))
    /** A busy machine stitches longer than a request waits. */
    const askUntilStitched = async () => {
      for (;;) {
        const answer = await ask()
        if (answer.status !== 503) return answer
      }
    }
    const [first, ...others] = await Promise.all([askUntilStitched(), askUntilStitched(), askUntilStitched()])
    expect(first!.body).toMatchObject({ data: { contentType: 'video/mp4' } })
    for (const { body } of others) expect(body).toEqual(first!.body)
    const film = Buffer.from(await (await fetch(first!.body.data.url)).arrayBuffer())
    expect([film.byteLength, film.toString('latin1', 4, 8)]).toEqual([first!.body.data.bytes, 'ftyp'])
    expect(await read()).toMatchObject({ render: { status: 'COMPLETED', stale: false }, type: 'ai' })
    expect((await read()).media.renderKey).not.toBe(video.media.renderKey)
  })

  it('404: an unknown video, and one of another workspace', async () => {
    const { video } = await world('renderedVideo', {})
    const { apiKey: key } = await newWorld()
    expect((await callApi('GET', `/videos/${video.id}/download`, { key })).status).toBe(404)
    expect((await callApi('GET', '/videos/vid_none/download', { key })).status).toBe(404)
  })
})
