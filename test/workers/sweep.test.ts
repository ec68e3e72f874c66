import { describe, expect, it } from 'vitest'
import { handler as dispatchOutbox } from '../../functions/workers/dispatch-outbox.ts'
import { handler as sweep } from '../../functions/workers/sweep.ts'
import { pipelineState } from '../../lib/aws/pipelines.ts'
import { beginProcess } from '../../lib/domain/videos/jobs.ts'
import { commit } from '../../lib/store/core/commit.ts'
import { keys } from '../../lib/store/core/keys.ts'
import { findOutboxRow, listEvents } from '../../lib/store/core/outbox.ts'
import { getVideo } from '../../lib/store/videos.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { givenUndispatchedVideo } from '../support/given/undispatched-video.ts'
import { useService } from './support/isolated-emulators.ts'

useService()

const types = async (workspaceId: string) =>
  (await listEvents(workspaceId)).map(({ type, takenAt }) => [type, takenAt !== null])

describe('the sweeper', () => {
  it('takes the events and starts the pipeline of a video whose wake-ups were lost', async () => {
    const { workspaceId, runId } = await givenUndispatchedVideo(120)
    expect(await pipelineState('generate', runId)).toBe('missing')
    await sweep()
    expect(await pipelineState('generate', runId)).not.toBe('missing')
    expect((await types(workspaceId))[0]).toEqual(['video.created', true])
    expect(await findOutboxRow(keys.outbox(workspaceId, runId))).toBeUndefined()
  })

  it('leaves alone what has not waited long', async () => {
    const { runId } = await givenUndispatchedVideo(1)
    await sweep()
    expect(await pipelineState('generate', runId)).toBe('missing')
  })

  it('fails a job past its deadline with timeout, gives its credits back and tells it once', async () => {
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

describe('the dispatcher', () => {
  const record = (key: { pk: string; sk: string }) => ({
    dynamodb: { Keys: { pk: { S: key.pk }, sk: { S: key.sk } }, SequenceNumber: key.sk },
  })

  it('given the same wake-up twice starts one execution', async () => {
    const { workspaceId, runId } = await givenUndispatchedVideo(1)
    const wakeUp = { Records: [record(keys.outbox(workspaceId, runId))] }
    expect(await dispatchOutbox(wakeUp)).toEqual({ batchItemFailures: [] })
    expect(await dispatchOutbox(wakeUp)).toEqual({ batchItemFailures: [] })
    expect(await pipelineState('generate', runId)).not.toBe('missing')
  })

  it('reports the first record that it could not do, so that the mapping gives it again', async () => {
    const { workspaceId, runId } = await givenUndispatchedVideo(1)
    const good = record(keys.outbox(workspaceId, runId))
    const bad = { dynamodb: { SequenceNumber: '7' } }
    expect(await dispatchOutbox({ Records: [good, bad] as never })).toEqual({
      batchItemFailures: [{ itemIdentifier: '7' }],
    })
  })
})
