/** Clips, variations, requeues and new scripts of one video, on a service whose pipelines run. */
import { globSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import type { VideoResource } from '../../lib/contract/resources/index.ts'
import { type ApiCredentials, callApiOf, waitForVideo } from './service-process.ts'
import { newApiClient, serviceDirectory } from './shared-service.ts'

let client: ApiCredentials
let source: VideoResource

const send = <Data = VideoResource>(method: string, path: string, body?: unknown) =>
  callApiOf<Data>(client, method, path, body)
const generated = (id: string) => waitForVideo(client, id, ({ process }) => process?.status === 'COMPLETED')
const whole = (id: string) => send('GET', `/videos/${id}?include=captions,captionsPages,bRolls`)
const spoken = ({ captions }: VideoResource) => captions!.map(({ punctuated_word }) => punctuated_word).join(' ')
const requeued = async (id: string, body: object) => {
  await send('POST', `/videos/${id}/process`, body)
  await generated(id)
  return whole(id)
}
/** Objects of a kind that are stored for a video. */
const objectsOf = (videoId: string, kind: string) =>
  globSync(`s3/**/${videoId}/${kind}/*_S3rver_object`, { cwd: serviceDirectory }).toSorted()

beforeAll(async () => {
  client = await newApiClient()
  const { id } = await send('POST', '/videos', {
    prompt: 'How to sleep better',
    targetDuration: 8,
    imageStyle: 'ai_image',
    aspectRatio: '1:1',
  })
  await generated(id)
  source = await whole(id)
})

describe('a requeue', () => {
  it('keeps an edited b-roll timeline, and makes only the missing media', async () => {
    const [first, ...rest] = source.bRolls!
    const half = Math.round((first!.startMs + first!.endMs) / 2)
    const edited = [
      { ...first!, endMs: half, prompt: 'A lighthouse in the fog' },
      { id: 'brl_mine', startMs: half, endMs: first!.endMs, text: '', prompt: 'A harbour', mediaType: 'ai_image' },
      ...rest,
    ]
    const put = await send<VideoResource['bRolls']>('PUT', `/videos/${source.id}/brolls`, edited)
    expect(put![1]!.url).toBeNull()
    const [pictures, sounds] = [objectsOf(source.id, 'visuals'), objectsOf(source.id, 'narrations')]
    const after = await requeued(source.id, { transcribe: false })
    expect(after.bRolls!.map(({ url: _url, type: _type, ...segment }) => segment)).toEqual(
      put!.map(({ url: _url, type: _type, ...segment }) => segment),
    )
    expect(after.bRolls!.slice(2)).toEqual(rest)
    const [one, two] = after.bRolls!.map(({ url }) => url)
    expect(one).not.toBe(first!.url)
    expect(two).toMatch(/^http/)
    expect(objectsOf(source.id, 'visuals')).toHaveLength(pictures.length + 2)
    expect(objectsOf(source.id, 'narrations')).toEqual(sounds)
    expect([after.captions, after.media.captionsUrl]).toEqual([source.captions, source.media.captionsUrl])
    source = after
  })

  it('without addBRolls keeps every b-roll, and with transcribe remakes the captions', async () => {
    await send('PUT', `/videos/${source.id}/captions`, { captions: [], captionsPages: [] })
    const after = await requeued(source.id, { addBRolls: false })
    expect(after.bRolls).toEqual(source.bRolls)
    expect(spoken(after)).toBe(spoken(source))
    source = after
  })
})

describe('a clip', () => {
  it('shows and speaks the same as its source: only the render is new', async () => {
    const { id } = await send('POST', `/videos/${source.id}/clips`, { render: true })
    const { media, durationSeconds } = await waitForVideo(client, id, ({ status }) => status === 'ready')
    expect([media.audioUrl, durationSeconds]).toEqual([source.media.audioUrl, source.durationSeconds])
    expect((await fetch(media.renderUrl!)).status).toBe(200)
    for (const kind of ['narrations', 'visuals', 'scripts', 'timelines']) expect(objectsOf(id, kind)).toEqual([])
  })

  it('that is generated again after an edit makes only the new picture', async () => {
    const { id } = await send('POST', `/videos/${source.id}/clips`)
    await generated(id)
    const [first, ...rest] = (await whole(id)).bRolls!
    await send('PUT', `/videos/${id}/brolls`, [{ ...first, prompt: 'A lantern' }, ...rest])
    const after = await requeued(id, {})
    expect(after.bRolls!.slice(1)).toEqual(rest)
    expect(after.media.audioUrl).toBe(source.media.audioUrl)
    expect(objectsOf(id, 'visuals')).toHaveLength(1)
    expect(objectsOf(id, 'narrations')).toEqual([])
    expect((await whole(source.id)).bRolls).toEqual(source.bRolls)
  })

  it('that is a variation has its own script, sound and pictures', async () => {
    const make = async () => {
      const { id } = await send('POST', `/videos/${source.id}/clips`, { regenerate: true })
      await generated(id)
      return whole(id)
    }
    const variations = await Promise.all([make(), make()])
    expect(new Set([source, ...variations].map(spoken)).size).toBe(3)
    for (const { id } of variations) expect(objectsOf(id, 'narrations').length).toBeGreaterThan(0)
  })
})

describe('a new script', () => {
  it('is stored in the brief, and spoken by the next generation', async () => {
    await send('POST', `/videos/${source.id}/script`, { prompt: 'Start with "Good night."' })
    await generated(source.id)
    const { brief, media } = await send('GET', `/videos/${source.id}`)
    expect(brief.text).toMatch(/^Good night\./)
    expect(media).toEqual(source.media)
    const after = await requeued(source.id, {})
    expect(spoken(after)).toBe(brief.text)
    expect(after.bRolls!.map(({ id }) => id)).not.toContain('brl_mine')
  })
})
