/** POST /videos/{id}/presentation-scenes/recut. */
import { beforeAll, describe, expect, it } from 'vitest'
import { now } from '../../../lib/clock.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { captionWordLengthMax } from '../../../lib/domain/generation/captions/captions.ts'
import { claimSyncJob } from '../../../lib/domain/videos/sync-job-transitions.ts'
import { creditPrices } from '../../../lib/domain/workspaces/plan.ts'
import { priceOf } from '../../../lib/domain/workspaces/price.ts'
import { commit } from '../../../lib/store/core/commit.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { cutPresentation } from '../../../lib/use-cases/generation/cut-presentation.ts'
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

describe('POST /videos/{id}/presentation-scenes/recut', () => {
  rule(['presentation.recut.idempotent', 'presentation.recut.rebuilds', 'presentation.recut.price'], async () => {
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

  it('200: uses the edited captions', async () => {
    const video = await presentation()
    await callApi('PUT', `/videos/${video.id}/captions`, {
      key: world.apiKey,
      body: { captions: timedCaptions('New words.') },
    })
    const { body } = await send('POST', recutPath(video))
    expect(body.data.map(({ text }: typeof scene) => text)).toEqual(['New words.'])
  })

  it('402: without credits nothing is cut', async () => {
    const poor = await newWorld({ planId: 'free' })
    const video = await given.generatedVideo(poor, { subType: 'presentation', captions })
    await given.workspaceWith(poor, { creditsBalance: 9 })
    const refused = await send('POST', recutPath(video), undefined, {}, poor)
    expect(refused).toMatchObject(expectedError(402, 'warning-no-credits'))
    await given.workspaceWith(poor, { creditsBalance: 10 })
    expect((await send('POST', recutPath(video), undefined, {}, poor)).status).toBe(200)
  })

  rule('presentation.recut.not-ready', async () => {
    const own = await newWorld({ planId: 'free' })
    const silent = await given.generatedVideo(own, { subType: 'presentation', captions: [] })
    const other = await given.generatedVideo(own, { captions })
    const recut = (video: { id: string }) => send('POST', recutPath(video), undefined, {}, own)
    expect(await recut(silent)).toMatchObject(expectedError(409, 'warning-source-not-ready'))
    expect(await recut(other)).toMatchObject(expectedError(409, 'wrong-video-type'))
    expect((await callApi('GET', '/', { key: own.apiKey })).body.data.credits.used).toBe(20)
  })

  it('409: the transcript is too long to be spoken; nothing is charged', async () => {
    const own = await newWorld({ planId: 'free' })
    const long = timedCaptions(`${'x'.repeat(captionWordLengthMax)} `.repeat(400))
    const video = await given.generatedVideo(own, { subType: 'presentation', captions: long })
    const { status, body } = await send('POST', recutPath(video), undefined, {}, own)
    expect({ status, code: body.error?.code }).toEqual({ status: 409, code: 'warning-invalid-input' })
    expect((await callApi('GET', '/', { key: own.apiKey })).body.data.credits.used).toBe(10)
  })

  it('409: while a cut runs: `idempotency-in-progress` for a retry with its key, `job-in-progress` with another', async () => {
    const own = await newWorld({ planId: 'starter' })
    const video = await given.generatedVideo(own, { subType: 'presentation', captions })
    const workspace = await getWorkspace(own.workspaceId)
    const idempotencyScope = { method: 'POST', path: `/v1${recutPath(video)}`, key: 'one', bodyHash: 'h' }
    const wish = { kind: 'recut' as const, target: '', input: {}, idempotencyScope }
    const price = priceOf(workspace, creditPrices.recut, 'video', now())
    const { decision } = claimSyncJob(workspace, video, undefined, wish, price, mintId('run', now()), {
      arrivedAt: now(),
      now: now(),
      waitSeconds: 25,
    })
    await commit(decision!)
    const retry = await send('POST', recutPath(video), undefined, { 'Idempotency-Key': 'one' }, own)
    expect(retry).toMatchObject(expectedError(409, 'idempotency-in-progress'))
    const other = await send('POST', recutPath(video), undefined, { 'Idempotency-Key': 'other' }, own)
    expect(other).toMatchObject(expectedError(409, 'job-in-progress'))
  })

  it('the same run yields the same scenes, another run others', async () => {
    const video = await presentation()
    const words = captions.map(({ punctuated_word: text, ...span }) => ({ ...span, text }))
    const owner = { workspace: await getWorkspace(world.workspaceId), videoId: video.id }
    const cut = (runId: string) => cutPresentation(owner, video, words, runId)
    expect(await cut('run_1')).toEqual(await cut('run_1'))
    expect(await cut('run_1')).not.toEqual(await cut('run_2'))
  })

  it('words of a narrator are as long as those of captions', async () => {
    const video = await presentation()
    const owner = { workspace: await getWorkspace(world.workspaceId), videoId: video.id }
    const words = [{ text: 'x'.repeat(captionWordLengthMax + 1), startMs: 0, endMs: 900 }]
    const [cut] = await cutPresentation(owner, video, words, 'run_1')
    expect(cut!.text).toBe('x'.repeat(captionWordLengthMax))
  })
})
