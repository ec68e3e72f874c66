import { beforeAll, describe, expect, it } from 'vitest'
import { editorDefaults } from '../../lib/domain/records/theme.ts'
import { callApi, newWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const newVideo = async () => {
  const { body } = await callApi('POST', '/videos', {
    key: world.apiKey,
    body: { prompt: 'An idea', description: 'Old' },
  })
  return body.data
}
const send = (method: string, path: string, body?: unknown) => callApi(method, path, { key: world.apiKey, body })

describe('PATCH /videos/{id}', () => {
  it('200: changes what is given, flat or nested, keeps the rest and requeues nothing', async () => {
    const video = await newVideo()
    const flat = await send('PATCH', `/videos/${video.id}`, { title: 'New', description: null, subType: 'generic' })
    expect(flat).toMatchObject({ status: 200, body: { data: { title: 'New', subType: 'generic' } } })
    const nested = await send('PATCH', `/videos/${video.id}`, {
      imageStyle: 'mixed',
      brief: { imageStyle: 'ai_image' },
    })
    expect(nested.body.data.brief).toEqual({ ...video.brief, description: null, imageStyle: 'ai_image' })
    expect(nested.body.data.process).toEqual(video.process)
    expect(Date.parse(nested.body.data.updatedAt)).toBeGreaterThan(Date.parse(video.updatedAt))
  })

  it('400: names a field that cannot be edited, a wrong value and an edit of nothing, and changes nothing', async () => {
    const video = await newVideo()
    const bad: [unknown, string][] = [
      [{ text: 'x' }, 'body.text'],
      [{ title: 'x', brief: { language: 'fr' } }, 'body.brief.language'],
      [{ type: 'ai' }, 'body.type'],
      [{ title: ' ' }, 'body.title'],
      [{ title: null }, 'body.title'],
      [{ aspectRatio: '2:1' }, 'body.aspectRatio'],
      [{ voiceId: 'nobody' }, 'body.voiceId'],
      [{ voiceProvider: 'expressive' }, 'body.voiceProvider'],
      [{ targetDuration: 601 }, 'body.targetDuration'],
      [{ presenter: { occurrences: 0 } }, 'body.presenter.occurrences'],
      [{}, 'body'],
      [{ brief: {} }, 'body'],
    ]
    for (const [body, path] of bad) {
      const answer = await send('PATCH', `/videos/${video.id}`, body)
      expect(answer.status, JSON.stringify(body)).toBe(400)
      expect(answer.body.error.details[0].path, JSON.stringify(answer.body)).toBe(path)
    }
    expect((await send('GET', `/videos/${video.id}`)).body.data.updatedAt).toBe(video.updatedAt)
  })

  it('200: another voice brings its provider', async () => {
    const video = await newVideo()
    const { body } = await send('PATCH', `/videos/${video.id}`, { voiceId: 'en-miles' })
    expect(body.data.brief).toMatchObject({ voiceId: 'en-miles', voiceProvider: 'standard' })
  })
})

describe('the theme config', () => {
  it('begins empty, merges key by key, drops what it does not know, and is reset to the editor defaults', async () => {
    const { id } = await newVideo()
    const path = `/videos/${id}/config`
    expect((await send('GET', path)).body).toEqual({ data: {} })
    const first = await send('PATCH', path, { captionsFontSize: 64, wallpaper: 'blue' })
    expect(first).toMatchObject({ status: 200, body: { data: { captionsFontSize: 64 } } })
    const second = await send('PATCH', path, { config: { captionsWordEffects: '' } })
    expect(second.body.data).toEqual({ captionsFontSize: 64, captionsWordEffects: '' })
    expect((await send('GET', `/videos/${id}`)).body.data.config).toEqual(second.body.data)
    expect((await send('DELETE', path)).body).toEqual({ data: editorDefaults })
  })

  it('400 at one over each end of a range, outside an enum, and without a known key', async () => {
    const { id } = await newVideo()
    const status = async (body: unknown) => (await send('PATCH', `/videos/${id}/config`, body)).status
    const ranges: [string, number, number][] = [
      ['captionsFontSize', 12, 200],
      ['captionsVerticalPosition', 0, 100],
      ['captionsTextStroke', 0, 40],
      ['captionsActiveWordStroke', 0, 40],
      ['captionsLetterSpacing', -20, 50],
    ]
    for (const [key, from, to] of ranges) {
      for (const value of [from, to]) expect(await status({ [key]: value }), `${key} ${value}`).toBe(200)
      for (const value of [from - 1, to + 1]) expect(await status({ [key]: value }), `${key} ${value}`).toBe(400)
    }
    for (const body of [
      {},
      { wallpaper: 'blue' },
      { config: {} },
      { captionsAnimation: 'spin' },
      { captionsPrimaryColor: 'blurple' },
    ])
      expect(await status(body), JSON.stringify(body)).toBe(400)
  })
})
