/** Invocations of the media function: their time limits, and an order at a vendor that never finishes. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { parseInvocation, runInvocation } from '../../containers/media/invocation.ts'
import { putObject } from '../../lib/aws/media-bucket.ts'
import { now } from '../../lib/clock.ts'
import { mintId } from '../../lib/domain/core/id.ts'
import { claimSyncJob } from '../../lib/domain/videos/sync-job-transitions.ts'
import { presenterPrice } from '../../lib/domain/workspaces/plan.ts'
import { priceOf } from '../../lib/domain/workspaces/price.ts'
import type { Avatars } from '../../lib/providers/avatars/index.ts'
import { runOrder } from '../../lib/providers/vendor-orders.ts'
import { commit } from '../../lib/store/core/commit.ts'
import { findSyncJob } from '../../lib/store/sync-jobs.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { given } from '../support/given/videos.ts'
import { portraitPng, speechWav, startPictureServer } from '../support/picture-server.ts'
import { newWorld } from '../support/world.ts'

const vendor = vi.hoisted(() => ({ submitted: 0, polled: 0 }))
vi.mock('../../lib/providers/choose/avatars.ts', () => {
  const api = {
    name: 'Studio',
    isIdempotent: true,
    submit: async () => `order-${++vendor.submitted}`,
    poll: async () => {
      vendor.polled++
      return undefined
    },
    collect: () => Promise.reject(new Error('There is nothing to collect.')),
  }
  let clock = 0
  const policy = { pollMs: 1_000, now: () => clock, wait: async (ms: number) => (clock += ms) }
  const avatars: Avatars = { id: 'studio-1', speak: (input, context) => runOrder(api, input, context, policy) }
  return { chooseAvatars: async () => avatars }
})

/** The command of a presenter that a request waits for. */
async function presenterCommand(): Promise<string[]> {
  const server = await startPictureServer({ '/clara.png': async (answer) => answer.end(await portraitPng(200, 200)) })
  onTestFinished(() => server.close())
  const { workspaceId } = await newWorld()
  const segment = { id: 'brl_1', startMs: 0, endMs: 2_000, text: 'Sleep.', prompt: 'Sleep.', keywords: [] }
  const bRolls = [{ ...segment, mediaType: 'ai_image' as const, hidden: false, media: null }]
  const video = await given.generatedVideo({ workspaceId }, { bRolls })
  await putObject(video.media.audioKey!, speechWav(3), 'audio/wav')
  const at = now()
  const workspace = await getWorkspace(workspaceId)
  const { run, decision } = claimSyncJob(
    workspace,
    video,
    undefined,
    { kind: 'presenter', target: 'brl_1', input: { imageUrl: server.url('/clara.png') }, idempotencyScope: null },
    priceOf(workspace, presenterPrice(2_000), 'avatar', at),
    mintId('run', at),
    { arrivedAt: at, now: at, waitSeconds: 25 },
  )
  await commit(decision!)
  return ['make-presenter', workspaceId, video.id, run.runId, run.kind, run.target]
}

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString()

describe('an order that the vendor never finishes', () => {
  it('is pending as long as its state permits, then a failure; it is placed once and leaves the job open', async () => {
    const command = await presenterCommand()
    const invoke = (startedAt: string) =>
      runInvocation(parseInvocation({ command, startedAt, pendingSecondsMax: 180 }, Date.now() + 180_000))
    expect(await invoke(secondsAgo(0))).toEqual({ outcome: 'pending' })
    expect(await invoke(secondsAgo(120))).toEqual({ outcome: 'pending' })
    await expect(invoke(secondsAgo(180))).rejects.toMatchObject({ name: 'OrderPending' })
    expect(vendor.submitted).toBe(1)
    expect(vendor.polled).toBeGreaterThan(2)
    const [, workspaceId = '', videoId = '', , , target = ''] = command
    expect(await findSyncJob({ workspaceId, videoId, kind: 'presenter', target })).toMatchObject({
      status: 'RUNNING',
      attempt: 3,
    })
  })

  it('is a failure at once where the state has nothing to wait with', async () => {
    const invocation = parseInvocation({ command: await presenterCommand() }, Date.now() + 180_000)
    await expect(runInvocation(invocation)).rejects.toMatchObject({ name: 'OrderPending' })
  })
})

describe('the time limit of an invocation', () => {
  const command = ['canary', '-', '-', 'run_1']

  it('is that of its state where the function has more time, else that of the function', () => {
    const functionEndsAt = Date.now() + 180_000
    expect(parseInvocation({ command }, functionEndsAt).endsAt).toBe(functionEndsAt)
    expect(parseInvocation({ command, timeoutSeconds: 600 }, functionEndsAt).endsAt).toBe(functionEndsAt)
    expect(parseInvocation({ command, timeoutSeconds: 70 }, functionEndsAt).endsAt).toBeLessThan(Date.now() + 70_001)
  })
})
