import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from 'vitest'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { secondsAfter } from '../../../lib/domain/core/time.ts'
import type { Decision } from '../../../lib/domain/records/decision.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { completeProcess } from '../../../lib/domain/videos/complete-job.ts'
import { createVideo } from '../../../lib/domain/videos/create-video.ts'
import { beginProcess, failJob } from '../../../lib/domain/videos/job-transitions.ts'
import { table, tableName } from '../../../lib/store/core/client.ts'
import { commit, IdempotencyKeyUsed } from '../../../lib/store/core/commit.ts'
import { keys } from '../../../lib/store/core/keys.ts'
import { WriteConflict } from '../../../lib/store/core/write-conflict.ts'
import { listEvents } from '../../../lib/store/event-journal.ts'
import { findStoredResponse } from '../../../lib/store/idempotency.ts'
import { reportProgress } from '../../../lib/store/progress.ts'
import { claimAttempt, getVideo, listVideos } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { creditLedgerOf } from '../../support/credit-ledger.ts'
import { newWorld, videoInputOf } from '../../support/world.ts'

const at = '2026-11-21T10:00:00.000Z'
const made = { title: 'Title', durationSeconds: 3, audioKey: 'a', captionsKey: 'c', timelines: { bRolls: 'b' } }

async function creation(planId: 'self-hosted' | 'free' = 'self-hosted') {
  const world = await newWorld({ planId })
  const workspace = await getWorkspace(world.workspaceId)
  const ids = { videoId: mintId('vid', at), runId: mintId('run', at) }
  return {
    ...world,
    ...ids,
    workspace,
    decision: createVideo(workspace, videoInputOf({ prompt: 'x' }), ids, workspace.createdAt),
  }
}

const kindsOf = async (workspaceId: string) => (await creditLedgerOf(workspaceId)).map(({ kind }) => kind)

const answer = (workspaceId: string) => ({
  workspaceId,
  method: 'POST',
  path: '/v1/videos',
  key: 'k',
  bodyHash: 'h',
  status: 201,
  body: '{}',
  at,
})

describe('a commit', () => {
  it('writes the record, the counters, the ledger, the outbox and the response together', async () => {
    const { workspaceId, videoId, decision } = await creation('free')
    await commit(decision, answer(workspaceId))
    expect(await getVideo(workspaceId, videoId)).toMatchObject({ id: videoId, version: 1 })
    expect(await getWorkspace(workspaceId)).toMatchObject({
      creditsBalance: 190,
      creditsReserved: 10,
      generationsUsed: 1,
      videoCounts: { 'faceless#processing': 1 },
    })
    expect(await kindsOf(workspaceId)).toEqual(['reserve'])
    expect((await listEvents(workspaceId)).map(({ type }) => type)).toEqual(['video.created'])
    expect(await findStoredResponse(workspaceId, answer(workspaceId), at)).toMatchObject({ status: 201, body: '{}' })
  })

  it('writes nothing when one part fails', async () => {
    const { workspaceId, videoId, decision } = await creation('free')
    const greedy: Decision = { ...decision, charges: [{ ...decision.charges[0]!, credits: 1_000 }] }
    await expect(commit(greedy, answer(workspaceId))).rejects.toThrow(WriteConflict)
    await expect(getVideo(workspaceId, videoId)).rejects.toMatchObject({ code: 'not-found' })
    expect(await getWorkspace(workspaceId)).toMatchObject({ creditsBalance: 200, generationsUsed: 0, videoCounts: {} })
    expect(await listEvents(workspaceId)).toEqual([])
    expect(await findStoredResponse(workspaceId, answer(workspaceId), at)).toBeUndefined()
  })

  it('with a used idempotency key changes nothing', async () => {
    const first = await creation()
    await commit(first.decision, answer(first.workspaceId))
    const again = createVideo(
      first.workspace,
      videoInputOf({ prompt: 'y' }),
      { videoId: mintId('vid', at), runId: mintId('run', at) },
      at,
    )
    await expect(commit(again, answer(first.workspaceId))).rejects.toThrow(IdempotencyKeyUsed)
    expect((await getWorkspace(first.workspaceId)).videoCounts).toEqual({ 'faceless#processing': 1 })
  })

  it('forgets a stored response after exactly 24 hours, even if the row still exists', async () => {
    const { workspaceId, decision } = await creation()
    await commit(decision, answer(workspaceId))
    expect(await findStoredResponse(workspaceId, answer(workspaceId), '2026-11-22T09:59:59.999Z')).toBeDefined()
    expect(await findStoredResponse(workspaceId, answer(workspaceId), '2026-11-22T10:00:00.000Z')).toBeUndefined()
  })

  it('based on an older version fails, and the first write stands', async () => {
    const { workspaceId, videoId, runId, decision } = await creation()
    await commit(decision)
    const video = await getVideo(workspaceId, videoId)
    await commit(beginProcess(video, runId, at)!)
    await expect(commit(beginProcess(video, runId, at)!)).rejects.toThrow(WriteConflict)
    expect(await getVideo(workspaceId, videoId)).toMatchObject({ version: 2, process: { status: 'PROCESSING' } })
  })

  it('moves a video from one counter to another, and removes it from the due index when its job ends', async () => {
    const { workspaceId, videoId, runId, workspace, decision } = await creation('free')
    await commit(decision)
    const begun = beginProcess(await getVideo(workspaceId, videoId), runId, at)!
    await commit(begun)
    await commit(completeProcess(workspace, begun.video, runId, made, at))
    expect(await getWorkspace(workspaceId)).toMatchObject({
      videoCounts: { 'faceless#processing': 0, 'faceless#draft': 1 },
      creditsBalance: 190,
      creditsReserved: 0,
      creditsUsed: 10,
    })
    const { Item } = await table.send(
      new GetCommand({ TableName: tableName(), Key: keys.video(workspaceId, videoId), ConsistentRead: true }),
    )
    expect(Item).not.toHaveProperty('duePk')
    expect(await kindsOf(workspaceId)).toEqual(['capture', 'reserve'])
  })

  it('refunds the reserved credits of a failed job once, however often it fails', async () => {
    const { workspaceId, videoId, runId, decision } = await creation('free')
    await commit(decision)
    const video = await getVideo(workspaceId, videoId)
    const fail = () =>
      commit(failJob(video, 'process', runId, { code: 'voice-failed', message: 'm', blocked: false }, at))
    const outcomes = await Promise.allSettled([fail(), fail(), fail()])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await getWorkspace(workspaceId)).toMatchObject({ creditsBalance: 200, creditsReserved: 0 })
  })
})

describe('a list', () => {
  it('moves a video to the top when it changes', async () => {
    const { workspaceId, workspace, videoId, runId, decision } = await creation()
    await commit(decision)
    const later = { videoId: mintId('vid', at), runId: mintId('run', at) }
    await commit(createVideo(workspace, videoInputOf({ prompt: 'y' }), later, secondsAfter(workspace.createdAt, 5)))
    const counts = async () => (await getWorkspace(workspaceId)).videoCounts
    const order = async () => {
      const { videos } = await listVideos(workspaceId, await counts(), {}, { limit: 10, offset: 0 })
      return videos.map(({ id }) => id)
    }
    expect(await order()).toEqual([later.videoId, videoId])
    await commit(beginProcess(await getVideo(workspaceId, videoId), runId, secondsAfter(workspace.createdAt, 10))!)
    expect(await order()).toEqual([videoId, later.videoId])
  })
})

describe('progress updates', () => {
  async function running(): Promise<{ video: Video; runId: string }> {
    const { workspaceId, videoId, runId, decision } = await creation()
    await commit(decision)
    await commit(beginProcess(await getVideo(workspaceId, videoId), runId, at)!)
    return { video: await getVideo(workspaceId, videoId), runId }
  }

  it('increase the value, never decrease it, and change neither version nor updatedAt', async () => {
    const { video, runId } = await running()
    await reportProgress(video, 'process', { runId }, { progress: 40, statusText: 'Half way' })
    await reportProgress(video, 'process', { runId }, { progress: 20, statusText: 'Late news' })
    const after = await getVideo(video.workspaceId, video.id)
    expect(after.process).toMatchObject({ progress: 40, statusText: 'Half way' })
    expect(after).toMatchObject({ version: video.version, updatedAt: video.updatedAt })
  })

  it('of another run, or of an attempt whose lease was taken over, are refused', async () => {
    const { video, runId } = await running()
    const first = await claimAttempt(video.workspaceId, video.id, 'process', runId)
    const second = await claimAttempt(video.workspaceId, video.id, 'process', runId)
    const note = (run: { runId: string; attempt?: number }) => reportProgress(video, 'process', run, { progress: 50 })
    await expect(note({ runId: 'run_other' })).rejects.toMatchObject({ name: 'Superseded' })
    await expect(note({ runId, attempt: first.process!.attempt })).rejects.toMatchObject({ name: 'Superseded' })
    await expect(note({ runId, attempt: second.process!.attempt })).resolves.toBeUndefined()
  })

  it('are not overwritten by a commit that was decided earlier', async () => {
    const { video, runId } = await running()
    await reportProgress(video, 'process', { runId }, { progress: 60 })
    const renamed = { ...video, title: 'New', version: video.version + 1 }
    await commit({
      workspaceId: video.workspaceId,
      at,
      changes: [{ record: 'video', before: video, after: renamed }],
      charges: [],
      events: [],
      starts: [],
    })
    expect(await getVideo(video.workspaceId, video.id)).toMatchObject({ title: 'New', process: { progress: 60 } })
  })
})
