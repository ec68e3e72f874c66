/** Synchronous jobs: one at a time, with one charge and one result, across retries and crashes. */
import { describe, expect, it } from 'vitest'
import { handler as writeDescription } from '../../functions/pipelines/act/write-description.ts'
import { now } from '../../lib/clock.ts'
import { timeoutError } from '../../lib/domain/core/failures.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { Refusal } from '../../lib/domain/core/refusal.ts'
import { secondsAfter } from '../../lib/domain/core/time.ts'
import type { IdempotencyScope } from '../../lib/domain/records/idempotency-scope.ts'
import type { SyncJob } from '../../lib/domain/records/sync-job.ts'
import { setDescription } from '../../lib/domain/videos/edits.ts'
import { claimSyncJob, syncJobResponse } from '../../lib/domain/videos/sync-job-transitions.ts'
import { priceOf } from '../../lib/domain/workspaces/price.ts'
import type { Workspace } from '../../lib/domain/workspaces/workspace.ts'
import { commit, IdempotencyKeyUsed } from '../../lib/store/core/commit.ts'
import { keys } from '../../lib/store/core/keys.ts'
import { claimSyncJobAttempt, findSyncJob } from '../../lib/store/sync-jobs.ts'
import { getVideo } from '../../lib/store/videos.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { recoverStalled } from '../../lib/use-cases/recovery/recover-stalled.ts'
import { completeSyncJob, failSyncJobAttempt } from '../../lib/use-cases/sync-jobs/complete-sync-job.ts'
import { runSyncJob } from '../../lib/use-cases/sync-jobs/run-sync-job.ts'
import { creditLedgerOf } from '../support/credit-ledger.ts'
import { callApi, newWorld } from '../support/world.ts'
import { rule } from './rules/rule.ts'

/** A video of a workspace with 190 credits left. */
async function given() {
  const world = await newWorld({ planId: 'free' })
  const { body } = await callApi('POST', '/videos', { key: world.apiKey, body: { prompt: 'Why cats knead blankets' } })
  const videoId: string = body.data.id
  const path = `/videos/${videoId}/description`
  const place = { workspaceId: world.workspaceId, videoId, kind: 'description' as const, target: '' }
  return {
    ...world,
    videoId,
    place,
    /** A job and its request, as the route passes them on without a key. */
    wish: { kind: place.kind, target: place.target, input: { prompt: null } },
    request: { workspaceId: world.workspaceId, idempotencyScope: null, quote: undefined, waitSeconds: 25 },
    ask: (key?: string, prompt?: string) =>
      callApi('POST', path, {
        key: world.apiKey,
        headers: key ? { 'Idempotency-Key': key } : {},
        ...(prompt ? { body: { prompt } } : {}),
      }),
    /** A job that was claimed by a worker which then died, or has not started. */
    claim: async (key: string | null, startedAt = now()) => {
      const [workspace, video] = await Promise.all([
        getWorkspace(world.workspaceId),
        getVideo(world.workspaceId, videoId),
      ])
      const idempotencyScope: IdempotencyScope | null = key
        ? { method: 'POST', path: `/v1${path}`, key, bodyHash: '' }
        : null
      const wish = { kind: 'description' as const, target: '', input: { prompt: null }, idempotencyScope }
      const price = priceOf(workspace, 10, 'video', now())
      const { run, decision } = claimSyncJob(workspace, video, undefined, wish, price, mintId('run', now()), {
        arrivedAt: startedAt,
        now: startedAt,
        waitSeconds: 25,
      })
      await commit(decision!)
      return run
    },
    balance: async () => (await callApi('GET', '/', { key: world.apiKey })).body.data.credits.balance,
  }
}

describe('a synchronous action', () => {
  rule('idempotency.synchronous-join', async () => {
    const { ask, claim, balance } = await given()
    await claim('one')
    const retry = await ask('one')
    expect(retry).toMatchObject({ status: 409, body: { error: { code: 'idempotency-in-progress' } } })
    expect(Number(retry.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await ask('two')).toMatchObject({ status: 409, body: { error: { code: 'job-in-progress' } } })
    expect(await ask(undefined, 'Another wish')).toMatchObject({
      status: 409,
      body: { error: { code: 'job-in-progress' } },
    })
    expect(await balance()).toBe(180)
  })

  rule('idempotency.keyless-join', async () => {
    const { claim, place, wish, request, balance, videoId, workspaceId } = await given()
    const { runId } = await claim(null)
    // As the route does it, but with a signal for when the running job was seen.
    const join = () => {
      const seen = Promise.withResolvers<void>()
      const price = (workspace: Workspace) => priceOf(workspace, 10, 'video', now())
      const plan = { ...wish, check: () => seen.resolve(), price }
      return { seen: seen.promise, answer: runSyncJob(videoId, plan, request) }
    }
    const joined = [join(), join()]
    await Promise.all(joined.map(({ seen }) => seen))
    await writeDescription({ ...place, runId })
    const [first, second] = await Promise.all(joined.map(({ answer }) => answer))
    expect(first).toMatchObject({ videoId: place.videoId, description: expect.any(String) })
    expect(second).toEqual(first)
    expect(await balance()).toBe(180)
    expect((await creditLedgerOf(workspaceId)).filter(({ runId: of }) => of === runId).map(({ kind }) => kind)).toEqual(
      ['capture', 'reserve'],
    )
  })

  it('200: a duplicate that looked for its response before the first request ended replays it, also after another job', async () => {
    const { ask, balance, wish, request, videoId } = await given()
    await ask('one', 'Short')
    await ask('two', 'Long')
    const left = await balance()
    const path = `/v1/videos/${videoId}/description`
    const idempotencyScope = { method: 'POST', path, key: 'one', bodyHash: '' }
    const plan = { ...wish, check: () => {}, price: () => Promise.reject(new Error('It is not priced again.')) }
    await expect(runSyncJob(videoId, plan, { ...request, idempotencyScope })).rejects.toThrow(IdempotencyKeyUsed)
    expect(await balance()).toBe(left)
  })

  it('409: work whose target was edited away meanwhile is charged, and the message says so', async () => {
    const { claim, place, balance, workspaceId } = await given()
    await completeSyncJob(await claim(null), () => {
      throw new Refusal('conflict', 'The scene was deleted.')
    })
    const error = { code: 'conflict', message: 'The scene was deleted. The work was done and is charged.' }
    expect(await findSyncJob(place)).toMatchObject({ status: 'FAILED', error })
    expect(await balance()).toBe(180)
    expect(await getWorkspace(workspaceId)).toMatchObject({ creditsUsed: 10 })
  })

  it('a worker that was taken over can neither complete nor fail the job; the newest one completes it once', async () => {
    const { claim, place, balance, workspaceId } = await given()
    const { runId } = await claim(null)
    const [overtaken, newest] = [await claimSyncJobAttempt(place, runId), await claimSyncJobAttempt(place, runId)]
    const complete = (worker: SyncJob, description: string) =>
      completeSyncJob(worker, (video) => ({
        decision: setDescription(video, description, null, now()),
        answer: { description },
      }))
    await expect(complete(overtaken, 'Of the slower.')).rejects.toMatchObject({ name: 'Superseded' })
    await expect(failSyncJobAttempt(overtaken, timeoutError)).rejects.toMatchObject({ name: 'Superseded' })
    expect(await findSyncJob(place)).toMatchObject({ status: 'RUNNING', attempt: 2 })
    await complete(newest, 'Of the newest.')
    await expect(failSyncJobAttempt(newest, timeoutError)).rejects.toMatchObject({ name: 'Superseded' })
    expect(syncJobResponse((await findSyncJob(place))!)).toEqual({ description: 'Of the newest.' })
    expect(await balance()).toBe(180)
    expect((await creditLedgerOf(workspaceId)).filter((entry) => entry.runId === runId)).toHaveLength(2)
  })

  it('fails by its newest worker: the credits are released', async () => {
    const { claim, place, balance } = await given()
    const { runId } = await claim(null)
    await failSyncJobAttempt(await claimSyncJobAttempt(place, runId), timeoutError)
    expect(await findSyncJob(place)).toMatchObject({ status: 'FAILED', error: { code: 'timeout' } })
    expect(await balance()).toBe(190)
  })

  it('200: a request that arrived before the run ended gets its result, even if the run ended first', async () => {
    const { claim, place, balance } = await given()
    const arrivedAt = now()
    const { runId } = await claim(null)
    await writeDescription({ ...place, runId })
    const [workspace, video, newest] = await Promise.all([
      getWorkspace(place.workspaceId),
      getVideo(place.workspaceId, place.videoId),
      findSyncJob(place),
    ])
    const wish = { kind: 'description' as const, target: '', input: { prompt: null }, idempotencyScope: null }
    const asked = (arrived: string) => {
      const price = priceOf(workspace, 10, 'video', now())
      return claimSyncJob(workspace, video, newest, wish, price, 'run_late', {
        arrivedAt: arrived,
        now: now(),
        waitSeconds: 25,
      })
    }
    expect(asked(arrivedAt)).toMatchObject({ run: { runId, status: 'COMPLETED' }, decision: undefined })
    const later = asked(secondsAfter(now(), 1))
    expect(later.run).toMatchObject({ runId: 'run_late', status: 'RUNNING', previous: { runId, status: 'COMPLETED' } })
    expect(await balance()).toBe(180)
  })

  it('200: a retry after a 503, without a key, gets the result of the run and is charged once', async () => {
    const { ask, claim, place, wish, request, balance, videoId } = await given()
    // Longer than a request waits: the request that claimed it has got a 503, as for every job that needs a task.
    const { runId } = await claim(null, secondsAfter(now(), -40))
    await writeDescription({ ...place, runId })
    const again = () => runSyncJob(videoId, { ...wish, check: () => {}, price: refuse }, request)
    const refuse = () => Promise.reject(new Error('What was paid is not priced again: there may be no credits left.'))
    expect((await ask()).body.data).toMatchObject({ videoId: place.videoId, description: expect.any(String) })
    expect(await again()).toMatchObject({ videoId: place.videoId })
    expect(await findSyncJob(place)).toMatchObject({ runId, status: 'COMPLETED' })
    expect(await balance()).toBe(180)
    const [workspace, video, newest] = await Promise.all([
      getWorkspace(place.workspaceId),
      getVideo(place.workspaceId, place.videoId),
      findSyncJob(place),
    ])
    const later = secondsAfter(now(), 60)
    const price = priceOf(workspace, 10, 'video', now())
    const wanted = { ...wish, idempotencyScope: null }
    const { run } = claimSyncJob(workspace, video, newest, wanted, price, 'run_late', {
      arrivedAt: later,
      now: later,
      waitSeconds: 25,
    })
    expect(run).toMatchObject({ runId: 'run_late', status: 'RUNNING' })
  })

  it('200 or 409: concurrent requests with one key run once; each gets the result or `idempotency-in-progress`', async () => {
    const { ask, balance } = await given()
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask('one')))
    const done = answers.filter(({ status }) => status === 200)
    expect(answers.every(({ status, body }) => status === 200 || body.error.code === 'idempotency-in-progress')).toBe(
      true,
    )
    expect(new Set(done.map(({ body }) => body.data.description)).size).toBe(1)
    expect(await balance()).toBe(180)
    expect((await ask('one')).headers.get('idempotent-replayed')).toBe('true')
  })

  it('a job that died fails at its deadline: its credits are released and it can be requested again', async () => {
    const { ask, claim, place, balance, workspaceId, videoId } = await given()
    await claim('one', secondsAfter(now(), -301))
    await recoverStalled(keys.syncJob(workspaceId, videoId, 'description', ''))
    expect(await findSyncJob(place)).toMatchObject({ status: 'FAILED', error: { code: 'timeout' } })
    expect(await balance()).toBe(190)
    expect((await ask('one')).status).toBe(200)
    expect(await balance()).toBe(180)
  })

  it('the sweeper starts a job that was claimed but never started', async () => {
    const { claim, place, workspaceId, videoId } = await given()
    await claim('one')
    await recoverStalled(keys.syncJob(workspaceId, videoId, 'description', ''))
    await expect.poll(async () => (await findSyncJob(place))?.status).toBe('COMPLETED')
  })

  it('402: the credits do not suffice; nothing is stored', async () => {
    const { apiKey: key, workspaceId } = await newWorld({ planId: 'free' })
    const { body } = await callApi('POST', '/videos', { key, body: { prompt: 'x', videoDuration: 'subminute' } })
    for (let spent = 10; spent < 200; spent += 10)
      expect((await callApi('POST', `/videos/${body.data.id}/description`, { key })).status).toBe(200)
    expect(await callApi('POST', `/videos/${body.data.id}/description`, { key })).toMatchObject({
      status: 402,
      body: { error: { code: 'warning-no-credits', action: 'credits' } },
    })
    expect((await getWorkspace(workspaceId)).creditsBalance).toBe(0)
  })

  it('404: the video is unknown or foreign; nothing is charged', async () => {
    const [one, other] = [await given(), await newWorld()]
    const foreign = await callApi('POST', `/videos/${one.videoId}/description`, { key: other.apiKey })
    const never = await callApi('POST', '/videos/vid_never/description', { key: other.apiKey })
    expect([foreign.status, never.status]).toEqual([404, 404])
    expect(await creditLedgerOf(other.workspaceId)).toEqual([])
  })
})
