/** What a worker of the media container may still do after a newer worker has claimed its run: nothing. */
import { describe, expect, it } from 'vitest'
import { type Command, claimedJobCommand, syncJobCommand } from '../../containers/media/command.ts'
import { now } from '../../lib/clock.ts'
import { JobFailure } from '../../lib/domain/core/failures.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { requestRender } from '../../lib/domain/videos/job-transitions.ts'
import { claimSyncJob } from '../../lib/domain/videos/sync-job-transitions.ts'
import { priceOf } from '../../lib/domain/workspaces/price.ts'
import { commit } from '../../lib/store/core/commit.ts'
import { findSyncJob } from '../../lib/store/sync-jobs.ts'
import { getVideo } from '../../lib/store/videos.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { changeVideo } from '../../lib/use-cases/videos/change-video.ts'
import { given } from '../support/given/videos.ts'
import { newWorld } from '../support/world.ts'

const noWork = async () => async () => {}
const failure = new JobFailure('visuals-failed', 'The picture shows nothing.')

async function givenRun() {
  const { workspaceId } = await newWorld()
  const { id: videoId } = await given.generatedVideo({ workspaceId })
  return { workspaceId, videoId, runId: mintId('run', now()) }
}

/** Two workers of one run, of which the first was taken over. */
async function claimTwice(command: Command, run: Awaited<ReturnType<typeof givenRun>>, rest: string[] = []) {
  const overtaken = await command.claim(run, rest)
  return { overtaken, newest: await command.claim(run, rest) }
}

describe('the failure of a worker that was taken over', () => {
  it('does not end a render whose scenes are animated before it begins; that of the newest does', async () => {
    const run = await givenRun()
    const workspace = await getWorkspace(run.workspaceId)
    await changeVideo(run, (video) => requestRender(workspace, video, run.runId, now()))
    const command = claimedJobCommand('render', 'visuals-failed', noWork, 'QUEUED')
    const { overtaken, newest } = await claimTwice(command, run)
    const render = async () => (await getVideo(run.workspaceId, run.videoId)).render
    await expect(overtaken.fail(failure)).rejects.toMatchObject({ name: 'Superseded' })
    expect(await render()).toMatchObject({ status: 'QUEUED', attempt: 2 })
    await newest.fail(failure)
    expect(await render()).toMatchObject({ status: 'FAILED', error: { code: 'visuals-failed' } })
  })

  it('does not end a synchronous job; that of the newest does', async () => {
    const run = await givenRun()
    const [workspace, video] = [await getWorkspace(run.workspaceId), await getVideo(run.workspaceId, run.videoId)]
    const at = now()
    const { decision } = claimSyncJob(
      workspace,
      video,
      undefined,
      { kind: 'image', target: 'scn_1', input: {}, idempotencyScope: null },
      priceOf(workspace, 10, 'video', at),
      run.runId,
      { arrivedAt: at, now: at, waitSeconds: 25 },
    )
    await commit(decision!)
    const { overtaken, newest } = await claimTwice(syncJobCommand('visuals-failed', noWork), run, ['image', 'scn_1'])
    const job = () => findSyncJob({ ...run, kind: 'image', target: 'scn_1' })
    await expect(overtaken.fail(failure)).rejects.toMatchObject({ name: 'Superseded' })
    expect(await job()).toMatchObject({ status: 'RUNNING', attempt: 2 })
    await newest.fail(failure)
    expect(await job()).toMatchObject({ status: 'FAILED', error: { code: 'visuals-failed' } })
  })
})
