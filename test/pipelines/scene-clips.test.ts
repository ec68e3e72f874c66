/** The clips of scenes as the container makes them: who is seen in them, and that none is made twice. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type Studio, withMotion, withStills } from '../../containers/render/scene-clips.ts'
import { getObject, putObject } from '../../lib/aws/media.ts'
import type { Soundtrack } from '../../lib/domain/soundtrack.ts'
import { type StoredScene, segmentsOf } from '../../lib/domain/timelines/scenes.ts'
import { encodeWav } from '../../lib/render/wav.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { given } from '../support/given.ts'
import { type PictureServer, portrait, servePictures } from '../support/portrait.ts'
import { sceneNumber } from '../support/scenes.ts'
import { newWorld } from '../support/world.ts'

const directory = mkdtempSync(join(tmpdir(), 'reelsmith-scenes-'))
let pictures: PictureServer | undefined
afterAll(async () => {
  rmSync(directory, { recursive: true, force: true })
  await pictures?.close()
})

const places = [
  { startMs: 0, endMs: 300 },
  { startMs: 300, endMs: 600 },
]
const blank = { imageKey: null, videoKey: null }
const scenes = [
  sceneNumber(1, { ...blank, imagePrompt: 'portrait of a woman; wide shot' }),
  sceneNumber(2, { ...blank, imagePrompt: '' }),
]

async function studioOf(subType: string | null, wish: Record<string, unknown> = {}) {
  const world = await newWorld()
  const video = await given.generatedVideo(world, { type: 'ai', subType, wish: { aspectRatio: '1:1', ...wish } })
  const owner = { workspace: await getWorkspace(world.workspaceId), videoId: video.id }
  const samples = Int16Array.from({ length: 9_600 }, (_, at) => 9_000 * Math.sin(at / 7))
  await putObject(video.media.audioKey!, encodeWav({ sampleRate: 16_000, samples }), 'audio/wav')
  const soundtrack: Soundtrack = { audioKey: video.media.audioKey!, durationMs: 600, words: [], places }
  const studio: Studio = { owner, video, directory, signal: new AbortController().signal }
  return { studio, soundtrack }
}

const isClip = async (key: string | null) => (await getObject(key!)).subarray(4, 8).toString() === 'ftyp'

describe('the clips of scenes', () => {
  it('show what the still shows, and a scene without a prompt has neither', async () => {
    const { studio, soundtrack } = await studioOf(null)
    const drawn = await withStills(studio, scenes)
    expect(drawn.map(({ imageKey }) => imageKey !== null)).toEqual([true, false])
    const [first, second] = await withMotion(studio, drawn, soundtrack)
    expect(await isClip(first!.videoKey)).toBe(true)
    expect(second).toEqual(scenes[1])
    // The film moves the still by itself.
    expect(segmentsOf(studio.video, [first!], places)[0]!.media).toEqual({ kind: 'still', key: first!.imageKey })
  })

  it('are made once: what is kept is not made again, also not by a second generation', async () => {
    const { studio, soundtrack } = await studioOf(null)
    const make = async () => withMotion(studio, await withStills(studio, scenes), soundtrack)
    const before = await make()
    const keys = [before[0]!.imageKey!, before[0]!.videoKey!]
    for (const key of keys) await putObject(key, Buffer.from('Kept'), 'text/plain')
    expect(await make()).toEqual(before)
    for (const key of keys) expect((await getObject(key)).toString()).toBe('Kept')
  })

  it('show the person of the brief in a ugc video, in scenes that were added later too', async () => {
    const png = await portrait(200, 200)
    pictures = await servePictures({ '/clara.png': (response) => response.end(png) })
    const { studio, soundtrack } = await studioOf('ugc', { presenter: { imageUrl: pictures.url('/clara.png') } })
    const [first] = await withStills(studio, scenes.slice(0, 1))
    expect(Buffer.from(await getObject(first!.imageKey!)).equals(Buffer.from(png))).toBe(true)
    const speaking = await withMotion(studio, [first!, scenes[1]!] satisfies StoredScene[], soundtrack)
    expect(new Set(speaking.map(({ imageKey }) => imageKey))).toEqual(new Set([first!.imageKey]))
    for (const { videoKey } of speaking) expect(await isClip(videoKey)).toBe(true)
    expect(segmentsOf(studio.video, speaking, places)[1]!.media).toEqual({ kind: 'clip', key: speaking[1]!.videoKey })
  })

  it('of a person whose picture cannot be used end the job and say why', async () => {
    const server = await servePictures({ '/text': (response) => response.end('no picture') })
    const { studio } = await studioOf('ugc', { presenter: { imageUrl: server.url('/text') } })
    await expect(withStills(studio, scenes)).rejects.toThrow('The picture of the presenter is no PNG, JPEG or WebP.')
    await server.close()
    await expect(withStills(studio, scenes)).rejects.toThrow('The picture of the presenter cannot be fetched')
  })
})
