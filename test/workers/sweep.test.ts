import { describe, expect, it, vi } from 'vitest'
import { handler as dispatchOutbox } from '../../functions/workers/dispatch-outbox.ts'
import { handler as sweep } from '../../functions/workers/sweep.ts'
import { pipelineState } from '../../lib/aws/pipelines.ts'
import { now } from '../../lib/clock.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { secondsAfter } from '../../lib/domain/core/time.ts'
import { beginProcess, requestRender } from '../../lib/domain/videos/job-transitions.ts'
import { commit } from '../../lib/store/core/commit.ts'
import { keys } from '../../lib/store/core/keys.ts'
import { findOutboxRow } from '../../lib/store/core/outbox.ts'
import { listEvents } from '../../lib/store/event-journal.ts'
import { getVideo } from '../../lib/store/videos.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { givenUndispatchedVideo } from '../support/given/undispatched-video.ts'
import { given } from '../support/given/videos.ts'
import { newWorld } from '../support/world.ts'
import { useService } from './support/isolated-emulators.ts'

/** Runs whose execution appears to run. */
const running = vi.hoisted(() => new Set<string>())
vi.mock('../../lib/aws/pipelines.ts', async (original) => {
  const real = await original<typeof import('../../lib/aws/pipelines.ts')>()
  const state: typeof real.pipelineState = async (pipeline, runId) =>
    running.has(runId) ? 'running' : real.pipelineState(pipeline, runId)
  return { ...real, pipelineState: state }
})

useService()

const types = async (workspaceId: string) =>
  (await listEvents(workspaceId)).map(({ type, takenAt }) => [type, takenAt !== null])

describe('the sweeper', () => {
  it('re-issues the lost wake-ups of a video: its events are fanned out and its pipeline starts', async () => {
    const { workspaceId, runId } = await givenUndispatchedVideo(120)
    expect(await pipelineState('generate', runId)).toBe('missing')
    await sweep()
    expect(await pipelineState('generate', runId)).not.toBe('missing')
    expect((await types(workspaceId))[0]).toEqual(['video.created', true])
    expect(await findOutboxRow(keys.outbox(workspaceId, runId))).toBeUndefined()
  })

  it('ignores rows that have not waited long', async () => {
    const { runId } = await givenUndispatchedVideo(1)
    await sweep()
    expect(await pipelineState('generate', runId)).toBe('missing')
  })

  it('fails a job past its deadline with timeout, refunds its credits and emits one event', async () => {
    const { workspaceId, videoId, runId, at } = await givenUndispatchedVideo(31 * 60)
    await commit(beginProcess(await getVideo(workspaceId, videoId), runId, at)!)
    await Promise.all([sweep(), sweep(), sweep()])
    expect((await getVideo(workspaceId, videoId)).process).toMatchObject({
      status: 'FAILED',
      error: { code: 'timeout' },
    })
    expect((await getWorkspace(workspaceId)).creditsBalance).toBe(200)
    expect((await types(workspaceId)).map(([type]) => type)).toEqual(['video.created', 'video.generation_failed'])
  })
})

describe('a render whose scenes are animated before it begins', () => {
  /** Accepted on the plan `free`, whose renders have eight minutes. */
  async function givenQueuedRender(minutesAgo: number) {
    const { workspaceId } = await newWorld({ planId: 'free' })
    const { id: videoId } = await given.generatedVideo({ workspaceId }, { type: 'ai' })
    const at = secondsAfter(now(), -60 * minutesAgo)
    const runId = mintId('run', at)
    const decision = requestRender(await getWorkspace(workspaceId), await getVideo(workspaceId, videoId), runId, at)
    await commit({ ...decision, starts: [] })
    return { runId, render: async () => (await getVideo(workspaceId, videoId)).render }
  }

  it('is not late while its execution runs: an order at a vendor may take longer than the render may', async () => {
    const { runId, render } = await givenQueuedRender(19)
    running.add(runId)
    await sweep()
    expect(await render()).toMatchObject({ status: 'QUEUED', error: null })
    running.delete(runId)
  })

  it('is late where its execution has not been started', async () => {
    const { render } = await givenQueuedRender(9)
    await sweep()
    expect(await render()).toMatchObject({ status: 'FAILED', error: { code: 'timeout' } })
  })
})

describe('the dispatcher', () => {
  const record = (key: { pk: string; sk: string }) => ({
    dynamodb: { Keys: { pk: { S: key.pk }, sk: { S: key.sk } }, SequenceNumber: key.sk },
  })

  it('starts one execution for a repeated wake-up', async () => {
    const { workspaceId, runId } = await givenUndispatchedVideo(1)
    const wakeUp = { Records: [record(keys.outbox(workspaceId, runId))] }
    expect(await dispatchOutbox(wakeUp)).toEqual({ batchItemFailures: [] })
    expect(await dispatchOutbox(wakeUp)).toEqual({ batchItemFailures: [] })
    expect(await pipelineState('generate', runId)).not.toBe('missing')
  })

  it('reports the first failed record, so that the event source mapping retries it', async () => {
    const { workspaceId, runId } = await givenUndispatchedVideo(1)
    const good = record(keys.outbox(workspaceId, runId))
    const bad = { dynamodb: { SequenceNumber: '7' } }
    expect(await dispatchOutbox({ Records: [good, bad] as never })).toEqual({
      batchItemFailures: [{ itemIdentifier: '7' }],
    })
  })
})
