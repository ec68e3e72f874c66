import { beforeAll, describe, expect, it } from 'vitest'
import { given, timedCaptions } from '../support/given/videos.ts'
import { expectMatchesOpenApi } from '../support/openapi-validation.ts'
import { callApi, newWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})
const send = (method: string, path: string, body?: unknown) => callApi(method, path, { key: world.apiKey, body })
const put = async (path: string, body: unknown) => {
  const answer = await send('PUT', path, body)
  expectMatchesOpenApi('PUT', path.replace(/vid_\w+/, '{id}'), answer.status, answer.body)
  return answer
}
const including = async (id: string, include: string) =>
  (await send('GET', `/videos/${id}?include=${include}`)).body.data
const detailOf = ({ body }: { body: { error: { details: { path: string }[] } } }) => body.error.details[0]?.path

const words = timedCaptions('Calm mornings begin early.')
const emoji = { name: 'sun' }
const audioEffect = { name: 'pop' }
const pages = [
  { id: 'pag_a', startMs: 0, endMs: 600, hidden: false, emoji, audioEffect },
  { id: 'pag_b', startMs: 666, endMs: 1_500, hidden: true },
]
const newVideo = () => given.generatedVideo(world, { captions: words, captionsPages: pages })

describe('PUT /videos/{id}/captions', () => {
  it('200: replaces the words alone, the pages alone, or both, and answers the whole of both', async () => {
    const { id } = await newVideo()
    const path = `/videos/${id}/captions`
    const fewer = words.slice(0, 2)
    expect(await put(path, { captions: fewer })).toMatchObject({
      status: 200,
      body: { data: { captions: fewer, captionsPages: pages } },
    })
    const one = { id: 'pag_c', startMs: 5, endMs: 5, hidden: false }
    expect((await put(path, { captionsPages: [one] })).body.data).toEqual({ captions: fewer, captionsPages: [one] })
    expect((await put(path, { captions: [], captionsPages: [] })).body.data).toEqual({
      captions: [],
      captionsPages: [],
    })
    expect(await including(id, 'captions,captionsPages')).toMatchObject({ captions: [], captionsPages: [] })
  })

  it('200: lays a page over the stored one of its id, so that it keeps its decorations', async () => {
    const { id } = await newVideo()
    const { body } = await put(`/videos/${id}/captions`, {
      captionsPages: [
        { id: 'pag_b', startMs: 700, endMs: 800 },
        {
          id: 'pag_a',
          startMs: 0,
          endMs: 500,
          hidden: true,
          emoji: { name: 'mine' },
          audioEffect: null,
          colour: 'red',
        },
        { id: 'pag_new', startMs: 800, endMs: 900, emoji: { name: 'mine' } },
        { startMs: 900, endMs: 950 },
        { id: null, startMs: 950, endMs: 960 },
      ],
    })
    expect(body.data.captionsPages).toEqual([
      { id: 'pag_b', startMs: 700, endMs: 800, hidden: true },
      { id: 'pag_a', startMs: 0, endMs: 500, hidden: true, emoji, audioEffect },
      { id: 'pag_new', startMs: 800, endMs: 900, hidden: false },
      { id: expect.stringMatching(/^pag_\w{26}$/), startMs: 900, endMs: 950, hidden: false },
      { id: expect.stringMatching(/^pag_\w{26}$/), startMs: 950, endMs: 960, hidden: false },
    ])
    expect((await including(id, 'captionsPages')).captionsPages).toEqual(body.data.captionsPages)
  })

  it('200: keeps the ids of words, mints missing ones and fills what a word leaves out', async () => {
    const { id } = await newVideo()
    const { body } = await put(`/videos/${id}/captions`, {
      captions: [
        { id: 'my_word', startMs: 0, endMs: 0, text: 'calm', punctuated_word: 'Calm,', confidence: 0.5, speaker: 1 },
        { startMs: 1, endMs: 2, text: 'mornings' },
      ],
    })
    expect(body.data.captions).toEqual([
      { id: 'my_word', startMs: 0, endMs: 0, text: 'calm', punctuated_word: 'Calm,', confidence: 0.5 },
      {
        id: expect.stringMatching(/^cap_\w{26}$/),
        startMs: 1,
        endMs: 2,
        text: 'mornings',
        punctuated_word: 'mornings',
        confidence: 1,
      },
    ])
  })

  it('200: takes back what a GET answered, and changes nothing by it', async () => {
    const { id } = await newVideo()
    const read = await including(id, 'captions,captionsPages')
    const { status, body } = await put(`/videos/${id}/captions`, read)
    expect([status, body.data]).toEqual([200, { captions: words, captionsPages: pages }])
  })

  it('200: the captions file says what the captions say; without words there is none', async () => {
    const { id } = await newVideo()
    const path = `/videos/${id}/captions`
    const fileOf = async () => {
      const { media } = await including(id, '')
      return media.captionsUrl && (await fetch(media.captionsUrl)).text()
    }
    expect(await fileOf()).toBe('WEBVTT\n\n00:00:00.000 --> 00:00:00.600\nCalm mornings\n')
    await put(path, { captions: [{ ...words[0], punctuated_word: 'Loud' }, words[2]] })
    expect(await fileOf()).toBe('WEBVTT\n\n00:00:00.000 --> 00:00:00.600\nLoud\n')
    await put(path, { captionsPages: [{ startMs: 0, endMs: 900 }] })
    expect(await fileOf()).toBe('WEBVTT\n\n00:00:00.000 --> 00:00:00.900\nLoud begin\n')
    await put(path, { captions: [] })
    expect(await fileOf()).toBeNull()
  })

  it('200: a video that was never generated takes captions too, and a film made before goes stale', async () => {
    const { body } = await send('POST', '/videos', { prompt: 'An idea' })
    const answer = await put(`/videos/${body.data.id}/captions`, { captions: words })
    expect(answer.body.data).toEqual({ captions: words, captionsPages: [] })
    const before = await newVideo()
    await put(`/videos/${before.id}/captions`, { captions: [] })
    expect(Date.parse((await including(before.id, '')).updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt))
  })

  it('400: one more than 6,000 words or 2,000 pages, by the name of the list', async () => {
    const { id } = await newVideo()
    const path = `/videos/${id}/captions`
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ startMs: index, endMs: index + 1, text: 'word' }))
    for (const [half, max] of [
      ['captions', 6_000],
      ['captionsPages', 2_000],
    ] as const) {
      const over = await put(path, { [half]: many(max + 1) })
      expect([over.status, detailOf(over)]).toEqual([400, `body.${half}`])
    }
  })

  it('takes a body of 4 MB and refuses a longer one with 413', async () => {
    const { id } = await newVideo()
    const bytesMax = 4 * 1024 * 1024
    const body = JSON.stringify({ captions: [{ startMs: 0, endMs: 1, punctuated_word: 'a', text: '' }] })
    const long = (bytes: number) => body.replace('""', `"${'a'.repeat(bytes - body.length)}"`)
    expect((await put(`/videos/${id}/captions`, long(bytesMax))).status).toBe(200)
    expect(await put(`/videos/${id}/captions`, long(bytesMax + 1))).toMatchObject({
      status: 413,
      body: { error: { code: 'payload-too-large' } },
    })
  })

  it('413: captions that no answer could hold are not stored', async () => {
    const { id } = await newVideo()
    const word = { startMs: 0, endMs: 1, text: 'a'.repeat(2 * 1024 * 1024) }
    expect((await put(`/videos/${id}/captions`, { captions: [word] })).status).toBe(200)
    const longer = { ...word, text: 'a'.repeat(3 * 1024 * 1024) }
    expect((await put(`/videos/${id}/captions`, { captions: [longer] })).status).toBe(413)
  })

  it('400: names what is wrong, and changes nothing', async () => {
    const { id } = await newVideo()
    const word = { startMs: 1, endMs: 2, text: 'x' }
    const bad: [unknown, string][] = [
      [{}, 'body'],
      [{ text: 'x' }, 'body'],
      [{ captions: {} }, 'body.captions'],
      [{ captions: null }, 'body.captions'],
      [{ captions: [word, { ...word, endMs: 0 }] }, 'body.captions.1.endMs'],
      [{ captionsPages: [{ startMs: 1, endMs: 0 }] }, 'body.captionsPages.0.endMs'],
      [{ captions: [{ ...word, startMs: -1 }] }, 'body.captions.0.startMs'],
      [{ captions: [{ ...word, endMs: 86_400_000 }] }, 'body.captions.0.endMs'],
      [{ captions: [{ ...word, endMs: 2.5 }] }, 'body.captions.0.endMs'],
      [{ captions: [{ startMs: 1, endMs: 2 }] }, 'body.captions.0.text'],
      [{ captions: [{ ...word, confidence: 1.1 }] }, 'body.captions.0.confidence'],
      [{ captions: [{ ...word, id: 'a-b' }] }, 'body.captions.0.id'],
      [{ captions: [{ ...word, id: 'a'.repeat(65) }] }, 'body.captions.0.id'],
      [{ captionsPages: [{ startMs: 1, endMs: 2, hidden: 'no' }] }, 'body.captionsPages.0.hidden'],
      [{ captions: [{ ...word, id: 'a' }, word, { ...word, id: 'a' }] }, 'body.captions.2.id'],
      [{ captionsPages: ['x'] }, 'body.captionsPages.0'],
    ]
    for (const [body, path] of bad) {
      const answer = await put(`/videos/${id}/captions`, body)
      expect([answer.status, detailOf(answer)], JSON.stringify(body)).toEqual([400, path])
    }
    expect(await including(id, 'captions,captionsPages')).toMatchObject({ captions: words, captionsPages: pages })
  })

  it('402: a plan without room takes no more captions', async () => {
    const full = await newWorld({ planId: 'free' })
    const { id } = await given.generatedVideo(full)
    await given.workspaceWith(full, { storageUsedBytes: 1024 ** 3 })
    const answer = await callApi('PUT', `/videos/${id}/captions`, { key: full.apiKey, body: { captions: words } })
    expect(answer).toMatchObject({ status: 402, body: { error: { code: 'warning-plan-storage', action: 'upgrade' } } })
    expectMatchesOpenApi('PUT', '/videos/{id}/captions', 402, answer.body)
  })
})

const segment = {
  id: 'brl_a',
  startMs: 0,
  endMs: 2_000,
  text: 'Calm mornings',
  prompt: 'A calm morning',
  keywords: ['calm'],
  mediaType: 'ai_image' as const,
  hidden: true,
  scale: 1.2,
  layout: 'full',
  animation: 'zoom',
  transition: 'fade',
  qualityUrls: { low: 'https://example.com/low.png' },
  audioEffect,
  media: { kind: 'still' as const, key: 'a.png' },
}
const withSegment = () => given.generatedVideo(world, { bRolls: [segment, { ...segment, id: 'brl_b' }] })
const { media: _media, ...writable } = segment
const shown = { ...writable, url: expect.stringMatching(/a\.png$/), type: 'image' }

describe('PUT /videos/{id}/brolls', () => {
  it.each([
    ['a bare array', (items: unknown) => items],
    ['{ bRolls }', (bRolls: unknown) => ({ bRolls })],
  ])('200: takes %s and replaces the whole timeline', async (_, wrapped) => {
    const { id } = await withSegment()
    const { status, body } = await put(`/videos/${id}/brolls`, wrapped([{ ...writable, endMs: 900, text: 'New' }]))
    expect([status, body.data]).toEqual([200, [{ ...shown, endMs: 900, text: 'New' }]])
    expect((await including(id, 'bRolls')).bRolls).toEqual(body.data)
    expect((await put(`/videos/${id}/brolls`, wrapped([]))).body.data).toEqual([])
  })

  it('200: carries the read-only parts over by id, whatever is sent for them', async () => {
    const { id } = await withSegment()
    const sent = {
      ...{ id: 'brl_a', startMs: 5, endMs: 10, prompt: 'Another', mediaType: 'ai_video' },
      ...{ url: 'https://evil.example/x.png', type: 'video', hidden: false, scale: 9, layout: 'x', animation: 'x' },
      ...{ transition: 'x', qualityUrls: {}, audioEffect: {}, presenter: { name: 'x' }, media: null, colour: 'red' },
    }
    const { body } = await put(`/videos/${id}/brolls`, [sent])
    expect(body.data).toEqual([{ ...shown, startMs: 5, endMs: 10, prompt: 'Another', mediaType: 'ai_video' }])
  })

  it('200: a segment with an unknown id, or none, is new and has no media', async () => {
    const { id } = await withSegment()
    const sent = { startMs: 0, endMs: 1, url: 'https://evil.example/x.png', scale: 2 }
    const { body } = await put(`/videos/${id}/brolls`, [
      { ...sent, id: 'mine' },
      { ...sent, keywords: ['sun', 'sea'] },
    ])
    const blank = { text: '', prompt: '', keywords: [], mediaType: 'ai_image', hidden: false, url: null, type: null }
    expect(body.data).toEqual([
      { ...blank, id: 'mine', startMs: 0, endMs: 1 },
      { ...blank, id: expect.stringMatching(/^brl_\w{26}$/), startMs: 0, endMs: 1, keywords: ['sun', 'sea'] },
    ])
  })

  it('200: takes back what a GET answered, queues nothing and fetches nothing', async () => {
    const video = await withSegment()
    const { bRolls, process } = await including(video.id, 'bRolls')
    expect((await put(`/videos/${video.id}/brolls`, { bRolls })).body.data).toEqual(bRolls)
    expect((await including(video.id, '')).process).toEqual(process)
  })

  it('takes 500 segments and refuses the 501st with 400', async () => {
    const { id } = await withSegment()
    const many = (length: number) => Array.from({ length }, (_, index) => ({ startMs: index, endMs: index + 1 }))
    for (const count of [499, 500]) expect((await put(`/videos/${id}/brolls`, many(count))).status).toBe(200)
    const over = await put(`/videos/${id}/brolls`, many(501))
    expect([over.status, detailOf(over)]).toEqual([400, 'body'])
  })

  it('400: names what is wrong, bare or wrapped', async () => {
    const { id } = await withSegment()
    const span = { startMs: 1, endMs: 2 }
    const bad: [unknown, string][] = [
      [{}, 'body'],
      [{ bRolls: {} }, 'body'],
      [{ segments: [] }, 'body'],
      [[{ ...span, endMs: 0 }], 'body.0.endMs'],
      [{ bRolls: [{ ...span, endMs: 0 }] }, 'body.bRolls.0.endMs'],
      [[{ startMs: 1 }], 'body.0.endMs'],
      [[{ ...span, mediaType: 'ai_song' }], 'body.0.mediaType'],
      [[{ ...span, keywords: 'sun' }], 'body.0.keywords'],
      [[{ ...span, keywords: [1] }], 'body.0.keywords.0'],
      [[{ ...span, text: null }], 'body.0.text'],
      [
        [
          { ...span, id: 'a' },
          { ...span, id: 'a' },
        ],
        'body.1.id',
      ],
      [[null], 'body.0'],
    ]
    for (const [body, path] of bad) {
      const answer = await put(`/videos/${id}/brolls`, body)
      expect([answer.status, detailOf(answer)], JSON.stringify(body)).toEqual([400, path])
    }
    expect((await including(id, 'bRolls')).bRolls).toHaveLength(2)
  })

  it('413 above 4 MB', async () => {
    const { id } = await withSegment()
    const body = [{ startMs: 0, endMs: 1, text: 'a'.repeat(4 * 1024 * 1024) }]
    expect((await put(`/videos/${id}/brolls`, body)).status).toBe(413)
  })
})

describe('timelines', () => {
  it('404: of another workspace, and of a video that never was', async () => {
    const { id } = await newVideo()
    const other = await newWorld()
    for (const [path, body] of [
      ['captions', { captions: [] }],
      ['brolls', []],
    ] as const)
      for (const [name, key] of [
        [id, other.apiKey],
        ['vid_none', world.apiKey],
      ])
        expect((await callApi('PUT', `/videos/${name}/${path}`, { key: key!, body })).status).toBe(404)
  })
})
