/** Captions, b-rolls and presentation scenes: replaced as a whole, carried over by id, cut anew. */
import { beforeAll, describe, expect } from 'vitest'
import { given, sampleScript, timedCaptions } from '../../support/given/videos.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

let world: World
beforeAll(async () => {
  world = await newWorld({ planId: 'starter' })
})
const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  callApi(method, path, { key: world.apiKey, body, headers })
const read = async (id: string, include: string) => (await send('GET', `/videos/${id}?include=${include}`)).body.data
const creditsUsed = async () => (await send('GET', '/')).body.data.credits.used
const refusal = (status: number, code: string) => ({ status, body: { error: { code } } })
const minted = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_\\w+$`))
const many = (length: number) =>
  Array.from({ length }, (_, index) => ({ startMs: index, endMs: index + 1, text: 'word' }))

const captions = timedCaptions(sampleScript)
const [word] = captions
const emoji = { name: 'sun' }
const audioEffect = { name: 'pop' }
const page = { id: 'pag_a', startMs: 0, endMs: 600, hidden: false }
const captioned = () => given.generatedVideo(world, { captions, captionsPages: [{ ...page, emoji, audioEffect }] })

describe('PUT /videos/{id}/captions', () => {
  rule(['captions.replace.halves', 'captions.replace.wholesale', 'captions.replace.answer'], async () => {
    const { id } = await captioned()
    const pages = [{ ...page, emoji, audioEffect }]
    const put = async (body: unknown) => (await send('PUT', `/videos/${id}/captions`, body)).body
    expect(await put({ captions: [word] })).toEqual({ data: { captions: [word], captionsPages: pages } })
    expect(await put({ captionsPages: [] })).toEqual({ data: { captions: [word], captionsPages: [] } })
    const both = { captions, captionsPages: [page] }
    expect(await put(both)).toEqual({ data: both })
    expect(await read(id, 'captions,captionsPages')).toMatchObject(both)
    expect(await put({})).toMatchObject({ error: { code: 'invalid-request' } })
  })

  rule(['captions.replace.page-layered', 'captions.replace.read-only'], async () => {
    const { id } = await captioned()
    const sent = { ...page, startMs: 100, hidden: true, emoji: { name: 'mine' }, audioEffect: { name: 'mine' } }
    const { body } = await send('PUT', `/videos/${id}/captions`, { captionsPages: [sent] })
    expect(body.data.captionsPages).toEqual([{ ...sent, emoji, audioEffect }])
    expect((await read(id, 'captionsPages')).captionsPages).toEqual(body.data.captionsPages)
  })

  rule(['captions.replace.new-page', 'captions.replace.minted-ids'], async () => {
    const { id } = await captioned()
    const { id: _id, ...nameless } = word!
    const { body } = await send('PUT', `/videos/${id}/captions`, {
      captions: [{ ...word, id: 'mine' }, nameless],
      captionsPages: [
        { ...page, id: 'mine', emoji },
        { startMs: 1, endMs: 2, hidden: true },
      ],
    })
    expect(body.data).toEqual({
      captions: [
        { ...word, id: 'mine' },
        { ...word, id: minted('cap') },
      ],
      captionsPages: [
        { ...page, id: 'mine' },
        { id: minted('pag'), startMs: 1, endMs: 2, hidden: true },
      ],
    })
  })

  rule(['captions.replace.words-max', 'limits.caption-words'], async () => {
    const { id } = await captioned()
    const status = async (count: number) =>
      (await send('PUT', `/videos/${id}/captions`, { captions: many(count) })).status
    expect([await status(5_999), await status(6_000), await status(6_001)]).toEqual([200, 200, 400])
  })

  rule(['captions.replace.pages-max', 'limits.caption-pages'], async () => {
    const { id } = await captioned()
    const status = async (count: number) =>
      (await send('PUT', `/videos/${id}/captions`, { captionsPages: many(count) })).status
    expect([await status(1_999), await status(2_000), await status(2_001)]).toEqual([200, 200, 400])
  })

  rule('captions.replace.end-after-start', async () => {
    const { id } = await captioned()
    const status = async (half: string, endMs: number) => {
      const item = { startMs: 10, endMs, text: 'x' }
      return (await send('PUT', `/videos/${id}/captions`, { [half]: [item] })).status
    }
    for (const half of ['captions', 'captionsPages'])
      expect([await status(half, 9), await status(half, 10), await status(half, 11)]).toEqual([400, 200, 200])
  })
})

const segment = {
  ...{ id: 'brl_a', startMs: 0, endMs: 2_000, text: 'Calm', prompt: 'A calm morning', keywords: ['calm'] },
  ...{
    mediaType: 'ai_image' as const,
    hidden: true,
    scale: 1.2,
    layout: 'full',
    animation: 'zoom',
    transition: 'fade',
  },
  ...{ qualityUrls: { low: 'https://example.com/low.png' }, audioEffect },
}
const illustrated = () =>
  given.generatedVideo(world, { bRolls: [{ ...segment, media: { kind: 'still', key: 'a.png' } }] })
const shown = { ...segment, url: expect.stringMatching(/a\.png$/), type: 'image' }

describe('PUT /videos/{id}/brolls', () => {
  rule(['brolls.replace.bare-or-wrapped', 'brolls.replace.answer'], async () => {
    const { id } = await illustrated()
    const put = async (body: unknown) => (await send('PUT', `/videos/${id}/brolls`, body)).body
    expect(await put([{ ...segment, text: 'Bare' }])).toEqual({ data: [{ ...shown, text: 'Bare' }] })
    expect(await put({ bRolls: [{ ...segment, text: 'Wrapped' }] })).toEqual({ data: [{ ...shown, text: 'Wrapped' }] })
    expect((await read(id, 'bRolls')).bRolls).toEqual([{ ...shown, text: 'Wrapped' }])
    expect(await put([])).toEqual({ data: [] })
  })

  rule(['brolls.replace.accepted-fields', 'brolls.replace.carried-over'], async () => {
    const { id } = await illustrated()
    const { body } = await send('PUT', `/videos/${id}/brolls`, [
      {
        ...{
          id: 'brl_a',
          startMs: 1,
          endMs: 3,
          text: 'New',
          prompt: 'Newer',
          keywords: ['new'],
          mediaType: 'ai_video',
        },
        ...{ url: 'https://example.com/x.png', type: 'video', qualityUrls: {}, animation: 'x', transition: 'x' },
        ...{ layout: 'x', scale: 9, hidden: false, audioEffect: {}, presenter: { name: 'x' }, colour: 'red' },
      },
    ])
    const written = { startMs: 1, endMs: 3, text: 'New', prompt: 'Newer', keywords: ['new'], mediaType: 'ai_video' }
    expect(body.data).toEqual([{ ...shown, ...written }])
  })

  rule(['brolls.replace.segments-max', 'limits.broll-segments'], async () => {
    const { id } = await illustrated()
    const status = async (count: number) => (await send('PUT', `/videos/${id}/brolls`, many(count))).status
    expect([await status(499), await status(500), await status(501)]).toEqual([200, 200, 400])
  })

  rule('brolls.replace.new-segment', async () => {
    const { id } = await illustrated()
    const sent = [
      { ...segment, id: 'brl_unknown' },
      { startMs: 5, endMs: 6 },
    ]
    const { body } = await send('PUT', `/videos/${id}/brolls`, sent)
    expect(body.data).toMatchObject([
      { id: 'brl_unknown', url: null, type: null, hidden: false, text: 'Calm' },
      { id: minted('brl'), url: null, type: null, hidden: false },
    ])
    expect(body.data[0]).not.toHaveProperty('scale')
  })

  rule('brolls.replace.not-fetched', async () => {
    const { id, process } = await illustrated()
    await send('PUT', `/videos/${id}/brolls`, [{ ...segment, id: 'brl_new' }])
    const after = await read(id, 'bRolls')
    expect(after).toMatchObject({
      process: { status: 'COMPLETED', queuedAt: process!.queuedAt },
      bRolls: [{ url: null }],
    })
  })

  rule('brolls.replace.media-types', async () => {
    const { id } = await illustrated()
    const status = async (mediaType: string) =>
      (await send('PUT', `/videos/${id}/brolls`, [{ startMs: 0, endMs: 1, mediaType }])).status
    for (const mediaType of ['ai_image', 'stock_footage', 'ai_video']) expect(await status(mediaType)).toBe(200)
    for (const mediaType of ['', 'image', 'AI_IMAGE']) expect(await status(mediaType), mediaType).toBe(400)
  })
})

const scene = {
  ...{ id: 'psc_a', startMs: 0, endMs: 1_000, text: 'Calm mornings', emphasis: 'Calm', template: 'heroTitle' as const },
  ...{
    tone: 'light' as const,
    caption: 'show' as const,
    hidden: false,
    visual: { type: 'none', items: 0, anchors: [] },
  },
  ...{ content: {}, params: {}, direction: {}, composed: {} },
}
const endMs = captions.at(-1)!.endMs
const presentation = (fields = {}) =>
  given.generatedVideo(world, { subType: 'presentation', captions, presentationScenes: [scene], ...fields })
const pathOf = ({ id }: { id: string }) => `/videos/${id}/presentation-scenes`
const spansOf = (scenes: { startMs: number; endMs: number }[]) => scenes.map((item) => [item.startMs, item.endMs])

describe('presentation scenes', () => {
  rule('presentation.list', async () => {
    expect((await send('GET', pathOf(await presentation()))).body).toEqual({ data: [scene] })
  })

  rule('presentation.replace.shapes', async () => {
    const path = pathOf(await presentation())
    const shapes = [(items: unknown) => items, (presentationScenes: unknown) => ({ presentationScenes })]
    for (const [index, wrapped] of [...shapes, (scenes: unknown) => ({ scenes })].entries()) {
      const other = { ...scene, id: `psc_${index}` }
      expect((await send('PUT', path, wrapped([other]))).body).toEqual({ data: [other] })
      expect((await send('GET', path)).body).toEqual({ data: [other] })
    }
  })

  rule('presentation.replace.clamped', async () => {
    const put = async (video: { id: string }) =>
      spansOf((await send('PUT', pathOf(video), [{ startMs: 1_000, endMs: 999_999 }])).body.data)
    expect(await put(await presentation())).toEqual([[1_000, endMs]])
    expect(await put(await presentation({ captions: [], fields: { durationSeconds: 7.5 } }))).toEqual([[1_000, 7_500]])
  })

  rule('presentation.replace.dropped', async () => {
    const sent = [500, 499, 501].map((end) => ({ startMs: 500, endMs: end }))
    const beyond = [
      { startMs: endMs, endMs: endMs + 1 },
      { startMs: endMs - 1, endMs: endMs + 1 },
    ]
    const { body } = await send('PUT', pathOf(await presentation()), [...sent, ...beyond])
    expect(spansOf(body.data)).toEqual([
      [500, 501],
      [endMs - 1, endMs],
    ])
  })

  rule('presentation.replace.sorted', async () => {
    const path = pathOf(await presentation())
    await send(
      'PUT',
      path,
      [3, 1, 2].map((at) => ({ startMs: at * 100, endMs: at * 100 + 50 })),
    )
    expect(spansOf((await send('GET', path)).body.data).map(([startMs]) => startMs)).toEqual([100, 200, 300])
  })

  rule('presentation.replace.not-ready', async () => {
    const { body } = await send('POST', '/videos', { prompt: 'An idea', subType: 'presentation' })
    expect(await send('PUT', pathOf(body.data), [])).toMatchObject(refusal(409, 'warning-source-not-ready'))
  })

  rule('presentation.wrong-type', async () => {
    const path = pathOf(await captioned())
    for (const [method, address, body] of [
      ['GET', path, undefined],
      ['PUT', path, []],
      ['POST', `${path}/recut`, undefined],
    ] as const)
      expect(await send(method, address, body), method).toMatchObject(refusal(409, 'wrong-video-type'))
  })

  rule('presentation.value-lists', async () => {
    const path = pathOf(await presentation())
    const status = async (field: string, value: string) =>
      (await send('PUT', path, [{ startMs: 0, endMs: 1, [field]: value }])).status
    const lists = {
      template: 'heroTitle flowSteps bulletList bigNumber quote comparison timeline imageFull callToAction',
      tone: 'light dark accent',
      caption: 'show hide',
    }
    for (const [field, values] of Object.entries(lists)) {
      for (const value of values.split(' ')) expect(await status(field, value), value).toBe(200)
      for (const value of ['', 'other']) expect(await status(field, value), value).toBe(400)
    }
  })

  rule(['presentation.recut.idempotent', 'presentation.recut.rebuilds', 'presentation.recut.price'], async () => {
    const video = await presentation()
    const used = await creditsUsed()
    const recut = () => send('POST', `${pathOf(video)}/recut`, undefined, { 'Idempotency-Key': 'one' })
    const first = await recut()
    const spans = spansOf(first.body.data)
    expect([first.status, spans[0]![0], spans.at(-1)![1]]).toEqual([200, 0, endMs])
    expect((await send('GET', pathOf(video))).body).toEqual(first.body)
    const again = await recut()
    expect([again.headers.get('idempotent-replayed'), again.body]).toEqual(['true', first.body])
    expect(await creditsUsed()).toBe(used + 10)
  })

  rule('presentation.recut.not-ready', async () => {
    const video = await presentation({ captions: [] })
    const used = await creditsUsed()
    expect(await send('POST', `${pathOf(video)}/recut`)).toMatchObject(refusal(409, 'warning-source-not-ready'))
    expect(await creditsUsed()).toBe(used)
  })
})
