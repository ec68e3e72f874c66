/** The begin of a render that several workers divide: their inputs, and the progress that their batches add up to. */
import { describe, expect, it, vi } from 'vitest'
import { handler as begin } from '../../functions/pipelines/render/begin.ts'
import { now } from '../../lib/clock.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { requestRender } from '../../lib/domain/videos/job-transitions.ts'
import { reportBatchProgress, reportProgress } from '../../lib/store/progress.ts'
import { claimAttempt } from '../../lib/store/videos.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { changeVideo } from '../../lib/use-cases/videos/change-video.ts'
import { renderLane } from '../../lib/use-cases/videos/render-lane.ts'
import { composition } from '../render/compositions.ts'
import { given } from '../support/given/videos.ts'
import { callApi, newWorld } from '../support/world.ts'

vi.mock(import('../../lib/use-cases/videos/render-lane.ts'))
vi.mock(import('../../lib/use-cases/generation/load-compose-input.ts'), () => ({
  loadComposeInput: async () => ({ input: {} as never }),
}))
vi.mock(import('../../lib/render/compose.ts'), () => ({ compose: () => composition() }))

const segments = (from: number, to: number) => ({ part: 'segments' as const, from, to })
const batches = [segments(0, 900), segments(900, 1800)]

async function requested() {
  const { workspaceId, apiKey } = await newWorld({ planId: 'starter' })
  const { id } = await given.generatedVideo({ workspaceId })
  const run = { workspaceId, videoId: id, runId: mintId('run', now()) }
  const workspace = await getWorkspace(workspaceId)
  await changeVideo(run, (video) => requestRender(workspace, video, run.runId, now()))
  const progress = async (): Promise<number> =>
    (await callApi('GET', `/videos/${id}`, { key: apiKey })).body.data.render.progress
  return { run, video: { workspaceId, id }, progress }
}

describe('a render that several workers divide', () => {
  it.each([
    ['functions', { lane: 'functions' as const, parts: [{ part: 'sound' as const }, ...batches] }],
    ['tasks', { lane: 'task' as const, parts: batches }],
  ])('shows what its %s have rendered in total, up to 90 percent before they are joined', async (_, plan) => {
    vi.mocked(renderLane).mockResolvedValue(plan)
    const { run, video, progress } = await requested()
    // A repeated step announces the same batches.
    for (const _ of [1, 2]) await begin(run)
    expect(await progress()).toBe(0)
    await reportBatchProgress(video, run.runId, { from: 900, percent: 99 })
    expect(await progress()).toBe(44)
    await reportBatchProgress(video, run.runId, { from: 0, percent: 50 })
    expect(await progress()).toBe(67)
    await reportBatchProgress(video, run.runId, { from: 0, percent: 100 })
    await reportBatchProgress(video, run.runId, { from: 900, percent: 100 })
    expect(await progress()).toBe(90)
    const { render } = await claimAttempt(run.workspaceId, run.videoId, 'render', run.runId)
    expect(await progress()).toBe(90)
    await reportProgress(video, 'render', render!, { progress: 97 })
    expect(await progress()).toBe(97)
  })
})
