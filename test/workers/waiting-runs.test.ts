/** The runs of a workspace: as many at once as its plan allows, the others in order. The workers are called by hand. */
import { describe, expect, it } from 'vitest'
import { handler as dispatchOutbox } from '../../functions/workers/dispatch-outbox.ts'
import { handler as sweep } from '../../functions/workers/sweep.ts'
import { pipelineState } from '../../lib/aws/pipelines.ts'
import { now } from '../../lib/clock.ts'
import type { JobError } from '../../lib/domain/core/failures.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { secondsAfter } from '../../lib/domain/core/time.ts'
import { completeProcess } from '../../lib/domain/videos/complete-job.ts'
import { createVideo } from '../../lib/domain/videos/create-video.ts'
import { beginProcess, failJob } from '../../lib/domain/videos/job-transitions.ts'
import type { PlanId } from '../../lib/domain/workspaces/plan.ts'
import { commit } from '../../lib/store/core/commit.ts'
import type { Key } from '../../lib/store/core/keys.ts'
import { keys } from '../../lib/store/core/keys.ts'
import { findOutboxRow } from '../../lib/store/core/outbox.ts'
import { getVideo } from '../../lib/store/videos.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { changeVideo } from '../../lib/use-cases/videos/change-video.ts'
import { removeVideo } from '../../lib/use-cases/videos/remove-videos.ts'
import { newWorld, videoInputOf } from '../support/world.ts'
import { useEmulators } from './support/isolated-emulators.ts'

useEmulators()

const failure: JobError = { code: 'script-failed', message: 'No script.', blocked: false }

const dispatch = async (...rows: Key[]) => {
  const Records = rows.map(({ pk, sk }) => ({
    dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, SequenceNumber: sk },
  }))
  expect(await dispatchOutbox({ Records })).toEqual({ batchItemFailures: [] })
}

interface Run {
  videoId: string
  runId: string
}

interface Asked {
  secondsAgo?: number
  process?: { render: boolean }
}

/** A workspace that has asked for so many generations, one second after another. */
async function givenRuns(planId: PlanId, count: number, { secondsAgo = 50, ...brief }: Asked = {}) {
  const { workspaceId } = await newWorld({ planId })
  const runs: Run[] = []
  for (let index = 0; index < count; index++) {
    const at = secondsAfter(now(), index - secondsAgo)
    const ids = { videoId: mintId('vid', at), runId: mintId('run', at) }
    await commit(createVideo(await getWorkspace(workspaceId), videoInputOf({ text: '…', ...brief }), ids, at))
    runs.push(ids)
  }
  const rowOf = ({ runId }: Run) => keys.outbox(workspaceId, runId)
  return {
    workspaceId,
    runs,
    rowOf,
    /** The wake-ups of all runs, in a wrong order. */
    dispatchAll: () => dispatch(...runs.map(rowOf).reverse()),
    states: () => Promise.all(runs.map(({ runId }) => pipelineState('generate', runId))),
    texts: () =>
      Promise.all(runs.map(async ({ videoId }) => (await getVideo(workspaceId, videoId)).process?.statusText)),
    begin: ({ videoId, runId }: Run) =>
      changeVideo({ workspaceId, videoId }, (video) => beginProcess(video, runId, now())),
    end: async ({ videoId, runId }: Run) => {
      await changeVideo({ workspaceId, videoId }, (video) => failJob(video, 'process', runId, failure, now()))
      await dispatch(keys.outbox(workspaceId, `release#${runId}`))
    },
  }
}

const started = (states: string[]) => states.map((state) => state !== 'missing')

describe('the runs of a workspace', () => {
  it('start in the order of their requests, at most two on the plan `free`; the others show their place', async () => {
    const { runs, dispatchAll, states, texts, end } = await givenRuns('free', 5)
    await dispatchAll()
    expect(started(await states())).toEqual([true, true, false, false, false])
    await end(runs[1]!)
    expect(started(await states())).toEqual([true, true, true, false, false])
    expect((await texts()).slice(3)).toEqual(['Waiting for a free slot (1st)', 'Waiting for a free slot (2nd)'])
    await end(runs[0]!)
    await end(runs[2]!)
    expect(started(await states())).toEqual([true, true, true, true, true])
  })

  it('start in the order of their requests, also the render that a generation queues', async () => {
    const { workspaceId, runs, dispatchAll, states, begin } = await givenRuns('free', 4, { process: { render: true } })
    await dispatchAll()
    const [first] = runs as [Run]
    await begin(first)
    const workspace = await getWorkspace(workspaceId)
    const result = { title: 'Calm', durationSeconds: 1, audioKey: 'a', timelines: {} }
    const { render } = await changeVideo({ workspaceId, videoId: first.videoId }, (video) =>
      completeProcess(workspace, video, first.runId, result, now()),
    )
    await dispatch(keys.outbox(workspaceId, `release#${first.runId}`))
    expect(await pipelineState('render', render!.runId)).not.toBe('missing')
    expect(started(await states())).toEqual([true, true, false, false])
  })

  it('all start on a plan without a limit', async () => {
    const { dispatchAll, states } = await givenRuns('self-hosted', 5)
    await dispatchAll()
    expect(started(await states())).toEqual([true, true, true, true, true])
  })

  it('start once each, however often and concurrently they are dispatched', async () => {
    const { dispatchAll, states } = await givenRuns('free', 4)
    await Promise.all([dispatchAll(), dispatchAll(), dispatchAll()])
    expect(started(await states())).toEqual([true, true, false, false])
  })

  it('that were deleted while they waited take no permit', async () => {
    const { workspaceId, runs, rowOf, dispatchAll, states, end } = await givenRuns('free', 4)
    await dispatchAll()
    await removeVideo(workspaceId, runs[2]!.videoId)
    await end(runs[0]!)
    expect(started(await states())).toEqual([true, true, false, true])
    expect(await findOutboxRow(rowOf(runs[2]!))).toBeUndefined()
  })

  it('that are deleted while they run make room', async () => {
    const { workspaceId, runs, dispatchAll, states } = await givenRuns('free', 3)
    await dispatchAll()
    const [first] = runs as [Run]
    await removeVideo(workspaceId, first.videoId)
    await dispatch(keys.outbox(workspaceId, `release#${first.runId}`))
    expect(started(await states())).toEqual([true, true, true])
  })
})

describe('a run that waits', () => {
  it('is neither late nor lost to the sweeper, and gets its whole time once it starts', async () => {
    const { workspaceId, runs, dispatchAll, states, begin, end } = await givenRuns('free', 3, { secondsAgo: 40 * 60 })
    await dispatchAll()
    const [first, second, third] = runs as [Run, Run, Run]
    await Promise.all([begin(first), begin(second)])
    await sweep()
    expect((await getVideo(workspaceId, third.videoId)).process).toMatchObject({ status: 'QUEUED', error: null })
    expect(started(await states())).toEqual([true, true, false])
    await end(first)
    expect(started(await states())).toEqual([true, true, true])
    const { process } = await begin(third)
    expect(process!.deadlineAt > secondsAfter(now(), 29 * 60)).toBe(true)
  })

  it('fails after a day', async () => {
    const { workspaceId, runs, dispatchAll } = await givenRuns('free', 3, { secondsAgo: 25 * 60 * 60 })
    await dispatchAll()
    await sweep()
    expect((await getVideo(workspaceId, runs[2]!.videoId)).process).toMatchObject({
      status: 'FAILED',
      error: { code: 'timeout' },
    })
  })
})
