/** The progress of running jobs: what is stored, what a reader sees, and when a worker notices that its run is over. */
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { now } from '../../lib/clock.ts'
import { timeoutError } from '../../lib/domain/core/failures.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import type { Video } from '../../lib/domain/records/video.ts'
import { beginRender, failJob, requestRender } from '../../lib/domain/videos/job-transitions.ts'
import { table, tableName } from '../../lib/store/core/client.ts'
import { keys } from '../../lib/store/core/keys.ts'
import { deleteProgress, expectBatches, reportBatchProgress, reportProgress } from '../../lib/store/progress.ts'
import { claimAttempt, getVideo, getVideos } from '../../lib/store/videos.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { changeVideo } from '../../lib/use-cases/videos/change-video.ts'
import { given } from '../support/given/videos.ts'
import { newWorld } from '../support/world.ts'

/** A video that is being rendered. */
async function rendering(workspaceId?: string) {
  const world = workspaceId ?? (await newWorld({ planId: 'starter' })).workspaceId
  const { id } = await given.generatedVideo({ workspaceId: world })
  return { ...(await beginAnother(world, id)), workspaceId: world, id }
}

async function beginAnother(workspaceId: string, videoId: string) {
  const run = { workspaceId, videoId, runId: mintId('run', now()) }
  const workspace = await getWorkspace(workspaceId)
  await changeVideo(run, (video) => requestRender(workspace, video, run.runId, now()))
  await changeVideo(run, (video) => beginRender(video, run.runId, 'manifest.json', now()))
  return { run, runId: run.runId }
}

const renderOf = async ({ workspaceId, id }: Pick<Video, 'workspaceId' | 'id'>) =>
  (await getVideo(workspaceId, id)).render!
const progressOf = async (video: Pick<Video, 'workspaceId' | 'id'>) => (await renderOf(video)).progress
const rowOf = async (Key: object) =>
  (await table.send(new GetCommand({ TableName: tableName(), Key, ConsistentRead: true }))).Item

/** The requests to the table during `work`, by the names of their commands. */
async function requestsOf(work: () => Promise<unknown>): Promise<string[]> {
  const send = vi.spyOn(table, 'send')
  onTestFinished(() => send.mockRestore())
  await work()
  const names = send.mock.calls.map(([command]) => command.constructor.name)
  send.mockRestore()
  return names
}

describe('the progress of a run', () => {
  it('is stored on a row of its own, which expires, and not on the record', async () => {
    const video = await rendering()
    const record = keys.video(video.workspaceId, video.id)
    const before = await rowOf(record)
    await reportProgress(video, 'render', video, { progress: 40 })
    expect(await rowOf(record)).toEqual(before)
    const row = await rowOf(keys.progress(video.workspaceId, video.id, video.runId))
    expect(row).toMatchObject({ progress: 40, expiresAt: expect.any(Number) })
    expect(await progressOf(video)).toBe(40)
  })

  it('never falls, and is kept by the end of the run', async () => {
    const video = await rendering()
    for (const progress of [40, 20]) await reportProgress(video, 'render', video, { progress })
    expect(await progressOf(video)).toBe(40)
    await changeVideo(video.run, (current) => failJob(current, 'render', video.runId, timeoutError, now()))
    expect(await renderOf(video)).toMatchObject({ status: 'FAILED', progress: 40 })
  })

  it('of an earlier run does not show', async () => {
    const video = await rendering()
    await reportProgress(video, 'render', video, { progress: 80 })
    await changeVideo(video.run, (current) => failJob(current, 'render', video.runId, timeoutError, now()))
    const { runId } = await beginAnother(video.workspaceId, video.id)
    expect(await progressOf(video)).toBe(0)
    const late = reportProgress(video, 'render', video, { progress: 90 })
    await expect(late).rejects.toMatchObject({ name: 'Superseded' })
    await reportProgress(video, 'render', { runId }, { progress: 5 })
    expect(await progressOf(video)).toBe(5)
  })

  it('of an attempt that was taken over does not show, also if it checked its run before', async () => {
    const video = await rendering()
    const claim = () => claimAttempt(video.workspaceId, video.id, 'render', video.runId)
    await claim()
    const send = table.send.bind(table) as (command: object) => Promise<unknown>
    const late = vi.spyOn(table, 'send')
    const sendLate = async (command: object) => {
      // The next attempt is claimed and reports between the check and the write of this one.
      if (command instanceof UpdateCommand) {
        late.mockRestore()
        await claim()
        await reportProgress(video, 'render', { runId: video.runId, attempt: 2 }, { progress: 30 })
      }
      return send(command)
    }
    late.mockImplementation(sendLate as never)
    await reportProgress(video, 'render', { runId: video.runId, attempt: 1 }, { progress: 70 })
    expect(await progressOf(video)).toBe(30)
    const next = reportProgress(video, 'render', { runId: video.runId, attempt: 1 }, { progress: 71 })
    await expect(next).rejects.toMatchObject({ name: 'Superseded' })
  })

  it('of a deleted video stores nothing, and its rows are deleted with the video', async () => {
    const video = await rendering()
    await reportProgress(video, 'render', video, { progress: 10 })
    await deleteProgress(video.workspaceId, video.id)
    const key = keys.progress(video.workspaceId, video.id, video.runId)
    expect(await rowOf(key)).toBeUndefined()
    const gone = reportProgress({ ...video, id: 'vid_gone' }, 'render', video, { progress: 10 })
    await expect(gone).rejects.toMatchObject({ name: 'Superseded' })
    expect(await rowOf(keys.progress(video.workspaceId, 'vid_gone', video.runId))).toBeUndefined()
  })
})

describe('the batches of a render', () => {
  it('share a percentage up to 90, which neither a repeat nor another batch overwrites', async () => {
    const video = await rendering()
    const report = (from: number, percent: number) => reportBatchProgress(video, video.runId, { from, percent })
    await expectBatches(video, video.runId, 40)
    const froms = Array.from({ length: 40 }, (_, index) => index * 300)
    await Promise.all(froms.map((from) => report(from, 50)))
    expect(await progressOf(video)).toBe(45)
    await report(0, 10)
    expect(await progressOf(video)).toBe(45)
    await Promise.all(froms.map((from) => report(from, 100)))
    expect(await progressOf(video)).toBe(90)
    await reportProgress(video, 'render', video, { progress: 97 })
    expect(await progressOf(video)).toBe(97)
  })

  it('notice that their run has ended', async () => {
    const video = await rendering()
    await changeVideo(video.run, (current) => failJob(current, 'render', video.runId, timeoutError, now()))
    const late = reportBatchProgress(video, video.runId, { from: 0, percent: 10 })
    await expect(late).rejects.toMatchObject({ name: 'Superseded' })
  })
})

describe('reading videos', () => {
  it('costs one more request only where a job is running, also for a list', async () => {
    const { workspaceId } = await newWorld({ planId: 'starter' })
    const idle = await given.generatedVideo({ workspaceId })
    expect(await requestsOf(() => getVideo(workspaceId, idle.id))).toEqual(['GetCommand'])
    expect(await requestsOf(() => getVideos(workspaceId, [idle.id]))).toEqual(['BatchGetCommand'])
    const running = [await rendering(workspaceId), await rendering(workspaceId)]
    for (const [index, video] of running.entries())
      await reportProgress(video, 'render', video, { progress: 10 + index })
    const ids = [running[1]!.id, idle.id, running[0]!.id]
    expect(await requestsOf(() => getVideo(workspaceId, running[0]!.id))).toEqual(['GetCommand', 'BatchGetCommand'])
    expect(await requestsOf(() => getVideos(workspaceId, ids))).toEqual(['BatchGetCommand', 'BatchGetCommand'])
    const videos = await getVideos(workspaceId, ids)
    expect(videos.map(({ id, render }) => [id, render?.progress])).toEqual([
      [ids[0], 11],
      [ids[1], idle.render?.progress],
      [ids[2], 10],
    ])
  })
})
