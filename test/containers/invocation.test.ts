/** Invocations of the media function: their time limits, and orders at a vendor that takes long or never finishes. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { runCommand } from '../../containers/media/commands.ts'
import { parseInvocation, runInvocation } from '../../containers/media/invocation.ts'
import { putObject } from '../../lib/aws/media-bucket.ts'
import { now } from '../../lib/clock.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { claimSyncJob } from '../../lib/domain/videos/sync-job-transitions.ts'
import { presenterPrice } from '../../lib/domain/workspaces/plan.ts'
import { priceOf } from '../../lib/domain/workspaces/price.ts'
import type { AvatarInput, Avatars } from '../../lib/providers/avatars/index.ts'
import { runOrder } from '../../lib/providers/vendor-orders.ts'
import { commit } from '../../lib/store/core/commit.ts'
import { findSyncJob } from '../../lib/store/sync-jobs.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { creditLedgerOf } from '../support/credit-ledger.ts'
import { tinyVideo } from '../support/fake-vendors/media.ts'
import { given } from '../support/given/videos.ts'
import { portraitPng, speechWav, startPictureServer } from '../support/picture-server.ts'
import { newWorld } from '../support/world.ts'

const vendor = vi.hoisted(() => ({ submitted: 0, polled: 0, isDone: false, clip: new Uint8Array() }))
vi.mock('../../lib/providers/choose/avatars.ts', () => {
  const api = {
    name: 'Studio',
    isIdempotent: true,
    submit: async () => `order-${++vendor.submitted}`,
    poll: async () => {
      vendor.polled++
      return vendor.isDone ? '/clip' : undefined
    },
    collect: async (_address: string, { durationMs, width, height }: AvatarInput) => ({
      bytes: vendor.clip,
      durationMs,
      width,
      height,
    }),
  }
  const avatars: Avatars = { id: 'studio-1', speak: (input, context) => runOrder(api, input, context) }
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

/** A presenter whose order is pending; `isDone` ends it. What the vendor and the client see. */
async function pendingOrder() {
  Object.assign(vendor, { submitted: 0, polled: 0, isDone: false, clip: await tinyVideo() })
  const command = await presenterCommand()
  const [, workspaceId = '', videoId = '', runId, , target = ''] = command
  return {
    command,
    job: () => findSyncJob({ workspaceId, videoId, kind: 'presenter', target }),
    ledger: async () =>
      (await creditLedgerOf(workspaceId))
        .filter((entry) => entry.runId === runId)
        .map(({ kind }) => kind)
        .toSorted(),
    /** As a function, so many seconds after the execution started. */
    invoke: (seconds: number) =>
      runInvocation(parseInvocation({ command, startedAt: secondsAgo(seconds) }, Date.now() + 180_000)),
    /** As a task. */
    run: (seconds: number) =>
      runCommand(command, { signal: new AbortController().signal, startedAt: secondsAgo(seconds) }),
  }
}

describe('an order that a vendor takes minutes for', () => {
  it('is placed once and polled once by each worker, be it a function or a task, until it is done after 15 minutes', async () => {
    const { invoke, run, job, ledger } = await pendingOrder()
    expect(await invoke(0)).toEqual({ outcome: 'pending' })
    expect(await run(70)).toEqual({ outcome: 'pending' })
    expect(await invoke(899)).toEqual({ outcome: 'pending' })
    expect(vendor).toMatchObject({ submitted: 1, polled: 3 })
    expect(await job()).toMatchObject({ status: 'RUNNING', attempt: 3 })
    vendor.isDone = true
    expect(await invoke(900)).toEqual({ outcome: 'done' })
    expect(await job()).toMatchObject({ status: 'COMPLETED' })
    expect(vendor).toMatchObject({ submitted: 1, polled: 4 })
    expect(await ledger()).toEqual(['capture', 'reserve'])
  })

  it.each(['invoke', 'run'] as const)(
    'is waited for until 20 minutes have passed, then the job fails with the reason (%s)',
    async (worker) => {
      const { [worker]: work, job, ledger } = await pendingOrder()
      await work(0)
      expect(await work(1_190)).toEqual({ outcome: 'pending' })
      expect(await job()).toMatchObject({ status: 'RUNNING' })
      expect(await work(1_200)).toEqual({ outcome: 'done' })
      const message =
        'A vendor did not finish an order within 20 minutes: try again later, the same order is then continued.'
      expect(await job()).toMatchObject({
        status: 'FAILED',
        error: { code: 'provider-unavailable', message, blocked: false },
      })
      expect(vendor).toMatchObject({ submitted: 1, polled: 3 })
      expect(await ledger()).toEqual(['release', 'reserve'])
    },
  )
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
