/** Only what changed is rendered: through the whole service, from the API to the files. */
import { createHash } from 'node:crypto'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Account, VideoResource } from '../../lib/api/resources.ts'
import { ask, newDirectory, type Service, startService, until } from './service.ts'

const { directory, remove } = newDirectory()
let service: Service
let video: VideoResource
beforeAll(async () => {
  service = await startService(directory)
  video = await make(script)
})
afterAll(async () => {
  await service?.stop()
  remove()
})

const script = 'A film is made of many parts. Each part is kept when it is done. Nobody waits for more.'

async function make(text: string): Promise<VideoResource> {
  const body = { text, aspectRatio: '1:1', process: { render: true } }
  const { id } = await ask<VideoResource>(service.runtime, 'POST', '/videos', body)
  return until(service.runtime, id, ({ status }) => status === 'ready')
}

async function renderAgain(id: string): Promise<VideoResource> {
  await ask(service.runtime, 'POST', `/videos/${id}/render`)
  return until(service.runtime, id, ({ status }) => status === 'ready')
}

/** Waits until so many more files were counted: all but the last few, one for each thread, are stored by then. */
async function untilStored(files: number): Promise<void> {
  const counts = new Set<number>()
  while (counts.size <= files) {
    const { limits } = await ask<Account>(service.runtime, 'GET', '/')
    counts.add(limits.storage.usedBytes)
    await delay(20)
  }
}

async function spell(id: string, index: number, word: string): Promise<void> {
  const { captions } = await ask<VideoResource>(service.runtime, 'GET', `/videos/${id}?include=captions`)
  const changed = captions!.map((caption, i) => (i === index ? { ...caption, punctuated_word: word } : caption))
  await ask(service.runtime, 'PUT', `/videos/${id}/captions`, { captions: changed })
}

async function sumOfFilm({ media }: VideoResource): Promise<string> {
  const bytes = Buffer.from(await (await fetch(media.renderUrl!)).arrayBuffer())
  return createHash('sha256').update(bytes).digest('hex')
}

/** Sizes of the stored objects of a video, by the part of their name that tells the kind. */
function storedOf({ id }: VideoResource): { kind: string; bytes: number }[] {
  return globSync(`**/${id}/*/*._S3rver_object`, { cwd: directory }).map((file) => ({
    kind: file.split('/').at(-2)!,
    bytes: statSync(join(directory, file)).size,
  }))
}
const segmentsOf = (of: VideoResource) => storedOf(of).filter(({ kind }) => kind === 'segments').length

async function expectExactStorage(): Promise<void> {
  const { limits } = await ask<{ limits: { storage: { usedBytes: number } } }>(service.runtime, 'GET', '/')
  const bytes = storedOf(video).reduce((sum, object) => sum + object.bytes, 0)
  expect(limits.storage.usedBytes).toBe(bytes)
}

describe('a film', () => {
  it('tells what it was made from, what it is and how much of it was rendered', async () => {
    const { render, durationSeconds } = video
    expect(render!.inputsHash).toMatch(/^[0-9a-f]{64}$/)
    expect(render!.sha256).toBe(await sumOfFilm(video))
    expect(render!.reuse!.reused).toBe(0)
    expect(render!.reuse!.secondsRendered).toBeCloseTo(durationSeconds!, 1)
    // Its segments, its sound and its thumbnail.
    expect(segmentsOf(video)).toBe(render!.reuse!.segments + 2)
    await expectExactStorage()
  })

  it('rendered again as it is, is there at once: all of it is reused', async () => {
    const again = await renderAgain(video.id)
    const { segments } = video.render!.reuse!
    expect(again.render).toMatchObject({
      ...video.render,
      queuedAt: again.render!.queuedAt,
      startedAt: expect.any(String),
      reuse: { segments, reused: segments, secondsRendered: 0 },
    })
  })

  it('of which one word changed, renders no more than the segments that show it; what it no longer shows is given back', async () => {
    await spell(video.id, 3, 'MADE!')
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

  it('changed back, is byte for byte what it was, though it was given back and its parts come from two other films', async () => {
    const sum = await sumOfFilm(video)
    await spell(video.id, 10, 'KEPT!')
    await renderAgain(video.id)
    expect((await fetch(video.media.renderUrl!)).status).toBe(404)
    await spell(video.id, 3, 'made')
    await spell(video.id, 10, 'kept')
    const back = await renderAgain(video.id)
    const { reused, secondsRendered } = back.render!.reuse!
    expect([reused > 0, secondsRendered > 0]).toEqual([true, true])
    expect(back.render).toMatchObject({ inputsHash: video.render!.inputsHash, sha256: sum })
    expect(await sumOfFilm(back)).toBe(sum)
    await expectExactStorage()
  })

  it('that is killed in the middle goes on from the segments that were done', async () => {
    await spell(video.id, 0, 'The')
    const theme = { captionsFontSize: 60 }
    await ask(service.runtime, 'PATCH', `/videos/${video.id}/config`, theme)
    await ask(service.runtime, 'POST', `/videos/${video.id}/render`)
    await untilStored(3)
    await service.kill()
    service = await startService(directory)
    const { render } = await until(service.runtime, video.id, ({ status }) => status === 'ready')
    expect(render!.reuse!.reused).toBeGreaterThan(0)
    await expectExactStorage()
  }, 240_000)
})
