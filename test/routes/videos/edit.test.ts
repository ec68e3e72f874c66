/** GET and PATCH /videos/{id}. */
import { beforeAll, describe, expect } from 'vitest'
import { given } from '../../support/given/videos.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})
const send = (method: string, path: string, body?: unknown) => callApi(method, path, { key: world.apiKey, body })
const newVideo = async (brief: object = {}) => (await send('POST', '/videos', { prompt: 'x', ...brief })).body.data
const edit = (id: string, body: unknown) => send('PATCH', `/videos/${id}`, body)

describe('GET /videos/{id}', () => {
  rule('videos.get.shape', async () => {
    const { id } = await newVideo()
    const { body } = await send('GET', `/videos/${id}`)
    const media = ['sourceUrl', 'audioUrl', 'captionsUrl', 'thumbnailUrl', 'renderUrl', 'bytes']
    expect(Object.keys(body.data.media).toSorted()).toEqual(media.toSorted())
    expect(body.data).toMatchObject({ id, brief: { prompt: 'x' }, config: {}, process: { status: 'QUEUED' } })
    expect(body.data).toMatchObject({ render: null, publish: null, isClip: false, parentVideoId: null })
    for (const name of heavy) expect(body.data).not.toHaveProperty(name)
  })

  rule('videos.get.include', async () => {
    const word = { id: 'cap_1', startMs: 0, endMs: 300, text: 'Hi', punctuated_word: 'Hi.', confidence: 1 }
    const { id } = await given.generatedVideo(world, { captions: [word] })
    const { data } = (await send('GET', `/videos/${id}?include=captions,bRolls`)).body
    expect(data).toMatchObject({ captions: [word], bRolls: [] })
    for (const name of ['captionsPages', 'presentationScenes', 'scenes']) expect(data).not.toHaveProperty(name)
    expect((await send('GET', `/videos/${id}?include=${heavy.join(',')}`)).body.data).toMatchObject(
      Object.fromEntries(heavy.map((name) => [name, expect.any(Array)])),
    )
  })

  rule('videos.get.unknown-include', async () => {
    const { id } = await newVideo()
    const answer = await send('GET', `/videos/${id}?include=secrets,captions,,CAPTIONS,__proto__`)
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.body.data)).not.toContain('secrets')
    expect(answer.body.data.captions).toEqual([])
  })
})

const heavy = ['captions', 'captionsPages', 'bRolls', 'presentationScenes', 'scenes']

/** Every field that can be edited, with a value that it did not have. */
const edits = {
  title: 'Another',
  aspectRatio: '1:1',
  showSubtitles: false,
  description: 'Posted with it',
  descriptionPrompt: 'Be warm',
  scriptPrompt: 'Be brief',
  prompt: 'Another idea',
  subType: 'generic',
  targetDuration: 45,
  characterImageUrl: 'https://example.com/a.png',
  characterDescription: 'A cat',
  voiceId: 'en-miles',
  voiceProvider: 'standard',
  videoDuration: 'short',
  imageStyle: 'ai_image',
  connectedBRolls: true,
  presentationTone: 'dry',
  presenter: { name: 'Ann' },
}

describe('PATCH /videos/{id}', () => {
  rule('videos.edit.flat-or-nested', async () => {
    const { id, brief } = await newVideo()
    const flat = await edit(id, { title: 'Flat', imageStyle: 'ai_image' })
    expect(flat).toMatchObject({
      status: 200,
      body: { data: { id, title: 'Flat', brief: { ...brief, imageStyle: 'ai_image' } } },
    })
    const nested = await edit(id, { brief: { aspectRatio: '4:5' } })
    expect(nested.body.data.brief).toEqual({ ...brief, imageStyle: 'ai_image', aspectRatio: '4:5' })
    expect((await send('GET', `/videos/${id}`)).body).toEqual(nested.body)
  })

  rule('videos.edit.editable-fields', async () => {
    for (const [name, value] of Object.entries(edits)) {
      const { id } = await newVideo()
      const { status, body } = await edit(id, { [name]: value })
      expect(status, name).toBe(200)
      expect({ ...body.data.brief, ...body.data }, name).toMatchObject({ [name]: value })
    }
    const { id } = await newVideo()
    const { title, subType, ...brief } = edits
    expect((await edit(id, edits)).body.data).toMatchObject({ title, subType, brief })
  })

  rule('videos.edit.other-field', async () => {
    const { id, updatedAt, brief } = await newVideo()
    const others = Object.keys(brief).filter((name) => !(name in edits))
    expect(others.toSorted()).toEqual(['customStyleText', 'inputMode', 'language', 'presentationAssets', 'text'])
    for (const name of [...others, 'type', 'mood', 'isAutomation', 'weather']) {
      const answer = await edit(id, { title: 'x', [name]: brief[name] ?? 'x' })
      expect(answer, name).toMatchObject({ status: 400, body: { error: { details: [{ path: `body.${name}` }] } } })
      expect(answer.body.error.message).toContain(name)
    }
    expect((await send('GET', `/videos/${id}`)).body.data.updatedAt).toBe(updatedAt)
  })

  rule('videos.edit.no-field', async () => {
    const { id } = await newVideo()
    for (const body of [{}, { brief: {} }, undefined]) expect((await edit(id, body)).status).toBe(400)
  })

  rule('videos.edit.nothing-requeued', async () => {
    const { id } = await given.generatedVideo(world)
    const before = (await send('GET', `/videos/${id}`)).body.data
    const after = (await edit(id, { prompt: 'Another', videoDuration: 'short', scriptPrompt: 'Be brief' })).body.data
    expect([after.process, after.render, after.status]).toEqual([before.process, null, 'draft'])
  })
})
