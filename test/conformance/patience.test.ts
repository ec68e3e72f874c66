/** How long a request waits for work: its handler runs here, where the clock is the test's. */
import { setTimeout as delay } from 'node:timers/promises'
import { beforeEach, expect, vi } from 'vitest'
import { handler as describeVideo } from '../../functions/api/videos/describe.ts'
import { handler as download } from '../../functions/api/videos/download.ts'
import { changeVideo } from '../../lib/actions/change-video.ts'
import { now } from '../../lib/clock.ts'
import { claimAction } from '../../lib/domain/action.ts'
import { mintId } from '../../lib/domain/id.ts'
import { changed, clearRender } from '../../lib/domain/video.ts'
import { priceOf } from '../../lib/domain/workspace.ts'
import { table } from '../../lib/store/client.ts'
import { commit } from '../../lib/store/commit.ts'
import { getVideo } from '../../lib/store/videos.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { given } from '../support/given.ts'
import { newWorld } from '../support/world.ts'
import { apiEvent, noContext } from './api-event.ts'
import { rule } from './rule.ts'

beforeEach(() => () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** More than a request reads before it waits. */
const readsBefore = 12

/** Expects a request to look again and again for 25 s of the clock, and to answer 503 then. */
async function expectPatience(ask: () => Promise<unknown>): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'] })
  const reads = vi.spyOn(table, 'send')
  // Not `expect.poll`, which moves a clock that it finds stopped.
  const looks = async (times: number) => {
    for (const seen = reads.mock.calls.length; reads.mock.calls.length < seen + times; ) await delay(20)
  }
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
  const wish = { kind: 'description' as const, target: '', input: { prompt: null }, answerScope: null }
  const price = priceOf(workspace, 10, 'video', now())
  const claim = claimAction(workspace, video, undefined, wish, price, mintId('run', now()), {
    arrivedAt: now(),
    now: now(),
  })
  await commit(claim.decision!)
  const event = apiEvent('POST', `/v1/videos/${id}/description`, { authorization: `Bearer ${apiKey}` })
  await expectPatience(() => describeVideo({ ...event, pathParameters: { id } }, noContext))
})

rule('download.waits', async () => {
  const { apiKey, workspaceId } = await newWorld()
  const { id } = await given.renderedVideo({ workspaceId }, { type: 'ai', scenes: [] })
  const place = { workspaceId, videoId: id }
  await changeVideo(place, (video) => clearRender(video, video, now()))
  await changeVideo(place, (video) =>
    changed(video, { ...video, render: { ...video.render!, runId: 'run_other', status: 'QUEUED' } }, now()),
  )
  const event = apiEvent('GET', `/v1/videos/${id}/download`, { authorization: `Bearer ${apiKey}` })
  await expectPatience(() => download({ ...event, pathParameters: { id } }, noContext))
  expect((await getVideo(workspaceId, id)).render!.status).toBe('QUEUED')
})
