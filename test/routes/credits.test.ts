/** What a generation costs, what it counts against, and what refuses it. */
import { describe, expect } from 'vitest'
import { plans } from '../../lib/domain/workspaces/plan.ts'
import { priceOfGeneration } from '../../lib/domain/workspaces/price.ts'
import { countObject } from '../../lib/store/storage-usage.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { briefWith, workspaceOn } from '../domain/support/videos.ts'
import { creditLedgerOf } from '../support/credit-ledger.ts'
import { given } from '../support/given/videos.ts'
import { callApi, failGeneration, newWorld, type World } from '../support/world.ts'
import { rule } from './rules/rule.ts'

const create = ({ apiKey }: World, brief: object = {}) =>
  callApi('POST', '/videos', { key: apiKey, body: { prompt: 'x', ...brief } })
const accountOf = async ({ apiKey }: World) => (await callApi('GET', '/', { key: apiKey })).body.data
const refused = (code: string, action: string) => ({
  status: 402,
  body: { error: { status: 402, code, action, message: expect.any(String), blocked: true } },
})

describe('a generation', () => {
  rule(['videos.create.charges-credits', 'videos.create.counts-generation'], async () => {
    const world = await newWorld({ planId: 'starter' })
    await create(world)
    await create(world, { videoDuration: 'short' })
    expect(await accountOf(world)).toMatchObject({
      credits: { balance: 2_000 - 10 - 30 },
      limits: { generations: { used: 2, limit: 100 } },
    })
  })

  rule('videos.create.no-credits', async () => {
    const world = await newWorld({ planId: 'starter' })
    for (let made = 0; made < 66; made++) await create(world, { videoDuration: 'short' })
    expect((await accountOf(world)).credits.balance).toBe(20)
    expect(await create(world, { videoDuration: 'short' })).toMatchObject(refused('warning-no-credits', 'credits'))
    expect(await create(world)).toMatchObject({ status: 201 })
  })

  rule('videos.create.plan-generations', async () => {
    const world = await newWorld({ planId: 'free' })
    for (let made = 0; made < 10; made++) expect(await create(world)).toMatchObject({ status: 201 })
    expect(await create(world)).toMatchObject(refused('warning-plan-generations', 'upgrade'))
  })

  rule('videos.create.plan-storage', async () => {
    const world = await newWorld({ planId: 'free' })
    const { id } = (await create(world)).body.data
    const workspace = await getWorkspace(world.workspaceId)
    await countObject({ workspace, videoId: id }, 'sources/large.mp4', plans.free.storageBytesMax!)
    expect(await create(world)).toMatchObject(refused('warning-plan-storage', 'upgrade'))
  })

  rule('videos.create.plan-duration', async () => {
    const world = await newWorld({ planId: 'free' })
    expect(await create(world, { videoDuration: 'short' })).toMatchObject(refused('warning-plan-duration', 'upgrade'))
    expect(await create(world, { targetDuration: 61 })).toMatchObject(refused('warning-plan-duration', 'upgrade'))
    expect(await create(world, { targetDuration: 60 })).toMatchObject({ status: 201 })
  })

  rule('limits.generation-counts', async () => {
    const world = await newWorld({ planId: 'free' })
    const before = await accountOf(world)
    await given.generatedVideo(world)
    const after = await accountOf(world)
    expect(after.credits.balance).toBe(before.credits.balance - 10)
    expect(after.limits.generations.used).toBe(1)
    expect(after.limits.storage.usedBytes).toBeGreaterThan(before.limits.storage.usedBytes)
    expect((await create(world, { videoDuration: 'medium' })).status).toBe(402)
  })

  rule('prices.generation', async () => {
    const prices: [object, number][] = [
      [{ videoDuration: 'subminute' }, 10],
      [{ videoDuration: 'short' }, 30],
      [{ videoDuration: 'medium' }, 100],
      [{ targetDuration: 1 }, 10],
      [{ targetDuration: 60 }, 10],
      [{ targetDuration: 61 }, 20],
      [{ targetDuration: 600 }, 100],
    ]
    for (const [brief, credits] of prices) {
      const world = await newWorld({ planId: 'pro' })
      await create(world, brief)
      expect((await accountOf(world)).credits.balance, JSON.stringify(brief)).toBe(10_000 - credits)
    }
    const expressive = briefWith({ videoDuration: 'short', voiceProvider: 'expressive' })
    expect(priceOfGeneration(workspaceOn('pro'), expressive, '2026-11-02T09:00:00.000Z').credits).toBe(48)
  })

  rule('credits.reserved', async () => {
    const world = await newWorld({ planId: 'free' })
    const { id } = (await create(world)).body.data
    expect((await accountOf(world)).credits).toMatchObject({ balance: 190, used: 0 })
    await given.generatedVideo(world)
    expect((await accountOf(world)).credits).toMatchObject({ balance: 180, used: 10 })
    await failGeneration(world, id)
    expect((await accountOf(world)).credits).toMatchObject({ balance: 190, used: 10 })
  })
})

describe('the ledger', () => {
  rule('credits.ledger', async () => {
    const world = await newWorld({ planId: 'free' })
    const { id } = (await create(world)).body.data
    const reserved = await creditLedgerOf(world.workspaceId)
    expect(reserved).toMatchObject([{ kind: 'reserve', credits: 10 }])
    await failGeneration(world, id)
    const released = await creditLedgerOf(world.workspaceId)
    expect(released).toEqual(expect.arrayContaining(reserved))
    expect(released.map(({ kind }) => kind).toSorted()).toEqual(['release', 'reserve'])
  })
})

describe('the plans', () => {
  const gigabyte = 1024 ** 3
  const rows: [keyof typeof plans, ...(number | boolean | null)[]][] = [
    ['free', 200, 10, gigabyte, 60, 180, 0, false],
    ['starter', 2_000, 100, 20 * gigabyte, 180, 720, 3, true],
    ['pro', 10_000, 500, 100 * gigabyte, 600, 1_800, 20, true],
    ['scale', 60_000, 3_000, 1024 * gigabyte, 600, 3_600, 100, true],
  ]
  const told = ({ plan, credits, limits }: Awaited<ReturnType<typeof accountOf>>) => [
    plan.id,
    credits.granted,
    limits.generations.limit,
    limits.storage.limitBytes,
    limits.maxDurationSeconds,
    limits.maxRenderSeconds,
    limits.automations.limit,
    limits.publishing,
  ]

  rule('plans.table', async () => {
    for (const row of rows) expect(told(await accountOf(await newWorld({ planId: row[0] })))).toEqual(row)
  })

  rule('plans.self-hosted', async () => {
    const world = await newWorld({ planId: 'self-hosted' })
    const [id, ...limits] = told(await accountOf(world))
    expect([id, ...limits]).toEqual(['self-hosted', null, null, null, null, null, null, true])
    for (let made = 0; made < 12; made++) expect((await create(world, { videoDuration: 'medium' })).status).toBe(201)
  })
})
