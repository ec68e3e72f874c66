/** POST /videos: what is accepted, what is filled in, what is charged and what is refused. */
import { beforeAll, describe, expect, it } from 'vitest'
import { builtInVoices, defaultVoice, languagesOf } from '../../../lib/domain/videos/voices.ts'
import { plans } from '../../../lib/domain/workspaces/plan.ts'
import { listEvents } from '../../../lib/store/event-journal.ts'
import { countObject } from '../../../lib/store/storage-usage.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { creditLedgerOf } from '../../support/credit-ledger.ts'
import { given } from '../../support/given/videos.ts'
import { expectedError } from '../../support/refusals.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

let world: World

beforeAll(async () => {
  world = await newWorld()
})

const create = (body: unknown, headers: Record<string, string> = {}, key = world.apiKey) =>
  callApi('POST', '/videos', { key, body, headers })

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

const createAs = ({ apiKey }: World, brief: object = {}) =>
  callApi('POST', '/videos', { key: apiKey, body: { prompt: 'x', ...brief } })

const accountOf = async ({ apiKey }: World) => (await callApi('GET', '/', { key: apiKey })).body.data

const refused = (code: string, action: string) =>
  expectedError(402, code, { action, message: expect.any(String), blocked: true })

describe('POST /videos', () => {
  rule('videos.create.queued', async () => {
    const queued = {
      type: 'faceless',
      status: 'processing',
      process: { status: 'QUEUED', progress: 0, startedAt: null, error: null },
      render: null,
      publish: null,
      config: {},
    }
    expect(await made({ prompt: 'An idea' })).toMatchObject({ ...queued, brief: { prompt: 'An idea' } })
    const chained = await made({ prompt: 'An idea', mood: 'energetic', process: { render: true } })
    expect(chained).toMatchObject({ ...queued, mood: 'energetic' })
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
    expect(second.brief).toEqual(read.body.data.brief)
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

  it('400: names the path and the allowed values, and stores nothing', async () => {
    const fresh = await newWorld()
    const bad: [unknown, string][] = [
      [{}, 'body.prompt'],
      [{ prompt: '   ' }, 'body.prompt'],
      [{ prompt: 5 }, 'body.prompt'],
      [{ prompt: 'x', imageStyle: 'oil' }, 'body.imageStyle'],
      [{ brief: { prompt: 'x', presenter: { occurrences: 0 } } }, 'body.brief.presenter.occurrences'],
      [{ prompt: 'x', presentationAssets: [{ type: 'image', url: 'ftp://a/b' }] }, 'body.presentationAssets.0.url'],
      [{ prompt: 'x', isAutomation: true }, 'body.isAutomation'],
      [{ prompt: 'x', voiceId: 'nobody' }, 'body.voiceId'],
      [{ prompt: 'x', voiceId: 'en-clara', voiceProvider: 'expressive' }, 'body.voiceProvider'],
      [{ prompt: 'x', type: 'video' }, 'body.type'],
      [{ prompt: 'x', inputMode: 'script' }, 'body.text'],
      [{ prompt: 'x', process: { render: 'yes' } }, 'body.process.render'],
      ['{"prompt": ', 'body'],
      ['[]', 'body'],
      ['"text"', 'body'],
      ['{"prompt": "half a character: \\ud83d"}', 'body.prompt'],
      ['{"prompt": "x", "unknown": [{"\\ude00": 1}]}', 'body.unknown.0'],
      ['null', 'body'],
    ]
    for (const [body, path] of bad) {
      const answer = await create(body, {}, fresh.apiKey)
      expect(answer.status, JSON.stringify(body)).toBe(400)
      expect(answer.body.error.code).toBe('invalid-request')
      expect(answer.body.error.details[0].path, JSON.stringify(body)).toBe(path)
    }
    const style = await create({ prompt: 'x', imageStyle: 'oil' }, {}, fresh.apiKey)
    expect(style.body.error.details[0].allowed).toEqual(['stock_footage', 'ai_image', 'mixed'])
    expect(await callApi('GET', '/videos', { key: fresh.apiKey })).toMatchObject({
      body: { data: [], paging: { total: 0 } },
    })
    expect(await listEvents(fresh.workspaceId)).toEqual([])
  })

  it('201 or 400: a body may be nested 64 levels deep, an unknown key included', async () => {
    const deep = (levels: number) => `{"prompt": "x", "unknown": ${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
    expect(await create(deep(64))).toMatchObject({ status: 201 })
    for (const levels of [65, 100_000])
      expect(await create(deep(levels))).toMatchObject({
        status: 400,
        body: { error: { details: [{ path: 'body' }] } },
      })
  })

  it('400: a value or a key of 100 KB is repeated in 200 characters at most', async () => {
    const long = 'x'.repeat(100_000)
    for (const body of [
      { prompt: 'x', type: long },
      { prompt: 'x', subType: { [long]: '\ud800' } },
    ]) {
      const { status, body: answer } = await create(JSON.stringify(body))
      expect([status, JSON.stringify(answer).length < 2_000]).toEqual([400, true])
    }
  })

  it('201: `__proto__` and whole surrogate pairs', async () => {
    const title = '{"prompt": "x", "title": "\\ud83d\\ude00"}'
    expect(await create(title)).toMatchObject({ status: 201, body: { data: { title: '😀' } } })
    expect(await create('{"prompt": "x", "__proto__": {"text": "y"}}')).toMatchObject({
      status: 201,
      body: { data: { brief: { text: null } } },
    })
  })

  it('413: a body over 256 KB is refused, one of exactly 256 KB is taken', async () => {
    const body = (bytes: number) => {
      const frame = JSON.stringify({ prompt: 'x', unknown: '' })
      return JSON.stringify({ prompt: 'x', unknown: 'a'.repeat(bytes - frame.length) })
    }
    expect(await create(body(256 * 1024 + 1))).toMatchObject({
      status: 413,
      body: { error: { code: 'payload-too-large' } },
    })
    expect(await create(body(256 * 1024))).toMatchObject({ status: 201 })
  })
})

describe('the price of a generation', () => {
  const planRefusals: [string, Record<string, number>, Record<string, unknown>][] = [
    ['warning-no-credits', { creditsBalance: 9 }, {}],
    ['warning-plan-generations', { generationsUsed: 10 }, {}],
    ['warning-plan-storage', { storageUsedBytes: 1024 ** 3 }, {}],
    ['warning-plan-duration', {}, { targetDuration: 61 }],
  ]

  rule(['videos.create.charges-credits', 'videos.create.counts-generation'], async () => {
    const world = await newWorld({ planId: 'starter' })
    await createAs(world)
    await createAs(world, { videoDuration: 'short' })
    expect(await accountOf(world)).toMatchObject({
      credits: { balance: 2_000 - 10 - 30 },
      limits: { generations: { used: 2, limit: 100 } },
    })
  })

  rule('videos.create.no-credits', async () => {
    const world = await newWorld({ planId: 'starter' })
    for (let made = 0; made < 66; made++) await createAs(world, { videoDuration: 'short' })
    expect((await accountOf(world)).credits.balance).toBe(20)
    expect(await createAs(world, { videoDuration: 'short' })).toMatchObject(refused('warning-no-credits', 'credits'))
    expect(await createAs(world)).toMatchObject({ status: 201 })
  })

  rule('videos.create.plan-generations', async () => {
    const world = await newWorld({ planId: 'free' })
    for (let made = 0; made < 10; made++) expect(await createAs(world)).toMatchObject({ status: 201 })
    expect(await createAs(world)).toMatchObject(refused('warning-plan-generations', 'upgrade'))
    expect(await accountOf(world)).toMatchObject({
      credits: { balance: 100 },
      limits: { generations: { used: 10, limit: 10 } },
    })
  })

  rule('videos.create.plan-storage', async () => {
    const world = await newWorld({ planId: 'free' })
    const { id } = (await createAs(world)).body.data
    const workspace = await getWorkspace(world.workspaceId)
    await countObject({ workspace, videoId: id }, 'sources/large.mp4', plans.free.storageBytesMax!)
    expect(await createAs(world)).toMatchObject(refused('warning-plan-storage', 'upgrade'))
  })

  rule('videos.create.plan-duration', async () => {
    const world = await newWorld({ planId: 'free' })
    expect(await createAs(world, { videoDuration: 'short' })).toMatchObject(refused('warning-plan-duration', 'upgrade'))
    expect(await createAs(world, { targetDuration: 61 })).toMatchObject(refused('warning-plan-duration', 'upgrade'))
    expect(await createAs(world, { targetDuration: 60 })).toMatchObject({ status: 201 })
  })

  it.each(planRefusals)('402: %s names the remedy; nothing is stored or charged', async (code, fields, brief) => {
    const world = await newWorld({ planId: 'free' })
    if (Object.keys(fields).length > 0) await given.workspaceWith(world, fields)
    const before = await accountOf(world)
    const answer = await callApi('POST', '/videos', { key: world.apiKey, body: { prompt: 'An idea', ...brief } })
    const action = code === 'warning-no-credits' ? 'credits' : 'upgrade'
    expect(answer).toMatchObject({ status: 402, body: { error: { code, action, blocked: true } } })
    expect(await accountOf(world)).toEqual(before)
    expect(await creditLedgerOf(world.workspaceId)).toEqual([])
  })
})

describe('the texts of a brief', () => {
  const longest: [string, number][] = [
    ['prompt', 4_000],
    ['text', 12_000],
    ['title', 200],
    ['description', 2_000],
  ]

  it.each(longest)('201 or 400: %s has at most %i characters', async (name, length) => {
    const body = (count: number) => ({ prompt: 'x', [name]: 'a'.repeat(count) })
    expect(await create(body(length))).toMatchObject({ status: 201 })
    const refused = await create(body(length + 1))
    expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ path: `body.${name}` }] } } })
  })

  it('201 or 400: counts characters, not UTF-16 units', async () => {
    expect(await create({ prompt: 'x', title: '😀'.repeat(200) })).toMatchObject({ status: 201 })
    expect(await create({ prompt: 'x', title: '😀'.repeat(201) })).toMatchObject({ status: 400 })
  })

  it('400: a text that no voice speaks within the duration is refused before it is paid, naming the field', async () => {
    const text = 'Bread needs time. '.repeat(234)
    const refused = await create({ text })
    expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ path: 'body.videoDuration' }] } } })
    expect(refused.body.error.message).toContain('60 seconds, but the text takes about 270 seconds')
    expect(await create({ text, targetDuration: 30 })).toMatchObject({
      body: { error: { details: [{ path: 'body.targetDuration' }] } },
    })
    expect(await create({ text, videoDuration: 'medium' })).toMatchObject({ status: 201 })
  })

  it('201: a URL is stored in its normal form', async () => {
    const characterImageUrl = 'HTTPS://ä.Example/ü x.png'.replace(' ', '%20')
    const { body } = await create({ prompt: 'x', characterImageUrl })
    expect(body.data.brief.characterImageUrl).toBe('https://xn--4ca.example/%C3%BC%20x.png')
  })

  it('201: a title of 200 emoji, and the largest brief with a key', async () => {
    const url = `https://a.test/${'a'.repeat(2_030)}`
    const assets = Array.from({ length: 50 }, () => ({ type: 'image', url, description: '😀'.repeat(400) }))
    const text = `a ${'😀'.repeat(11_998)}`
    const answer = await create(
      { title: '😀'.repeat(200), text, presentationAssets: assets },
      { 'Idempotency-Key': 'largest' },
    )
    expect(answer).toMatchObject({ status: 201 })
  })
})
