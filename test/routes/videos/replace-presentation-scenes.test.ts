import { beforeAll, describe, expect, it } from 'vitest'
import { now } from '../../../lib/clock.ts'
import { mintId } from '../../../lib/domain/core/id.ts'
import { claimSyncJob } from '../../../lib/domain/videos/sync-job.ts'
import { creditPrices } from '../../../lib/domain/workspaces/plan.ts'
import { priceOf } from '../../../lib/domain/workspaces/price.ts'
import { commit } from '../../../lib/store/core/commit.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { cutPresentation } from '../../../lib/use-cases/generation/cut-presentation.ts'
import { given, sampleScript, timedCaptions } from '../../support/given/videos.ts'
import { expectMatchesOpenApi } from '../../support/openapi-validation.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'

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
const plain = () => given.generatedVideo(world, { captions })
const untranscribed = (fields = {}) => presentation({ captions: [], presentationScenes: [], fields })
const refusal = (status: number, code: string) => ({ status, body: { error: { code } } })

describe('GET /videos/{id}/presentation-scenes', () => {
  it('200: answers the stored scenes, none before a generation', async () => {
    expect((await send('GET', scenesPath(await presentation()))).body).toEqual({ data: [scene] })
    const { body } = await send('POST', '/videos', { prompt: 'An idea', subType: 'presentation' })
    expect((await send('GET', scenesPath(body.data))).body).toEqual({ data: [] })
  })

  it('409: a video that is no presentation has none', async () => {
    expect(await send('GET', scenesPath(await plain()))).toMatchObject(refusal(409, 'wrong-video-type'))
  })
})

describe('PUT /videos/{id}/presentation-scenes', () => {
  it.each([
    ['a bare array', (items: unknown) => items],
    ['{ presentationScenes }', (presentationScenes: unknown) => ({ presentationScenes })],
    ['{ scenes }', (scenes: unknown) => ({ scenes })],
  ])('200: takes %s and replaces the whole timeline', async (_, wrapped) => {
    const video = await presentation()
    const sent = { ...scene, id: 'mine', endMs: 500 }
    expect((await send('PUT', scenesPath(video), wrapped([sent]))).body).toEqual({ data: [sent] })
    const { body } = await callApi('GET', `/videos/${video.id}?include=presentationScenes`, { key: world.apiKey })
    expect(body.data.presentationScenes).toEqual([sent])
    expect((await send('PUT', scenesPath(video), wrapped([]))).body).toEqual({ data: [] })
  })

  it('200: clamps to the transcript, drops what is left empty, and sorts', async () => {
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
    expect(body.data.map((item: { startMs: number; endMs: number }) => [item.startMs, item.endMs])).toEqual(kept)
    expect((await send('GET', scenesPath(video))).body).toEqual(body)
  })

  it('200: without a transcript the duration is the end', async () => {
    const video = await untranscribed({ durationSeconds: 4.2504 })
    const { body } = await send('PUT', scenesPath(video), [{ startMs: 4_000, endMs: 9_000 }])
    expect(body.data).toMatchObject([{ startMs: 4_000, endMs: 4_250 }])
  })

  it('200: a scene keeps what it leaves out; a new one begins with the words that are spoken meanwhile', async () => {
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

  it('409: neither transcript nor duration, or no presentation', async () => {
    const { body } = await send('POST', '/videos', { prompt: 'An idea', subType: 'presentation' })
    const [waiting, other] = [scenesPath(body.data), scenesPath(await plain())]
    expect(await send('PUT', waiting, [])).toMatchObject(refusal(409, 'warning-source-not-ready'))
    expect(await send('PUT', other, [])).toMatchObject(refusal(409, 'wrong-video-type'))
  })

  it('takes 600 scenes and refuses the 601st with 400', async () => {
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

  it('takes more than 256 KB and refuses more than 4 MB with 413', async () => {
    const path = scenesPath(await presentation())
    const drawn = (bytes: number) => [{ startMs: 0, endMs: 1, composed: { drawing: 'a'.repeat(bytes) } }]
    expect((await send('PUT', path, drawn(3.9 * 1024 * 1024))).status).toBe(200)
    expect(await send('PUT', path, drawn(4 * 1024 * 1024))).toMatchObject(refusal(413, 'payload-too-large'))
  })

  it('413: scenes that have grown too long to be answered are not stored', async () => {
    const path = scenesPath(await presentation())
    const drawn = (part: string) => [
      { id: 'psc_a', startMs: 0, endMs: 1, [part]: { drawing: 'a'.repeat(3 * 1024 ** 2) } },
    ]
    expect((await send('PUT', path, drawn('composed'))).status).toBe(200)
    expect((await send('PUT', path, drawn('params'))).status).toBe(413)
  })
})

describe('POST /videos/{id}/presentation-scenes/recut', () => {
  it('200: cuts the transcript anew from 0 to its end, replaces the stored scenes, charges 10 and replays', async () => {
    const own = await newWorld({ planId: 'starter' })
    const video = await given.generatedVideo(own, { subType: 'presentation', captions, presentationScenes: [scene] })
    const balance = async () => (await callApi('GET', '/', { key: own.apiKey })).body.data.credits.balance
    const before = await balance()
    const recut = (key?: string) =>
      send('POST', recutPath(video), undefined, key ? { 'Idempotency-Key': key } : {}, own)
    const first = await recut('one')
    expect(first.status).toBe(200)
    const spans = first.body.data.map((item: typeof scene) => [item.startMs, item.endMs])
    expect(spans[0][0]).toBe(0)
    expect(spans.at(-1)[1]).toBe(endMs)
    expect(spans.slice(1).map(([startMs]: number[]) => startMs)).toEqual(
      spans.slice(0, -1).map(([, end]: number[]) => end),
    )
    expect((await send('GET', scenesPath(video), undefined, {}, own)).body).toEqual(first.body)
    const again = await recut('one')
    expect([again.headers.get('idempotent-replayed'), again.body]).toEqual(['true', first.body])
    expect(await balance()).toBe(before - 10)
    expect((await recut()).body).not.toEqual(first.body)
    expect(await balance()).toBe(before - 20)
  })

  it('409: while a cut is under way, to a retry with its key, which is told to wait, and to a cut with another', async () => {
    const own = await newWorld({ planId: 'starter' })
    const video = await given.generatedVideo(own, { subType: 'presentation', captions })
    const workspace = await getWorkspace(own.workspaceId)
    const answerScope = { method: 'POST', path: `/v1${recutPath(video)}`, key: 'one', bodyHash: 'h' }
    const wish = { kind: 'recut' as const, target: '', input: {}, answerScope }
    const price = priceOf(workspace, creditPrices.recut, 'video', now())
    const { decision } = claimSyncJob(workspace, video, undefined, wish, price, mintId('run', now()), {
      arrivedAt: now(),
      now: now(),
    })
    await commit(decision!)
    const retry = await send('POST', recutPath(video), undefined, { 'Idempotency-Key': 'one' }, own)
    expect(retry).toMatchObject(refusal(409, 'idempotency-in-progress'))
    const other = await send('POST', recutPath(video), undefined, { 'Idempotency-Key': 'other' }, own)
    expect(other).toMatchObject(refusal(409, 'job-in-progress'))
  })

  it('409: no transcript, or no presentation; nothing is charged', async () => {
    const own = await newWorld({ planId: 'free' })
    const silent = await given.generatedVideo(own, { subType: 'presentation', captions: [] })
    const other = await given.generatedVideo(own, { captions })
    const recut = (video: { id: string }) => send('POST', recutPath(video), undefined, {}, own)
    expect(await recut(silent)).toMatchObject(refusal(409, 'warning-source-not-ready'))
    expect(await recut(other)).toMatchObject(refusal(409, 'wrong-video-type'))
    expect((await callApi('GET', '/', { key: own.apiKey })).body.data.credits.used).toBe(20)
  })

  it('409: a transcript that nobody can have spoken; nothing is charged', async () => {
    const own = await newWorld({ planId: 'free' })
    const long = timedCaptions('much '.repeat(900) + 'x'.repeat(79_000))
    const video = await given.generatedVideo(own, { subType: 'presentation', captions: long })
    const { status, body } = await send('POST', recutPath(video), undefined, {}, own)
    expect({ status, code: body.error?.code }).toEqual({ status: 409, code: 'warning-invalid-input' })
    expect((await callApi('GET', '/', { key: own.apiKey })).body.data.credits.used).toBe(10)
  })

  it('402: without credits nothing is cut', async () => {
    const poor = await newWorld({ planId: 'free' })
    const video = await given.generatedVideo(poor, { subType: 'presentation', captions })
    await given.workspaceWith(poor, { creditsBalance: 9 })
    const refused = await send('POST', recutPath(video), undefined, {}, poor)
    expect(refused).toMatchObject(refusal(402, 'warning-no-credits'))
    await given.workspaceWith(poor, { creditsBalance: 10 })
    expect((await send('POST', recutPath(video), undefined, {}, poor)).status).toBe(200)
  })

  it('200: follows the captions as they were edited', async () => {
    const video = await presentation()
    await callApi('PUT', `/videos/${video.id}/captions`, {
      key: world.apiKey,
      body: { captions: timedCaptions('New words.') },
    })
    const { body } = await send('POST', recutPath(video))
    expect(body.data.map(({ text }: typeof scene) => text)).toEqual(['New words.'])
  })
})

describe('presentations', () => {
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

  it('a generation and a repeat of it give the same scenes, another run other ones', async () => {
    const video = await presentation()
    const words = captions.map(({ punctuated_word: text, ...span }) => ({ ...span, text }))
    const owner = { workspace: await getWorkspace(world.workspaceId), videoId: video.id }
    const cut = (runId: string) => cutPresentation(owner, video, words, runId)
    expect(await cut('run_1')).toEqual(await cut('run_1'))
    expect(await cut('run_1')).not.toEqual(await cut('run_2'))
  })
})
