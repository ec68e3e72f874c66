/** A job whose vendor stays busy: the call is retried with backoff, then the client gets an error. */
import { describe, expect, it } from 'vitest'
import { retryWhileBusy } from '../../containers/media/retry-while-busy.ts'
import { handler as fail } from '../../functions/pipelines/generate/fail.ts'
import { now } from '../../lib/clock.ts'
import { ProviderBusy, ProviderRejected } from '../../lib/domain/core/failures.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { createVideo } from '../../lib/domain/videos/create-video.ts'
import { beginProcess } from '../../lib/domain/videos/job-transitions.ts'
import { exitCodes } from '../../lib/pipelines/exit-codes.ts'
import { OrderPending } from '../../lib/providers/vendor-orders.ts'
import { commit } from '../../lib/store/core/commit.ts'
import { getVideo } from '../../lib/store/videos.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { changeVideo } from '../../lib/use-cases/videos/change-video.ts'
import { newWorld, videoInputOf } from '../support/world.ts'

const { signal } = new AbortController()

describe('a busy vendor', () => {
  it('is retried with exponential backoff, up to a limit', async () => {
    const pauses: number[] = []
    let asked = 0
    const busy = async () => {
      asked += 1
      throw new ProviderBusy('Busy.')
    }
    await expect(retryWhileBusy(busy, signal, async (ms) => pauses.push(ms))).rejects.toThrow('Busy.')
    expect(asked).toBe(4)
    expect(pauses).toEqual([2_000, 4_000, 8_000])
  })

  it.each([
    ['refuses', new ProviderRejected('Never.')],
    ['is still at it when it was waited for', new OrderPending('Not yet.')],
  ])('is distinguished from one that %s', async (_, error) => {
    let asked = 0
    const ask = async () => {
      asked += 1
      throw error
    }
    await expect(retryWhileBusy(ask, signal, async () => {})).rejects.toBe(error)
    expect(asked).toBe(1)
  })
})

describe('a job', () => {
  it.each([
    [exitCodes.providerBusy, 'provider-unavailable'],
    [exitCodes.failed, 'visuals-failed'],
    [137, 'visuals-failed'],
  ])('whose last task ended with %i fails with %s', async (ExitCode, code) => {
    const { workspaceId } = await newWorld()
    const run = { workspaceId, videoId: mintId('vid', now()), runId: mintId('run', now()) }
    await commit(createVideo(await getWorkspace(workspaceId), videoInputOf({ prompt: 'An idea' }), run, now()))
    await changeVideo(run, (video) => beginProcess(video, run.runId, now()))
    const Cause = JSON.stringify({ Containers: [{ Name: 'render', ExitCode }], StopCode: 'EssentialContainerExited' })
    const done = { begun: { work: 'generate', type: 'faceless' }, script: {}, narration: {}, visuals: {} }
    await fail({ ...run, ...done, error: { Error: 'States.TaskFailed', Cause } })
    const { process } = await getVideo(workspaceId, run.videoId)
    expect(process).toMatchObject({ status: 'FAILED', error: { code, blocked: false } })
  })
})
