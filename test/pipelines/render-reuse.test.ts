/** Only what changed is rendered: through the whole service, from the API to the files. */
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { VideoResource } from '../../lib/contract/resources/index.ts'
import { type ApiCredentials, callApiOf, storedObjects, waitForVideo } from './service-process.ts'
import { newApiClient, serviceDirectory } from './shared-service.ts'

let client: ApiCredentials
let video: VideoResource
beforeAll(async () => {
  client = await newApiClient()
  video = await make(script)
})

const script = 'Films have parts. Each part is kept. Nobody waits for more.'

async function make(text: string): Promise<VideoResource> {
  const body = { text, aspectRatio: '1:1', process: { render: true } }
  const { id } = await callApiOf<VideoResource>(client, 'POST', '/videos', body)
  return waitForVideo(client, id, ({ status }) => status === 'ready')
}

async function renderAgain(id: string): Promise<VideoResource> {
  await callApiOf(client, 'POST', `/videos/${id}/render`)
  return waitForVideo(client, id, ({ status }) => status === 'ready')
}

async function spell(id: string, index: number, word: string): Promise<void> {
  const { captions } = await callApiOf<VideoResource>(client, 'GET', `/videos/${id}?include=captions`)
  const changed = captions!.map((caption, i) => (i === index ? { ...caption, punctuated_word: word } : caption))
  await callApiOf(client, 'PUT', `/videos/${id}/captions`, { captions: changed })
}

async function sumOfFilm({ media }: VideoResource): Promise<string> {
  const bytes = Buffer.from(await (await fetch(media.renderUrl!)).arrayBuffer())
  return createHash('sha256').update(bytes).digest('hex')
}

const segmentsOf = ({ id }: VideoResource) =>
  storedObjects(serviceDirectory, id).filter(({ kind }) => kind === 'segments').length

async function expectExactStorage(): Promise<void> {
  const { limits } = await callApiOf<{ limits: { storage: { usedBytes: number } } }>(client, 'GET', '/')
  const bytes = storedObjects(serviceDirectory, video.id).reduce((sum, object) => sum + object.bytes, 0)
  expect(limits.storage.usedBytes).toBe(bytes)
}

describe('a render', () => {
  it('reports its inputs, its properties and how much of it was rendered', async () => {
    const { render, durationSeconds } = video
    expect(render!.inputsHash).toMatch(/^[0-9a-f]{64}$/)
    expect(render!.sha256).toBe(await sumOfFilm(video))
    expect(render!.reuse!.reused).toBe(0)
    expect(render!.reuse!.secondsRendered).toBeCloseTo(durationSeconds!, 1)
    // Its segments, its sound and its thumbnail.
    expect(segmentsOf(video)).toBe(render!.reuse!.segments + 2)
    await expectExactStorage()
  })

  it('that is repeated unchanged is available at once: all of it is reused', async () => {
    const again = await renderAgain(video.id)
    const { segments } = video.render!.reuse!
    expect(again.render).toMatchObject({
      ...video.render,
      queuedAt: again.render!.queuedAt,
      startedAt: expect.any(String),
      reuse: { segments, reused: segments, secondsRendered: 0 },
    })
  })

  it('after a change of one word renders only the segments that show it; unused ones are deleted', async () => {
    await spell(video.id, 1, 'HAVE!')
    const edited = await renderAgain(video.id)
    const { segments, reused, secondsRendered } = edited.render!.reuse!
    expect(segments).toBe(video.render!.reuse!.segments)
    expect(segments - reused).toBeGreaterThan(0)
    expect(segments - reused).toBeLessThanOrEqual(2)
    expect(secondsRendered).toBeLessThan(0.5 * video.durationSeconds!)
    expect(edited.render!.inputsHash).not.toBe(video.render!.inputsHash)
    expect(await sumOfFilm(edited)).toBe(edited.render!.sha256)
    expect(segmentsOf(video)).toBe(segments + 2)
    await expectExactStorage()
  })

  it('after the change is undone has the same bytes as before, although it was deleted and its segments come from two other renders', async () => {
    const sum = await sumOfFilm(video)
    await spell(video.id, 4, 'PART!')
    await renderAgain(video.id)
    expect((await fetch(video.media.renderUrl!)).status).toBe(404)
    await spell(video.id, 1, 'have')
    await spell(video.id, 4, 'part')
    const back = await renderAgain(video.id)
    const { reused, secondsRendered } = back.render!.reuse!
    expect([reused > 0, secondsRendered > 0]).toEqual([true, true])
    expect(back.render).toMatchObject({ inputsHash: video.render!.inputsHash, sha256: sum })
    expect(await sumOfFilm(back)).toBe(sum)
    await expectExactStorage()
  })
})
