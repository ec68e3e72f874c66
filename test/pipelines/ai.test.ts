import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { VideoResource } from '../../lib/contract/resources/index.ts'
import type { Scene } from '../../lib/domain/generation/scenes/scenes.ts'
import { probeMedia } from '../../lib/ffmpeg/probe.ts'
import { parseWav } from '../../lib/render/sound/wav.ts'
import { expectMatchesOpenApi } from '../support/openapi-validation.ts'
import { type ApiCredentials, callApiOf, fastPollMs, temporaryDataDirectory, waitForVideo } from './service-process.ts'
import { newApiClient } from './shared-service.ts'

let client: ApiCredentials
let video: VideoResource

/** Each text has as many words as a scene needs, and is short to speak. */
const sentences = ['A boat is out on the sea as it is not yet day.', 'In the city it is a day like any other one.']
const read = (include = 'captions,captionsPages,bRolls,scenes') =>
  callApiOf<VideoResource>(client, 'GET', `/videos/${video.id}?include=${include}`)
const rendered = () => waitForVideo(client, video.id, ({ status, render }) => status === 'ready' && render !== null)

beforeAll(async () => {
  client = await newApiClient()
  video = await callApiOf<VideoResource>(client, 'POST', '/videos', {
    type: 'ai',
    text: sentences.join(' '),
    aspectRatio: '1:1',
    mood: 'energetic',
    process: { render: true },
  })
  await rendered()
})

const download = async (address: string) => Buffer.from(await (await fetch(address)).arrayBuffer())

/** The peak sample of a span of the narration: above 1,000 there is speech. */
async function loudest(address: string, fromSeconds: number, toSeconds: number): Promise<number> {
  const { samples, sampleRate } = parseWav(await download(address))
  const stretch = samples.subarray(Math.round(fromSeconds * sampleRate), Math.round(toSeconds * sampleRate))
  return stretch.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
}

async function probed(address: string) {
  const { directory, remove } = temporaryDataDirectory()
  onTestFinished(remove)
  const path = join(directory, 'film.mp4')
  writeFileSync(path, await download(address))
  return probeMedia(path, 'mov', { directory, timeoutMs: 60_000 })
}

async function secondsOfFilm(address: string): Promise<number> {
  const { durationMs, video: picture } = await probed(address)
  expect(picture).toMatchObject({ codec: 'h264', width: 1080, height: 1080 })
  return durationMs! / 1000
}

const spoken = (words: { punctuated_word: string }[]) => words.map(({ punctuated_word }) => punctuated_word).join(' ')
const clipsOf = (scenes: Scene[]) => scenes.map(({ videoUrl }) => videoUrl)
const lengthOf = (scenes: Scene[]) => scenes.reduce((sum, { duration }) => sum + duration, 0)

describe('the generation of an ai video', () => {
  it('splits the text word for word into scenes, each with a picture and the duration of its narration', async () => {
    const { scenes = [], captions = [], durationSeconds, media } = await read()
    expect(scenes.map(({ narration }) => narration)).toEqual(sentences)
    for (const scene of scenes) {
      expect(scene).toMatchObject({ status: 'ready', animationPrompt: expect.stringMatching(/./) })
      expect(scene.imagePrompt).toContain('energetic mood')
      expect(scene.duration).toBeGreaterThanOrEqual(3)
      expect(scene.duration).toBeLessThanOrEqual(20)
      expect((await fetch(scene.imageUrl!)).headers.get('content-type')).toBe('image/png')
    }
    expect(durationSeconds).toBeCloseTo(lengthOf(scenes), 3)
    expect(spoken(captions)).toBe(sentences.join(' '))
    const second = captions[sentences[0]!.split(' ').length]!
    expect(second.startMs).toBeGreaterThanOrEqual(scenes[0]!.duration * 1000)
    expect(await loudest(media.audioUrl!, 0, scenes[0]!.duration)).toBeGreaterThan(1_000)
    expect(await loudest(media.audioUrl!, scenes[0]!.duration, durationSeconds!)).toBeGreaterThan(1_000)
  })

  it('makes a scene clip for every scene, as long as the scene', async () => {
    const { scenes = [] } = await read()
    expect(new Set(scenes.map(({ videoUrl }) => videoUrl)).size).toBe(scenes.length)
    for (const { videoUrl, duration } of scenes) {
      const { durationMs, video: picture } = await probed(videoUrl!)
      expect(picture).toMatchObject({ codec: 'h264', width: 720, height: 720 })
      expect(durationMs!).toBeGreaterThanOrEqual(duration * 1000)
    }
  })

  it('makes a render as long as the scenes, and a response that matches the OpenAPI document', async () => {
    const data = await read('captions,captionsPages,bRolls,presentationScenes,scenes')
    expect(await secondsOfFilm(data.media.renderUrl!)).toBeCloseTo(data.durationSeconds!, 1)
    expectMatchesOpenApi('GET', '/videos/{id}', 200, { data })
  })
})

describe('an ai video that is generated again', () => {
  it('keeps its scenes, stills, scene clips and sound if nothing changed', async () => {
    const before = await read()
    await callApiOf(client, 'POST', `/videos/${video.id}/process`)
    await waitForVideo(client, video.id, ({ process }) => process!.status === 'COMPLETED')
    const after = await read()
    expect(after.scenes).toEqual(before.scenes)
    expect(after.media.audioUrl).toBe(before.media.audioUrl)
  })
})

describe('an ai video without text to speak', () => {
  it('fails with a reason', async () => {
    const { id } = await callApiOf<VideoResource>(client, 'POST', '/videos', { type: 'ai', text: '— … —' })
    const ended = waitForVideo(client, id, ({ status }) => status === 'draft')
    await expect(ended).rejects.toThrow('The text holds nothing that can be spoken.')
  })
})

describe('the scenes of an ai video that was rendered', () => {
  const told = 'Everybody is going somewhere, and nobody has to hurry today.'

  it('a render is discarded and reported as stale if they are edited while it runs', async () => {
    const { scenes = [] } = await read()
    const path = `/videos/${video.id}/scenes`
    const edit = { narration: told, duration: 5 }
    expect(await callApiOf<Scene>(client, 'PATCH', `${path}/${scenes[1]!.id}`, edit)).toMatchObject({
      videoUrl: null,
    })
    expect((await read()).media).toMatchObject({ renderUrl: null, bytes: null })
    await callApiOf(client, 'POST', `/videos/${video.id}/render`)
    await waitForVideo(client, video.id, ({ render }) => render!.status === 'PROCESSING', fastPollMs)
    await callApiOf<Scene>(client, 'POST', path, { afterSceneId: scenes[0]!.id })
    const after = await waitForVideo(client, video.id, ({ render }) => render!.status === 'COMPLETED')
    expect(after).toMatchObject({ status: 'draft', media: { renderUrl: null, bytes: null }, render: { stale: true } })
    // The edited scene has a new clip for the render; an empty scene has nothing to animate.
    const clips = clipsOf((await read()).scenes!)
    expect(clips).toEqual([scenes[0]!.videoUrl, null, expect.stringMatching(/\.mp4$/)])
    expect(clips[2]).not.toBe(scenes[1]!.videoUrl)
  })

  it('a new render follows their sound, captions and length', async () => {
    const before = await read()
    await callApiOf(client, 'POST', `/videos/${video.id}/render`)
    await rendered()
    const { scenes = [], captions = [], media, durationSeconds, render } = await read()
    expect(render).not.toHaveProperty('stale')
    expect(clipsOf(scenes)).toEqual(clipsOf(before.scenes!))
    expect(scenes.map(({ status }) => status)).toEqual(['ready', 'draft', 'ready'])
    expect(durationSeconds).toBeCloseTo(lengthOf(scenes), 3)
    expect(durationSeconds).toBeCloseTo(before.durationSeconds! + 6, 3)
    expect(await secondsOfFilm(media.renderUrl!)).toBeCloseTo(durationSeconds!, 1)
    expect(spoken(captions)).toBe(`${sentences[0]} ${told}`)
    const [first, empty] = [scenes[0]!.duration, scenes[1]!.duration]
    expect(await loudest(media.audioUrl!, first, first + empty)).toBe(0)
    expect(await loudest(media.audioUrl!, first + empty, durationSeconds!)).toBeGreaterThan(1_000)
  })

  it('a repeated render of unchanged scenes is available at once, and the captions stay the same', async () => {
    const before = await read()
    await callApiOf(client, 'POST', `/videos/${video.id}/render`)
    await rendered()
    const { media, captions } = await read()
    expect([media, captions]).toEqual([before.media, before.captions])
  })

  it('a new generation keeps what the client edited and makes only what is missing', async () => {
    const { scenes = [], media } = await read()
    const path = `/videos/${video.id}/scenes/${scenes[1]!.id}`
    await callApiOf<Scene>(client, 'PATCH', path, { imagePrompt: 'a bridge over the river' })
    await callApiOf(client, 'POST', `/videos/${video.id}/process`)
    await waitForVideo(client, video.id, ({ process }) => process!.status === 'COMPLETED')
    const after = await read()
    const drawn = { imagePrompt: 'a bridge over the river', status: 'ready', imageUrl: expect.any(String) }
    expect(after.scenes).toEqual([
      scenes[0],
      { ...scenes[1], ...drawn, videoUrl: expect.stringMatching(/\.mp4$/) },
      scenes[2],
    ])
    expect(after.media.audioUrl).toBe(media.audioUrl)
  })

  it('the render fails with a reason if all of them are removed', async () => {
    const { scenes = [] } = await read()
    for (const { id } of scenes) await callApiOf(client, 'DELETE', `/videos/${video.id}/scenes/${id}`)
    await callApiOf(client, 'POST', `/videos/${video.id}/render`)
    await expect(rendered()).rejects.toThrow('This video has no scene that could be shown.')
  })
})
