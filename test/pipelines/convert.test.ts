/**
 * The life cycle of an ai video after its generation: new stills, a new concatenation for a download, conversion,
 * presenter, render.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DownloadResource, VideoResource } from '../../lib/contract/resources/index.ts'
import { probeMedia } from '../../lib/ffmpeg/probe.ts'
import { runFfmpeg } from '../../lib/ffmpeg/run.ts'
import { createClient } from '../../packages/client/index.js'
import { type PictureServer, portraitPng, startPictureServer } from '../support/picture-server.ts'
import { type ApiCredentials, callApiOf, temporaryDataDirectory, waitForVideo } from './service-process.ts'
import { newApiClient } from './shared-service.ts'

const { directory, remove } = temporaryDataDirectory()
let client: ApiCredentials
let pictures: PictureServer
let video: VideoResource

beforeAll(async () => {
  const png = await portraitPng(600, 600)
  pictures = await startPictureServer({ '/clara.png': (response) => response.end(png) })
  client = await newApiClient()
  const text = 'A small boat leaves the harbour.'
  const body = { type: 'ai', text, aspectRatio: '1:1', process: { render: true } }
  video = await callApiOf<VideoResource>(client, 'POST', '/videos', body)
  video = await ready()
})
afterAll(async () => {
  await pictures.close()
  remove()
})

const request = <Data>(method: string, path: string, body?: unknown) =>
  callApiOf<Data>(client, method, `/videos/${video.id}${path}`, body)
/** Repeats a request that is not answered in time, as clients do: on a busy machine its work continues. */
const sdk = () => createClient({ baseUrl: client.baseUrl, apiKey: client.apiKey })
const read = () => request<VideoResource>('GET', '?include=captions,captionsPages,bRolls,scenes')
const ready = () =>
  waitForVideo(
    client,
    video.id,
    ({ process, render }) => process?.status === 'COMPLETED' && render?.status === 'COMPLETED',
  )

async function filmOf({ url, bytes }: Pick<DownloadResource, 'url' | 'bytes'>) {
  const film = Buffer.from(await (await fetch(url)).arrayBuffer())
  expect(film.byteLength).toBe(bytes)
  const path = join(directory, 'film.mp4')
  writeFileSync(path, film)
  return probeMedia(path, 'mov', { directory, timeoutMs: 60_000 })
}

/** The frame of a film at a moment: its luma, one byte a pixel. */
async function lumaOf(url: string, atMs: number): Promise<Buffer> {
  const path = join(directory, 'seen.mp4')
  writeFileSync(path, Buffer.from(await (await fetch(url)).arrayBuffer()))
  const frame = ['-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'gray', 'pipe:1']
  const { output } = await runFfmpeg({
    arguments: ['-ss', `${atMs / 1000}`, '-i', path, ...frame],
    directory,
    timeoutMs: 60_000,
  })
  return output
}

describe('an ai video', () => {
  it('gets a new still for a scene, and a download concatenates it again', async () => {
    const { scenes } = await read()
    const drawn = await sdk().videos.drawSceneImage(video.id, scenes![0]!.id, { prompt: 'a train in the mountains' })
    expect(drawn.imageUrl).not.toBe(scenes![0]!.imageUrl)
    expect((await read()).media.renderUrl).toBeNull()
    const download = await sdk().videos.download(video.id)
    expect(download.url).not.toBe(video.media.renderUrl)
    expect((await filmOf(download)).durationMs! / 1000).toBeCloseTo(video.durationSeconds!, 1)
  })

  it('is converted: its b-rolls are where its scenes were, and it can be rendered', async () => {
    const before = await read()
    await request('POST', '/convert')
    const { durationSeconds } = await waitForVideo(client, video.id, ({ type }) => type === 'video')
    const after = await read()
    expect(after).toMatchObject({
      type: 'video',
      captions: before.captions,
      captionsPages: before.captionsPages,
      scenes: [],
    })
    // The render shows captions, and its source does not.
    expect(after.media).toEqual({ ...before.media, sourceUrl: expect.stringMatching(/\.mp4$/) })
    expect(after.media.sourceUrl).not.toBe(before.media.renderUrl)
    const { startMs, endMs } = before.captionsPages![0]!
    const captioned = await lumaOf(before.media.renderUrl!, (startMs + endMs) / 2)
    const bare = await lumaOf(after.media.sourceUrl!, (startMs + endMs) / 2)
    const changed = captioned.filter((luma, pixel) => Math.abs(luma - bare[pixel]!) > 60).length
    expect(changed).toBeGreaterThan(2_000)
    expect(changed).toBeLessThan(captioned.length / 10)
    expect(after.bRolls!.map(({ text }) => text)).toEqual(before.scenes!.map(({ narration }) => narration))
    expect(after.bRolls![0]!.startMs).toBe(0)
    expect(after.bRolls!.at(-1)!.endMs / 1000).toBeCloseTo(durationSeconds!, 2)
    await request('POST', '/render')
    const { media } = await ready()
    expect(await filmOf({ url: media.renderUrl!, bytes: media.bytes! })).toMatchObject({
      video: { width: 1080, height: 1080 },
      audio: { codec: 'aac' },
    })
  })

  it('can then get a presenter, which the next render shows', async () => {
    const [segment] = (await read()).bRolls!
    const presented = await sdk().videos.makePresenter(video.id, segment!.id, {
      imageUrl: pictures.url('/clara.png'),
      name: 'Clara',
    })
    const { durationMs } = await filmOf({ url: presented.url!, bytes: presented.presenter!.bytes })
    expect(Math.abs(durationMs! - (segment!.endMs - segment!.startMs))).toBeLessThan(34)
    await request('POST', '/render')
    const { media } = await ready()
    await filmOf({ url: media.renderUrl!, bytes: media.bytes! })
  })
})
