/** GET and PUT /videos/{id}/presentation-scenes. */
import { beforeAll, describe, expect, it } from 'vitest'
import { given, sampleScript, timedCaptions } from '../../support/given/videos.ts'
import { expectMatchesOpenApi } from '../../support/openapi-validation.ts'
import { expectedError } from '../../support/refusals.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

let world: World

beforeAll(async () => {
  world = await newWorld()
})

const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}, as = world) => {
  const answer = await callApi(method, path, { key: as.apiKey, body, headers })
  expectMatchesOpenApi(method, path.replace(/vid_\w+/, '{id}'), answer.status, answer.body)
  return answer
}

const scenesPath = ({ id }: { id: string }) => `/videos/${id}/presentation-scenes`

const recutPath = ({ id }: { id: string }) => `${scenesPath({ id })}/recut`

const captions = timedCaptions(sampleScript)

const endMs = captions.at(-1)!.endMs

const scene = {
  id: 'psc_a',
  startMs: 0,
  endMs: 1_000,
  text: 'Calm mornings',
  emphasis: 'Calm',
  template: 'flowSteps' as const,
  tone: 'dark' as const,
  caption: 'hide' as const,
  hidden: true,
  visual: { type: 'steps', items: 2, anchors: ['Lay', 'fill'] },
  content: { steps: ['one', 'two'] },
  params: { layout: 'left' },
  direction: { enter: 'fade' },
  composed: { nodes: [{ deep: [1] }] },
}

const presentation = (fields = {}) =>
  given.generatedVideo(world, { subType: 'presentation', captions, presentationScenes: [scene], ...fields })

const spansOf = (scenes: { startMs: number; endMs: number }[]) => scenes.map((item) => [item.startMs, item.endMs])

describe('GET /videos/{id}/presentation-scenes', () => {
  rule('presentation.list', async () => {
    expect((await send('GET', scenesPath(await presentation()))).body).toEqual({ data: [scene] })
    const { body } = await send('POST', '/videos', { prompt: 'An idea', subType: 'presentation' })
    expect((await send('GET', scenesPath(body.data))).body).toEqual({ data: [] })
  })

  rule('presentation.wrong-type', async () => {
    const path = scenesPath(await given.generatedVideo(world, { captions }))
    for (const [method, address, body] of [
      ['GET', path, undefined],
      ['PUT', path, []],
      ['POST', `${path}/recut`, undefined],
    ] as const)
      expect(await send(method, address, body), method).toMatchObject(expectedError(409, 'wrong-video-type'))
  })
})

describe('PUT /videos/{id}/presentation-scenes', () => {
  rule('presentation.replace.shapes', async () => {
    const shapes = [(items: unknown) => items, (presentationScenes: unknown) => ({ presentationScenes })]
    for (const wrapped of [...shapes, (scenes: unknown) => ({ scenes })]) {
      const video = await presentation()
      const sent = { ...scene, id: 'mine', endMs: 500 }
      expect((await send('PUT', scenesPath(video), wrapped([sent]))).body).toEqual({ data: [sent] })
      expect((await send('GET', scenesPath(video))).body).toEqual({ data: [sent] })
      const { body } = await callApi('GET', `/videos/${video.id}?include=presentationScenes`, { key: world.apiKey })
      expect(body.data.presentationScenes).toEqual([sent])
      expect((await send('PUT', scenesPath(video), wrapped([]))).body).toEqual({ data: [] })
    }
  })

  rule('presentation.replace.clamped', async () => {
    const put = async (video: { id: string }) =>
      spansOf((await send('PUT', scenesPath(video), [{ startMs: 1_000, endMs: 999_999 }])).body.data)
    expect(await put(await presentation())).toEqual([[1_000, endMs]])
    expect(await put(await presentation({ captions: [], fields: { durationSeconds: 4.2504 } }))).toEqual([
      [1_000, 4_250],
    ])
  })

  rule(['presentation.replace.dropped', 'presentation.replace.sorted'], async () => {
    const spans: [number, number, [number, number] | null][] = [
      [endMs - 1, endMs + 5_000, [endMs - 1, endMs]],
      [endMs, endMs + 1, null],
      [endMs + 1, endMs + 2, null],
      [500, 500, null],
      [500, 499, null],
      [-100, 0, null],
      [-100, 1, [0, 1]],
      [499, 500, [499, 500]],
      [1, endMs, [1, endMs]],
    ]
    const video = await presentation()
    const sent = spans.map(([startMs, end]) => ({ startMs, endMs: end }))
    const { body } = await send('PUT', scenesPath(video), sent)
    const kept = spans.flatMap(([, , span]) => (span ? [span] : [])).toSorted(([a], [b]) => a - b)
    expect(spansOf(body.data)).toEqual(kept)
    expect((await send('GET', scenesPath(video))).body).toEqual(body)
  })

  it('200: a known scene keeps omitted fields; a new one starts with the words spoken in its time', async () => {
    const video = await presentation()
    const { body } = await send('PUT', scenesPath(video), [
      { id: 'psc_a', startMs: 0, endMs: 600, tone: 'light', colour: 'red' },
      { startMs: 600, endMs: 1_400 },
    ])
    expect(body.data).toEqual([
      { ...scene, endMs: 600, tone: 'light' },
      {
        id: expect.stringMatching(/^psc_\w{26}$/),
        startMs: 600,
        endMs: 1_400,
        text: 'begin in the',
        emphasis: '',
        template: 'heroTitle',
        tone: 'light',
        caption: 'show',
        hidden: false,
        visual: { type: 'none', items: 0, anchors: [] },
        content: {},
        params: {},
        direction: {},
        composed: {},
      },
    ])
  })

  rule('presentation.replace.not-ready', async () => {
    const { body } = await send('POST', '/videos', { prompt: 'An idea', subType: 'presentation' })
    expect(await send('PUT', scenesPath(body.data), [])).toMatchObject(expectedError(409, 'warning-source-not-ready'))
  })

  rule('presentation.value-lists', async () => {
    const path = scenesPath(await presentation())
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

  it('400: more than 600 scenes', async () => {
    const path = scenesPath(await presentation())
    const many = (length: number) => Array.from({ length }, (_, index) => ({ startMs: index, endMs: index + 1 }))
    for (const count of [599, 600]) expect((await send('PUT', path, many(count))).body.data).toHaveLength(count)
    const over = await send('PUT', path, { scenes: many(601) })
    expect([over.status, over.body.error.details[0].path]).toEqual([400, 'body.scenes'])
  })

  it('400: names what is wrong, and changes nothing', async () => {
    const video = await presentation()
    const span = { startMs: 0, endMs: 1 }
    const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) })
    expect((await send('PUT', scenesPath(video), [{ ...scene, content: nested(31) }])).status).toBe(200)
    await send('PUT', scenesPath(video), [scene])
    const bad: [unknown, string][] = [
      [{}, 'body'],
      [{ scenes: {} }, 'body'],
      [[{ startMs: 0 }], 'body.0.endMs'],
      [[{ ...span, endMs: 0.5 }], 'body.0.endMs'],
      [{ presentationScenes: [{ ...span, template: 'film' }] }, 'body.presentationScenes.0.template'],
      [{ scenes: [{ ...span, tone: 'blue' }] }, 'body.scenes.0.tone'],
      [[{ ...span, caption: 'maybe' }], 'body.0.caption'],
      [[{ ...span, hidden: 1 }], 'body.0.hidden'],
      [[{ ...span, visual: { items: 1 } }], 'body.0.visual.type'],
      [[{ ...span, visual: { type: 'x', items: -1 } }], 'body.0.visual.items'],
      [[{ ...span, content: [] }], 'body.0.content'],
      [[{ ...span, composed: nested(32) }], 'body.0.composed'],
      [[{ ...span, id: 'a b' }], 'body.0.id'],
      [
        [
          { ...span, id: 'a' },
          { ...span, id: 'a' },
        ],
        'body.1.id',
      ],
    ]
    for (const [body, path] of bad) {
      const { status, body: answer } = await send('PUT', scenesPath(video), body)
      expect([status, answer.error.details[0].path], JSON.stringify(body)).toEqual([400, path])
    }
    expect((await send('GET', scenesPath(video))).body).toEqual({ data: [scene] })
  })

  it('413: more than 4 MB; more than 256 KB are accepted', async () => {
    const path = scenesPath(await presentation())
    const drawn = (bytes: number) => [{ startMs: 0, endMs: 1, composed: { drawing: 'a'.repeat(bytes) } }]
    expect((await send('PUT', path, drawn(3.9 * 1024 * 1024))).status).toBe(200)
    expect(await send('PUT', path, drawn(4 * 1024 * 1024))).toMatchObject(expectedError(413, 'payload-too-large'))
  })

  it('413: scenes that no response could hold are not stored', async () => {
    const path = scenesPath(await presentation())
    const drawn = (part: string) => [
      { id: 'psc_a', startMs: 0, endMs: 1, [part]: { drawing: 'a'.repeat(3 * 1024 ** 2) } },
    ]
    expect((await send('PUT', path, drawn('composed'))).status).toBe(200)
    expect((await send('PUT', path, drawn('params'))).status).toBe(413)
  })
})

it('404: of another workspace, and of a video that never was', async () => {
  const other = await newWorld()
  const video = await presentation()
  for (const as of [other, world])
    for (const [method, path, body] of [
      ['GET', scenesPath, undefined],
      ['PUT', scenesPath, []],
      ['POST', recutPath, undefined],
    ] as const)
      expect((await send(method, path(as === other ? video : { id: 'vid_none' }), body, {}, as)).status).toBe(404)
})
