/** The commands by which an operator looks up the ids of an alarm. */
import { describe, expect, it } from 'vitest'
import { startPipeline, stopPipeline } from '../../lib/aws/pipelines.ts'
import { removeVideo } from '../../lib/use-cases/videos/remove-videos.ts'
import { givenUndispatchedVideo } from '../support/given/undispatched-video.ts'
import { failGeneration, newWorld } from '../support/world.ts'
import { commitVideoEvent, dispatchAll, givenEndpoint } from '../workers/support/run-workers.ts'
import { runAdminHere as run } from './run-admin.ts'

describe('a run', () => {
  it('that waits is found by its id alone, with its video', async () => {
    const { workspaceId, videoId, runId } = await givenUndispatchedVideo(0)
    expect(await run('job', 'show', runId)).toMatchObject({
      workspaceId,
      videoId,
      runId,
      job: 'process (generate)',
      pipeline: 'generate',
      state: 'QUEUED',
      stage: 'Waiting to start',
      error: null,
      execution: 'not started',
    })
    expect(await run('video', 'show', videoId)).toMatchObject({ id: videoId, status: 'processing', jobs: [{ runId }] })
  })

  it('that failed shows its error and its execution, also after its video was deleted', async () => {
    const { workspaceId, videoId, runId } = await givenUndispatchedVideo(0)
    await startPipeline(workspaceId, { pipeline: 'generate', videoId, runId })
    await stopPipeline('generate', runId)
    await failGeneration({ workspaceId }, videoId)
    const execution = { pipeline: 'generate', status: 'ABORTED', startedAt: expect.any(String) }
    expect(await run('job', 'show', runId)).toMatchObject({ state: 'FAILED', error: 'timeout', execution })
    await removeVideo(workspaceId, videoId)
    expect(await run('job', 'show', runId)).toMatchObject({ runId, state: 'the video was deleted', execution })
  })

  it('that nothing names is an error, like a video', async () => {
    await expect(run('job', 'show', 'run_none')).rejects.toThrow('There is no run run_none')
    await expect(run('video', 'show', 'vid_none')).rejects.toThrow('There is no video vid_none.')
  })
})

it('the endpoints of a workspace and their deliveries are listed without the key of its owner', async () => {
  const { workspaceId } = await newWorld()
  expect(await run('webhook', 'list', '--workspace', workspaceId)).toEqual([])
  const { id, secret } = await givenEndpoint(workspaceId, 'http://127.0.0.1:9/')
  await commitVideoEvent(workspaceId)
  await dispatchAll(workspaceId)
  expect(await run('webhook', 'show', id)).toMatchObject({ workspaceId, id, enabled: true })
  const deliveries = await run<unknown[]>('webhook', 'deliveries', '--workspace', workspaceId, '--webhook', id)
  expect(deliveries).toMatchObject([{ webhookId: id, event: 'video.created' }])
  expect(JSON.stringify([await run('webhook', 'list', '--workspace', workspaceId), deliveries])).not.toContain(secret)
  expect(await run('webhook', 'deliveries', '--workspace', workspaceId, '--webhook', 'whk_none')).toEqual([])
  await expect(run('webhook', 'deliveries', '--workspace', workspaceId, '--limit', 'x')).rejects.toThrow('--limit must')
})
