/** The `Idempotency-Key` header, shown on the creation of videos; `generated/idempotency.test.ts` holds it for every row. */
import { describe, expect, it } from 'vitest'
import { now } from '../../lib/clock.ts'
import { sortedRoutes } from '../../lib/contract/openapi/document.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { secondsAfter } from '../../lib/domain/core/time.ts'
import { createVideo } from '../../lib/domain/videos/create-video.ts'
import { findReplay } from '../../lib/http/idempotent-replay.ts'
import { commit, IdempotencyKeyUsed } from '../../lib/store/core/commit.ts'
import { WriteConflict } from '../../lib/store/core/write-conflict.ts'
import { findStoredResponse } from '../../lib/store/idempotency.ts'
import { getVideo } from '../../lib/store/videos.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { creditLedgerOf } from '../support/credit-ledger.ts'
import { callApi, newWorld, videoInputOf, type World } from '../support/world.ts'
import { rule } from './rules/rule.ts'

const create = ({ apiKey }: World, key: string | undefined, body: unknown = { prompt: 'x' }) =>
  callApi('POST', '/videos', { key: apiKey, body, headers: key === undefined ? {} : { 'Idempotency-Key': key } })

const accountOf = async ({ apiKey }: World) => (await callApi('GET', '/', { key: apiKey })).body.data

const totalOf = async ({ apiKey }: World) => (await callApi('GET', '/videos', { key: apiKey })).body.paging.total

/** A decision that waits to be committed, and the answer that a request with a key would leave. */
async function pending() {
  const world = await newWorld({ planId: 'free' })
  const workspace = await getWorkspace(world.workspaceId)
  const at = now()
  const ids = { videoId: mintId('vid', at), runId: mintId('run', at) }
  const decision = createVideo(workspace, videoInputOf({ prompt: 'x' }), ids, at)
  const { workspaceId } = world
  const scope = { method: 'POST', path: '/v1/videos', key: 'one', bodyHash: 'h' }
  return { world, at, decision, scope, ...ids, answer: { ...scope, workspaceId, status: 201, body: '{}', at } }
}

describe('an Idempotency-Key', () => {
  rule('idempotency.optional', async () => {
    const world = await newWorld()
    expect((await create(world, undefined)).status).toBe(201)
    expect((await create(world, undefined)).status).toBe(201)
    expect(await totalOf(world)).toBe(2)
  })

  rule('idempotency.marked-actions', () => {
    const onVideos = ['clips', 'convert', 'publish', 'description', 'process', 'render', 'script']
    const marked = [
      'POST /videos',
      ...onVideos.map((action) => `POST /videos/{id}/${action}`),
      'POST /videos/{id}/brolls/{brollId}/presenter',
      'POST /videos/{id}/presentation-scenes/recut',
      'POST /automations/{id}/run',
      // Not marked itself, but it generates and charges, as `POST /videos` does.
      'POST /automations',
      'POST /webhooks/{id}/replay',
      // A key is shown once: a lost response would lose it.
      'POST /keys',
    ]
    const expected = sortedRoutes.map(({ row }) => [row.signature, marked.includes(row.signature)])
    expect(sortedRoutes.map(({ row }) => [row.signature, row.idempotent ?? false])).toEqual(expected)
  })

  rule(['idempotency.replays-first-answer', 'idempotency.first-status', 'idempotency.replay-header'], async () => {
    const world = await newWorld()
    const first = await create(world, 'one')
    expect(first.headers.has('idempotent-replayed')).toBe(false)
    const again = await create(world, 'one')
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.headers.get('x-request-id')).toBeTruthy()
  })

  rule('idempotency.acts-once', async () => {
    const world = await newWorld({ planId: 'free' })
    for (let time = 0; time < 3; time++) await create(world, 'one')
    expect(await totalOf(world)).toBe(1)
    expect(await accountOf(world)).toMatchObject({ credits: { balance: 190 }, limits: { generations: { used: 1 } } })
  })

  rule(['idempotency.key-length', 'limits.idempotency-key'], async () => {
    const world = await newWorld()
    for (const key of ['a', crypto.randomUUID(), 'a'.repeat(255)]) expect((await create(world, key)).status).toBe(201)
    for (const key of ['', 'a'.repeat(256)])
      expect(await create(world, key)).toMatchObject({ status: 400, body: { error: { code: 'invalid-request' } } })
    expect(await totalOf(world)).toBe(3)
  })

  rule('idempotency.mismatch-header', async () => {
    const world = await newWorld()
    const first = await create(world, 'one')
    const other = await create(world, 'one', { prompt: 'something else' })
    expect(other.body).toEqual(first.body)
    expect(other.headers.get('idempotency-mismatch')).toBe('true')
    expect((await create(world, 'one')).headers.has('idempotency-mismatch')).toBe(false)
    expect(await totalOf(world)).toBe(1)
  })

  rule('idempotency.scope', async () => {
    const [here, there] = await Promise.all([newWorld(), newWorld()])
    const ids = [(await create(here, 'one')).body.data.id, (await create(there, 'one')).body.data.id]
    expect(ids[0]).not.toBe(ids[1])
    const render = await callApi('POST', `/videos/${ids[0]}/render`, {
      key: here.apiKey,
      headers: { 'Idempotency-Key': 'one' },
    })
    expect(render.headers.has('idempotent-replayed')).toBe(false)
  })

  rule('idempotency.kept-24-hours', async () => {
    const { world, at, decision, scope, answer } = await pending()
    await commit(decision, answer)
    const day = 24 * 60 * 60
    expect(await findReplay(world.workspaceId, scope, secondsAfter(at, day - 1))).toMatchObject({
      status: 201,
      body: '{}',
    })
    expect(await findReplay(world.workspaceId, scope, secondsAfter(at, day + 1))).toBeUndefined()
  })

  rule('idempotency.one-transaction', async () => {
    const lost = await pending()
    const dear = { ...lost.decision, charges: [{ ...lost.decision.charges[0]!, credits: 1_000 }] }
    await expect(commit(dear, lost.answer)).rejects.toThrow(WriteConflict)
    expect(await findStoredResponse(lost.world.workspaceId, lost.scope, lost.at)).toBeUndefined()
    const won = await pending()
    await commit(won.decision, won.answer)
    expect(await findStoredResponse(won.world.workspaceId, won.scope, won.at)).toMatchObject({ status: 201 })
    const second = { ...won.decision, changes: [], charges: [], events: [], starts: [] }
    await expect(commit(second, won.answer)).rejects.toThrow(IdempotencyKeyUsed)
    expect(await getVideo(won.world.workspaceId, won.videoId)).toMatchObject({ version: 1 })
  })

  rule('idempotency.refusals-not-kept', async () => {
    const world = await newWorld({ planId: 'free' })
    expect((await create(world, 'one', {})).status).toBe(400)
    expect((await create(world, 'one', { prompt: 'x', videoDuration: 'medium' })).status).toBe(402)
    const unknown = { ...world, apiKey: world.apiKey.slice(0, -1) }
    expect((await create(unknown, 'one')).status).toBe(401)
    const first = await create(world, 'one')
    expect([first.status, first.headers.has('idempotent-replayed')]).toEqual([201, false])
  })

  rule('idempotency.twins', async () => {
    const world = await newWorld({ planId: 'starter' })
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(world, 'one')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(answers.filter(({ headers }) => !headers.has('idempotent-replayed'))).toHaveLength(1)
    expect(await totalOf(world)).toBe(1)
    expect(await accountOf(world)).toMatchObject({
      credits: { balance: 1_990 },
      limits: { generations: { used: 1 } },
    })
    expect(await creditLedgerOf(world.workspaceId)).toMatchObject([{ kind: 'reserve', credits: 10 }])
  })

  it('201: a duplicate that arrives while the first request uses up a limit gets the response of the first', async () => {
    const free = await newWorld({ planId: 'free' })
    for (let made = 0; made < 9; made++) await create(free, undefined)
    const twins = Array.from({ length: 12 }, async (_, index) => {
      await new Promise((resolve) => setTimeout(resolve, 3 * index))
      return create(free, 'last')
    })
    const answers = await Promise.all(twins)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1)
  })
})
