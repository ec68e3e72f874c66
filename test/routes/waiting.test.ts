/** How a request waits for a job, and how long: its handler runs in this process, where clock and reads can be controlled. */
import { setTimeout as delay } from 'node:timers/promises'
import { beforeEach, expect, it, vi } from 'vitest'
import { handler as describeVideo } from '../../functions/api/videos/describe.ts'
import { handler as download } from '../../functions/api/videos/download.ts'
import { handler as recut } from '../../functions/api/videos/recut-presentation.ts'
import { handler as recutPresentation } from '../../functions/pipelines/act/recut-presentation.ts'
import { now } from '../../lib/clock.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { failJob } from '../../lib/domain/videos/job-transitions.ts'
import { claimSyncJob } from '../../lib/domain/videos/sync-job-transitions.ts'
import { clearRender, updateVideo } from '../../lib/domain/videos/update-video.ts'
import { creditPrices, waitsMax } from '../../lib/domain/workspaces/plan.ts'
import { priceOf } from '../../lib/domain/workspaces/price.ts'
import { table } from '../../lib/store/core/client.ts'
import { commit } from '../../lib/store/core/commit.ts'
import { findSyncJob } from '../../lib/store/sync-jobs.ts'
import { getVideo } from '../../lib/store/videos.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { changeVideo } from '../../lib/use-cases/videos/change-video.ts'
import { apiEvent, noContext } from '../support/api-event.ts'
import { given } from '../support/given/videos.ts'
import { newWorld } from '../support/world.ts'
import { rule } from './rules/rule.ts'

beforeEach(() => () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

/** More than a request reads before it waits. */
const readsBefore = 12

/** Stops the clock, so that no wait times out; returns a function that waits for a number of further reads of the table. */
function stopClock(): (times: number) => Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'] })
  const reads = vi.spyOn(table, 'send')
  // Not `expect.poll`, which moves a clock that it finds stopped.
  return async (times) => {
    for (const seen = reads.mock.calls.length; reads.mock.calls.length < seen + times; ) await delay(20)
  }
}

/** Expects a request to poll for 25 s of the clock and then to answer 503. */
async function expectPatience(ask: () => Promise<unknown>): Promise<void> {
  const looks = stopClock()
  const startedAt = Date.now()
  const answers: unknown[] = []
  const asked = ask().then((answer) => answers.push(answer))
  await looks(readsBefore)
  vi.setSystemTime(startedAt + 24_900)
  await looks(3)
  expect(answers).toEqual([])
  vi.setSystemTime(startedAt + 25_000)
  await asked
  const headers = { 'Retry-After': expect.stringMatching(/^[1-9]/) }
  expect(answers).toMatchObject([{ statusCode: 503, headers, body: expect.stringContaining('"unavailable"') }])
}

rule('idempotency.synchronous-limit', async () => {
  const { apiKey, workspaceId } = await newWorld({ planId: 'free' })
  const { id } = await given.generatedVideo({ workspaceId })
  const [workspace, video] = await Promise.all([getWorkspace(workspaceId), getVideo(workspaceId, id)])
  const wish = { kind: 'description' as const, target: '', input: { prompt: null }, idempotencyScope: null }
  const price = priceOf(workspace, 10, 'video', now())
  const claim = claimSyncJob(workspace, video, undefined, wish, price, mintId('run', now()), {
    arrivedAt: now(),
    now: now(),
    waitSeconds: 25,
  })
  await commit(claim.decision!)
  const event = apiEvent('POST', `/v1/videos/${id}/description`, { authorization: `Bearer ${apiKey}` })
  await expectPatience(() => describeVideo({ ...event, pathParameters: { id } }, noContext))
})

/** An ai video whose render is being stitched by another request, and a download of it. */
async function stitchedElsewhere() {
  const { apiKey, workspaceId } = await newWorld()
  const { id } = await given.renderedVideo({ workspaceId }, { type: 'ai', scenes: [] })
  const place = { workspaceId, videoId: id }
  await changeVideo(place, (video) => clearRender(video, video, now()))
  await changeVideo(place, (video) =>
    updateVideo(video, { ...video, render: { ...video.render!, runId: 'run_other', status: 'QUEUED' } }, now()),
  )
  const event = apiEvent('GET', `/v1/videos/${id}/download`, { authorization: `Bearer ${apiKey}` })
  return { place, ask: () => download({ ...event, pathParameters: { id } }, noContext) }
}

rule('download.waits', async () => {
  const { place, ask } = await stitchedElsewhere()
  await expectPatience(ask)
  expect((await getVideo(place.workspaceId, place.videoId)).render!.status).toBe('QUEUED')
})

const pending = { statusCode: 503, headers: { 'Retry-After': '5' }, body: expect.stringContaining('"unavailable"') }

it('503: where the deployment lets no request wait, a download queues the stitch and answers at once', async () => {
  const { apiKey, workspaceId } = await newWorld()
  const { id, render } = await given.renderedVideo({ workspaceId }, { type: 'ai', scenes: [] })
  await changeVideo({ workspaceId, videoId: id }, (video) => clearRender(video, video, now()))
  vi.stubEnv('WAIT_SECONDS_MAX', '0')
  const event = apiEvent('GET', `/v1/videos/${id}/download`, { authorization: `Bearer ${apiKey}` })
  expect(await download({ ...event, pathParameters: { id } }, noContext)).toMatchObject(pending)
  expect((await getVideo(workspaceId, id)).render!.runId).not.toBe(render!.runId)
})

it('503: where the deployment lets no request wait, a description answers at once; its retry gets the result, charged once', async () => {
  const { apiKey, workspaceId } = await newWorld({ planId: 'free' })
  const { id } = await given.generatedVideo({ workspaceId })
  const event = apiEvent('POST', `/v1/videos/${id}/description`, { authorization: `Bearer ${apiKey}` })
  const ask = () => describeVideo({ ...event, pathParameters: { id } }, noContext)
  vi.stubEnv('WAIT_SECONDS_MAX', '0')
  expect(await ask()).toMatchObject(pending)
  const place = { workspaceId, videoId: id, kind: 'description' as const, target: '' }
  await expect.poll(async () => (await findSyncJob(place))?.status).toBe('COMPLETED')
  const { creditsBalance } = await getWorkspace(workspaceId)
  expect(await ask()).toMatchObject({ statusCode: 200, body: expect.stringContaining('"description"') })
  expect((await getWorkspace(workspaceId)).creditsBalance).toBe(creditsBalance)
})

const tooLong = { code: 'warning-plan-render-time' as const, message: 'Too long.', action: 'upgrade' as const }
const hiccup = { code: 'render-failed' as const, message: 'The encoder died.' }

it.each([
  [402, 'is refused by the plan', { ...tooLong, blocked: true }, tooLong],
  [503, 'fails', { ...hiccup, blocked: false }, { ...hiccup, code: 'unavailable' }],
])('%i: the stitch that a download waits for %s', async (status, _, failure, told) => {
  const { place, ask } = await stitchedElsewhere()
  const looks = stopClock()
  const asked = ask()
  // One that came after the end would queue a stitch of its own.
  await looks(readsBefore)
  await changeVideo(place, (video) => failJob(video, 'render', 'run_other', failure, now()))
  const { statusCode, body } = await asked
  expect([statusCode, JSON.parse(body!).error]).toMatchObject([status, told])
})

it('200: a cut without a key joins a running one and is not charged', async () => {
  const { apiKey, workspaceId } = await newWorld({ planId: 'starter' })
  const { id } = await given.generatedVideo({ workspaceId }, { subType: 'presentation' })
  const [workspace, video] = await Promise.all([getWorkspace(workspaceId), getVideo(workspaceId, id)])
  const wish = { kind: 'recut' as const, target: '', input: {}, idempotencyScope: null }
  const price = priceOf(workspace, creditPrices.recut, 'video', now())
  const { run, decision } = claimSyncJob(workspace, video, undefined, wish, price, mintId('run', now()), {
    arrivedAt: now(),
    now: now(),
    waitSeconds: 25,
  })
  await commit(decision!)
  const before = (await getWorkspace(workspaceId)).creditsBalance
  const looks = stopClock()
  const event = apiEvent('POST', `/v1/videos/${id}/presentation-scenes/recut`, { authorization: `Bearer ${apiKey}` })
  const joined = recut({ ...event, pathParameters: { id } }, noContext)
  // One that came after the end would be a cut of its own.
  await looks(readsBefore)
  await recutPresentation({ workspaceId, videoId: id, runId: run.runId, kind: 'recut', target: '' })
  const { statusCode, body } = await joined
  expect([statusCode, JSON.parse(body!).data.length]).toEqual([200, expect.any(Number)])
  expect((await getWorkspace(workspaceId)).creditsBalance).toBe(before)
})

it('429: the fifth request of a workspace that waits is refused and queues nothing; a permit is free again after its request', async () => {
  const { place, ask } = await stitchedElsewhere()
  const elsewhere = await stitchedElsewhere()
  const looks = stopClock()
  const waiting = Array.from({ length: waitsMax }, ask)
  await looks(readsBefore * waitsMax)
  const { statusCode, headers, body } = await ask()
  expect([statusCode, headers]).toMatchObject([429, { 'Retry-After': '5' }])
  expect(JSON.parse(body!).error).toMatchObject({
    code: 'rate-limited',
    message: expect.stringContaining('4 requests'),
  })
  // Of another workspace, a request waits.
  const neighbour = elsewhere.ask()
  await looks(readsBefore)
  for (const { workspaceId, videoId } of [place, elsewhere.place])
    await changeVideo({ workspaceId, videoId }, (video) =>
      failJob(video, 'render', 'run_other', { ...hiccup, blocked: false }, now()),
    )
  const ended = await Promise.all([...waiting, neighbour])
  expect(ended.map(({ statusCode }) => statusCode)).toEqual([503, 503, 503, 503, 503])
})
