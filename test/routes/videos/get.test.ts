/** GET /videos/{id}. */
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

const heavy = ['captions', 'captionsPages', 'bRolls', 'presentationScenes', 'scenes']

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
