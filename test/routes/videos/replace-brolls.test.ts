/** PUT /videos/{id}/brolls. */
import { beforeAll, describe, expect, it } from 'vitest'
import { given } from '../../support/given/videos.ts'
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

const audioEffect = { name: 'pop' }

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

const many = (length: number) =>
  Array.from({ length }, (_, index) => ({ startMs: index, endMs: index + 1, text: 'word' }))

describe('PUT /videos/{id}/brolls', () => {
  rule(['brolls.replace.bare-or-wrapped', 'brolls.replace.answer'], async () => {
    for (const wrapped of [(items: unknown) => items, (bRolls: unknown) => ({ bRolls })]) {
      const { id } = await withSegment()
      const { status, body } = await put(`/videos/${id}/brolls`, wrapped([{ ...writable, endMs: 900, text: 'New' }]))
      expect([status, body]).toEqual([200, { data: [{ ...shown, endMs: 900, text: 'New' }] }])
      expect((await including(id, 'bRolls')).bRolls).toEqual(body.data)
      expect((await put(`/videos/${id}/brolls`, wrapped([]))).body).toEqual({ data: [] })
    }
  })

  rule(['brolls.replace.accepted-fields', 'brolls.replace.carried-over'], async () => {
    const { id } = await withSegment()
    const { body } = await put(`/videos/${id}/brolls`, [
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
        ...{
          layout: 'x',
          scale: 9,
          hidden: false,
          audioEffect: {},
          presenter: { name: 'x' },
          colour: 'red',
          media: null,
        },
      },
    ])
    const written = { startMs: 1, endMs: 3, text: 'New', prompt: 'Newer', keywords: ['new'], mediaType: 'ai_video' }
    expect(body.data).toEqual([{ ...shown, ...written }])
  })

  rule(['brolls.replace.segments-max', 'limits.broll-segments'], async () => {
    const { id } = await withSegment()
    for (const count of [499, 500]) expect((await put(`/videos/${id}/brolls`, many(count))).status).toBe(200)
    const over = await put(`/videos/${id}/brolls`, many(501))
    expect([over.status, detailOf(over)]).toEqual([400, 'body'])
  })

  rule('brolls.replace.new-segment', async () => {
    const { id } = await withSegment()
    const sent = { startMs: 0, endMs: 1, url: 'https://evil.example/x.png', scale: 2, hidden: true }
    const { body } = await put(`/videos/${id}/brolls`, [
      { ...sent, id: 'mine', text: 'Calm' },
      { ...sent, keywords: ['sun', 'sea'] },
    ])
    const blank = { text: '', prompt: '', keywords: [], mediaType: 'ai_image', hidden: false, url: null, type: null }
    expect(body.data).toEqual([
      { ...blank, id: 'mine', startMs: 0, endMs: 1, text: 'Calm' },
      { ...blank, id: expect.stringMatching(/^brl_\w{26}$/), startMs: 0, endMs: 1, keywords: ['sun', 'sea'] },
    ])
  })

  rule('brolls.replace.not-fetched', async () => {
    const { id, process } = await withSegment()
    await put(`/videos/${id}/brolls`, [{ ...writable, id: 'brl_new' }])
    const after = await including(id, 'bRolls')
    expect(after).toMatchObject({
      process: { status: 'COMPLETED', queuedAt: process!.queuedAt },
      bRolls: [{ url: null }],
    })
  })

  rule('brolls.replace.media-types', async () => {
    const { id } = await withSegment()
    const status = async (mediaType: string) =>
      (await put(`/videos/${id}/brolls`, [{ startMs: 0, endMs: 1, mediaType }])).status
    for (const mediaType of ['ai_image', 'stock_footage', 'ai_video']) expect(await status(mediaType)).toBe(200)
    for (const mediaType of ['', 'image', 'AI_IMAGE']) expect(await status(mediaType), mediaType).toBe(400)
  })

  it('200: accepts the segments of a GET unchanged; queues and fetches nothing', async () => {
    const video = await withSegment()
    const { bRolls, process } = await including(video.id, 'bRolls')
    expect((await put(`/videos/${video.id}/brolls`, { bRolls })).body.data).toEqual(bRolls)
    expect((await including(video.id, '')).process).toEqual(process)
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

  it('413: a body of more than 4 MB', async () => {
    const { id } = await withSegment()
    const body = [{ startMs: 0, endMs: 1, text: 'a'.repeat(4 * 1024 * 1024) }]
    expect((await put(`/videos/${id}/brolls`, body)).status).toBe(413)
  })
})
