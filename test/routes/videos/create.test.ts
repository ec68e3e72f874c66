/** POST /videos: what is taken, what is filled in, what is refused. Money is in `credits.test.ts`. */
import { beforeAll, describe, expect } from 'vitest'
import { builtInVoices, defaultVoice, languagesOf } from '../../../lib/domain/videos/voices.ts'
import { given } from '../../support/given/videos.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})
const create = (body: unknown) => callApi('POST', '/videos', { key: world.apiKey, body })
const made = async (body: unknown) => {
  const answer = await create(body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.data
}
const get = async (id: string) => (await callApi('GET', `/videos/${id}`, { key: world.apiKey })).body.data
const refusedPaths = async (body: unknown) => {
  const answer = await create(body)
  expect(answer, JSON.stringify(body)).toMatchObject({ status: 400, body: { error: { code: 'invalid-request' } } })
  return answer.body.error.details.map(({ path }: { path: string }) => path)
}

describe('POST /videos', () => {
  rule('videos.create.queued', async () => {
    expect(await made({ prompt: 'x' })).toMatchObject({
      process: { status: 'QUEUED', progress: 0, startedAt: null, error: null },
      render: null,
      publish: null,
      config: {},
    })
  })

  rule('videos.create.flat-or-nested', async () => {
    const fields = { type: 'ai', prompt: 'x', aspectRatio: '1:1', process: { render: true } }
    const [flat, nested] = [await made(fields), await made({ brief: fields })]
    expect([nested.type, nested.brief]).toEqual([flat.type, flat.brief])
    const mixed = await made({ aspectRatio: '16:9', brief: { prompt: 'x', language: 'de' } })
    expect(mixed.brief).toMatchObject({ aspectRatio: '16:9', language: 'de' })
  })

  rule('videos.create.nested-wins', async () => {
    const { brief } = await made({
      prompt: 'flat',
      imageStyle: 'mixed',
      brief: { prompt: 'nested', imageStyle: 'ai_image' },
    })
    expect(brief).toMatchObject({ prompt: 'nested', imageStyle: 'ai_image' })
  })

  rule('videos.create.post-back', async () => {
    const wish = { title: 'Mine', mood: 'inspiring', presenter: { name: 'Ann', occurrences: 2 } }
    const first = await given.generatedVideo(world, { brief: wish })
    const read = await callApi('GET', `/videos/${first.id}?include=captions,bRolls`, { key: world.apiKey })
    const second = await made(read.body.data)
    expect(second).toMatchObject({ title: 'Mine', mood: 'inspiring', brief: first.brief })
    expect(second).toMatchObject({ process: { status: 'QUEUED' }, render: null })
    expect(second.id).not.toBe(first.id)
    const [item] = (await callApi('GET', '/videos?limit=1', { key: world.apiKey })).body.data
    expect((await made(item)).brief.prompt).toBe('An idea')
  })

  rule('videos.create.sample-fields', async () => {
    const fields = {
      type: 'faceless',
      subType: 'presentation',
      prompt: 'x',
      videoDuration: 'short',
      aspectRatio: '9:16',
      inputMode: 'idea',
      language: 'en',
      imageStyle: 'stock_footage',
      voiceId: 'en-clara',
      voiceProvider: 'standard',
      mood: 'energetic',
      showSubtitles: false,
    }
    const { type, subType, mood, brief } = await made({
      ...fields,
      process: { transcribe: false, addBRolls: true, render: false },
    })
    expect({ type, subType, mood, ...brief }).toMatchObject(fields)
  })

  rule('videos.create.unknown-keys-ignored', async () => {
    const body = { prompt: 'x', colour: 'red', id: 'vid_mine', media: { bytes: 'many' }, brief: { weather: 5 } }
    const video = await made({ ...body, presenter: { shoes: 2 }, process: { fast: 'yes' } })
    expect(video).toMatchObject({ brief: (await made({ prompt: 'x', presenter: {} })).brief, config: {} })
    expect(video.id).not.toBe('vid_mine')
  })

  rule('videos.create.malformed-value', async () => {
    const malformed: [object, string][] = [
      [{ prompt: 5 }, 'body.prompt'],
      [{ showSubtitles: 'yes' }, 'body.showSubtitles'],
      [{ targetDuration: '30' }, 'body.targetDuration'],
      [{ characterImageUrl: 'ftp://a.test/b' }, 'body.characterImageUrl'],
      [{ process: { render: 'yes' } }, 'body.process.render'],
      [{ brief: { presenter: { occurrences: 0 } } }, 'body.brief.presenter.occurrences'],
      [{ presentationAssets: [{ type: 'image' }] }, 'body.presentationAssets.0.url'],
    ]
    for (const [body, path] of malformed) expect(await refusedPaths({ prompt: 'x', ...body })).toEqual([path])
  })

  rule('videos.create.is-automation', async () => {
    expect(await refusedPaths({ prompt: 'x', isAutomation: true })).toEqual(['body.isAutomation'])
    expect((await made({ prompt: 'x', isAutomation: false })).isAutomation).toBe(false)
  })

  rule('videos.create.prompt-or-text', async () => {
    for (const body of [{}, { prompt: '' }, { text: ' \n' }, { brief: {} }, { prompt: null, text: null }])
      expect(await refusedPaths(body)).toEqual(['body.prompt'])
    expect((await made({ text: 'A script.' })).brief).toMatchObject({ prompt: null, text: 'A script.' })
    expect((await made({ prompt: 'An idea' })).brief).toMatchObject({ prompt: 'An idea', text: null })
  })

  rule('videos.create.defaults', async () => {
    const video = await made({ prompt: 'x' })
    const brief = {
      inputMode: 'auto',
      videoDuration: 'subminute',
      aspectRatio: '9:16',
      language: 'en',
      imageStyle: 'mixed',
    }
    const voice = { voiceId: 'en-clara', voiceProvider: 'standard' }
    expect(video).toMatchObject({ type: 'faceless', subType: null, brief: { ...brief, ...voice, showSubtitles: true } })
    for (const language of languagesOf(builtInVoices)) {
      const first = defaultVoice(builtInVoices, language)
      expect((await made({ prompt: 'x', language })).brief.voiceId).toBe(first?.id)
    }
  })

  rule('videos.create.voice-provider', async () => {
    expect((await made({ prompt: 'x', voiceId: 'de-jonas' })).brief).toMatchObject({ voiceProvider: 'standard' })
    expect(await refusedPaths({ prompt: 'x', voiceId: 'nobody' })).toContain('body.voiceId')
    expect(await refusedPaths({ prompt: 'x', voiceId: 'en-clara', voiceProvider: 'expressive' })).toEqual([
      'body.voiceProvider',
    ])
  })

  rule('videos.create.value-lists', async () => {
    const lists: [string, string[]][] = [
      ['inputMode', ['auto', 'idea', 'script']],
      ['videoDuration', ['subminute', 'short', 'medium']],
      ['imageStyle', ['stock_footage', 'ai_image', 'mixed']],
      ['aspectRatio', ['9:16', '16:9', '1:1', '4:5']],
    ]
    for (const [name, values] of lists) {
      for (const value of values)
        expect((await made({ prompt: 'x', text: 'x', [name]: value })).brief[name]).toBe(value)
      const answer = await create({ prompt: 'x', [name]: 'other' })
      expect(answer.body.error.details).toMatchObject([{ path: `body.${name}`, allowed: values }])
    }
    for (const placement of ['first', 'last', 'random', 'all'])
      expect((await made({ prompt: 'x', presenter: { placement } })).brief.presenter).toEqual({ placement })
    expect(await refusedPaths({ prompt: 'x', presenter: { placement: 'middle' } })).toEqual([
      'body.presenter.placement',
    ])
  })

  rule('videos.create.open-names', async () => {
    for (const name of ['subType', 'mood', 'presentationMood', 'presentationTone']) {
      for (const value of ['never_seen-before', 'a'.repeat(40)]) {
        const { brief, ...video } = await made({ prompt: 'x', [name]: value })
        expect({ ...brief, ...video }).toMatchObject({ [name]: value })
      }
      for (const value of ['', 'a b', 'é', 'a'.repeat(41)])
        expect(await refusedPaths({ prompt: 'x', [name]: value })).toEqual([`body.${name}`])
    }
  })

  rule('videos.create.chained-render', async () => {
    const [chained, plain] = [
      await given.generatedVideo(world, { brief: { process: { render: true } } }),
      await given.generatedVideo(world),
    ]
    const done = { process: { status: 'COMPLETED', progress: 100 } }
    expect(await get(chained.id)).toMatchObject({ ...done, render: { status: 'QUEUED' } })
    expect(await get(plain.id)).toMatchObject({ ...done, render: null })
  })

  rule('videos.create.idempotent', async () => {
    const headers = { 'Idempotency-Key': 'videos.create' }
    const send = () => callApi('POST', '/videos', { key: world.apiKey, headers, body: { prompt: 'x' } })
    const [first, again] = [await send(), await send()]
    expect(again.body).toEqual(first.body)
  })
})
