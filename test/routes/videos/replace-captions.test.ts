/** PUT /videos/{id}/captions. */
import { beforeAll, describe, expect, it } from 'vitest'
import { given, sampleScript, timedCaptions } from '../../support/given/videos.ts'
import { expectMatchesOpenApi } from '../../support/openapi-validation.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

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

const many = (length: number) =>
  Array.from({ length }, (_, index) => ({ startMs: index, endMs: index + 1, text: 'word' }))

const transcript = timedCaptions(sampleScript)

const [word] = transcript

const page = { id: 'pag_a', startMs: 0, endMs: 600, hidden: false }

const captioned = () =>
  given.generatedVideo(world, { captions: transcript, captionsPages: [{ ...page, emoji, audioEffect }] })

describe('PUT /videos/{id}/captions', () => {
  rule(['captions.replace.halves', 'captions.replace.wholesale', 'captions.replace.answer'], async () => {
    const { id } = await captioned()
    const pages = [{ ...page, emoji, audioEffect }]
    const replace = async (body: unknown) => (await put(`/videos/${id}/captions`, body)).body
    expect(await replace({ captions: [word] })).toEqual({ data: { captions: [word], captionsPages: pages } })
    expect(await replace({ captionsPages: [] })).toEqual({ data: { captions: [word], captionsPages: [] } })
    const both = { captions: transcript, captionsPages: [page] }
    expect(await replace(both)).toEqual({ data: both })
    expect(await including(id, 'captions,captionsPages')).toMatchObject(both)
    expect(await replace({})).toMatchObject({ error: { code: 'invalid-request' } })
    const neither = { captions: [], captionsPages: [] }
    expect(await replace(neither)).toEqual({ data: neither })
    expect(await including(id, 'captions,captionsPages')).toMatchObject(neither)
  })

  rule(['captions.replace.page-layered', 'captions.replace.read-only', 'captions.replace.new-page'], async () => {
    const { id } = await newVideo()
    const { body } = await put(`/videos/${id}/captions`, {
      captionsPages: [
        { id: 'pag_b', startMs: 700, endMs: 800, audioEffect: { name: 'mine' } },
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

  rule('captions.replace.minted-ids', async () => {
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

  rule(['captions.replace.words-max', 'limits.caption-words'], async () => {
    const { id } = await captioned()
    const replace = (count: number) => put(`/videos/${id}/captions`, { captions: many(count) })
    for (const count of [5_999, 6_000]) expect((await replace(count)).status).toBe(200)
    const over = await replace(6_001)
    expect([over.status, detailOf(over)]).toEqual([400, 'body.captions'])
  })

  rule(['captions.replace.pages-max', 'limits.caption-pages'], async () => {
    const { id } = await captioned()
    const replace = (count: number) => put(`/videos/${id}/captions`, { captionsPages: many(count) })
    for (const count of [1_999, 2_000]) expect((await replace(count)).status).toBe(200)
    const over = await replace(2_001)
    expect([over.status, detailOf(over)]).toEqual([400, 'body.captionsPages'])
  })

  rule('captions.replace.end-after-start', async () => {
    const { id } = await captioned()
    const status = async (half: string, endMs: number) => {
      const item = { startMs: 10, endMs, text: 'x' }
      return (await put(`/videos/${id}/captions`, { [half]: [item] })).status
    }
    for (const half of ['captions', 'captionsPages'])
      expect([await status(half, 9), await status(half, 10), await status(half, 11)]).toEqual([400, 200, 200])
  })

  it('200: accepts the captions of a GET unchanged', async () => {
    const { id } = await newVideo()
    const read = await including(id, 'captions,captionsPages')
    const { status, body } = await put(`/videos/${id}/captions`, read)
    expect([status, body.data]).toEqual([200, { captions: words, captionsPages: pages }])
  })

  it('200: the WebVTT file follows the captions; without words there is none', async () => {
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

  it('200: accepts captions for a video that was never generated; an edit updates `updatedAt`', async () => {
    const { body } = await send('POST', '/videos', { prompt: 'An idea' })
    const answer = await put(`/videos/${body.data.id}/captions`, { captions: words })
    expect(answer.body.data).toEqual({ captions: words, captionsPages: [] })
    const before = await newVideo()
    await put(`/videos/${before.id}/captions`, { captions: [] })
    expect(Date.parse((await including(before.id, '')).updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt))
  })

  it('413: a body of more than 4 MB; 4 MB are accepted', async () => {
    const { id } = await newVideo()
    const bytesMax = 4 * 1024 * 1024
    const body = JSON.stringify({ captions: [{ startMs: 0, endMs: 1, text: 'a', unknown: '' }] })
    const long = (bytes: number) => body.replace('""', `"${'a'.repeat(bytes - body.length)}"`)
    expect((await put(`/videos/${id}/captions`, long(bytesMax))).status).toBe(200)
    expect(await put(`/videos/${id}/captions`, long(bytesMax + 1))).toMatchObject({
      status: 413,
      body: { error: { code: 'payload-too-large' } },
    })
  })

  it('200 or 400: a word has at most 200 characters, the words of a video 200,000', async () => {
    const { id } = await newVideo()
    const word = (text: string) => ({ startMs: 0, endMs: 1, text })
    const statusOf = async (captions: unknown[]) => (await put(`/videos/${id}/captions`, { captions })).status
    expect(await statusOf([word('ก'.repeat(200))])).toBe(200)
    expect(await statusOf([word('ก'.repeat(201))])).toBe(400)
    expect(await statusOf([{ ...word('a'), punctuated_word: 'a'.repeat(201) }])).toBe(400)
    expect(await statusOf([word('🐈'.repeat(200))])).toBe(200)
    expect(await statusOf([word('🐈'.repeat(201))])).toBe(400)
    for (const character of ['a', '🐈']) {
      const thousand = Array.from({ length: 1_000 }, () => word(character.repeat(200)))
      expect(await statusOf(thousand)).toBe(200)
      expect(await statusOf([...thousand, word('a')])).toBe(400)
    }
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

  it('402: the storage of the plan is full', async () => {
    const full = await newWorld({ planId: 'free' })
    const { id } = await given.generatedVideo(full)
    await given.workspaceWith(full, { storageUsedBytes: 1024 ** 3 })
    const answer = await callApi('PUT', `/videos/${id}/captions`, { key: full.apiKey, body: { captions: words } })
    expect(answer).toMatchObject({ status: 402, body: { error: { code: 'warning-plan-storage', action: 'upgrade' } } })
    expectMatchesOpenApi('PUT', '/videos/{id}/captions', 402, answer.body)
  })
})

describe('PUT /videos/{id}/captions and PUT /videos/{id}/brolls', () => {
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
