/** PUT /videos/{id}/brolls/{brollId}/picture. */
import { Resvg } from '@resvg/resvg-js'
import { beforeAll, describe, expect, it } from 'vitest'
import { given } from '../../support/given/videos.ts'
import { expectMatchesOpenApi } from '../../support/openapi-validation.ts'
import { expectedError } from '../../support/refusals.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'

let world: World

beforeAll(async () => {
  world = await newWorld()
})

const pictureOf = (width: number, height: number) =>
  Buffer.from(
    new Resvg(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"/>`).render().asPng(),
  )

const segment = {
  ...{ id: 'brl_a', startMs: 0, endMs: 2_000, text: 'Calm', prompt: 'A calm morning', keywords: [] },
  ...{ mediaType: 'stock_footage' as const, hidden: false, scale: 1.2, media: null },
}
const presented = {
  ...segment,
  id: 'brl_b',
  media: { kind: 'clip' as const, key: 'b.mp4' },
  presenter: {
    imageUrl: 'https://images.example.com/a.png',
    avatarId: '',
    name: '',
    bytes: 1,
    generatedAt: '2027-01-01T00:00:00.000Z',
  },
}

const newVideo = async () => (await given.generatedVideo(world, { bRolls: [segment, presented] })).id

async function put(id: string, brollId: string, data: string) {
  const answer = await callApi('PUT', `/videos/${id}/brolls/${brollId}/picture`, { key: world.apiKey, body: { data } })
  expectMatchesOpenApi('PUT', '/videos/{id}/brolls/{brollId}/picture', answer.status, answer.body)
  return answer
}
const segmentsOf = async (id: string) =>
  (await callApi('GET', `/videos/${id}?include=bRolls`, { key: world.apiKey })).body.data.bRolls

describe('PUT /videos/{id}/brolls/{brollId}/picture', () => {
  it('200: the segment shows the picture, and keeps its time and prompt; the others stay', async () => {
    const id = await newVideo()
    const [, other] = await segmentsOf(id)
    const picture = pictureOf(40, 60)
    const { status, body } = await put(id, 'brl_a', picture.toString('base64'))
    const { media: _media, ...kept } = segment
    expect([status, body.data]).toEqual([200, { ...kept, type: 'image', url: expect.stringMatching(/\.png$/) }])
    expect(await segmentsOf(id)).toEqual([body.data, other])
    const file = await fetch(body.data.url)
    expect(file.headers.get('content-type')).toBe('image/png')
    expect(Buffer.from(await file.arrayBuffer()).equals(picture)).toBe(true)
  })

  it('200: a presenter of the segment is replaced', async () => {
    const id = await newVideo()
    const { body } = await put(id, 'brl_b', pictureOf(8, 8).toString('base64'))
    expect(body.data).not.toHaveProperty('presenter')
    expect(body.data.type).toBe('image')
  })

  it('404: the video has no such segment, and nothing is stored', async () => {
    const id = await newVideo()
    const used = async () => (await callApi('GET', `/videos/${id}`, { key: world.apiKey })).body.data.media.bytes
    const before = await used()
    expect(await put(id, 'brl_unknown', pictureOf(8, 8).toString('base64'))).toMatchObject(
      expectedError(404, 'not-found'),
    )
    expect(await used()).toBe(before)
  })

  it.each([
    ['is no picture', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')],
    ['is not base64', 'a picture'],
    ['is larger than 4,096 pixels', pictureOf(4_097, 1).toString('base64')],
    ['is larger than 2 MB', 'A'.repeat(3 * 1024 * 1024)],
  ])('400: the data %s', async (_, data) => {
    expect(await put(await newVideo(), 'brl_a', data)).toMatchObject(expectedError(400, 'invalid-request'))
  })
})
