/** Credits, generations and plans: prices, the ledger, and many paid requests at once. */
import { describe, expect, it, vi } from 'vitest'
import { now } from '../../lib/clock.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import type { plans } from '../../lib/domain/workspaces/plan.ts'
import { priceOfGeneration } from '../../lib/domain/workspaces/price.ts'
import { grantCredits } from '../../lib/domain/workspaces/workspace.ts'
import { commit } from '../../lib/store/core/commit.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { briefWith, workspaceOn } from '../domain/support/videos.ts'
import { creditLedgerOf } from '../support/credit-ledger.ts'
import { volume } from '../support/fuzz/volume.ts'
import { storedScene } from '../support/given/scenes.ts'
import { given } from '../support/given/videos.ts'
import { callApi, failGeneration, newWorld, type World } from '../support/world.ts'
import { rule } from './rules/rule.ts'

const create = ({ apiKey }: World, brief: object = {}) =>
  callApi('POST', '/videos', { key: apiKey, body: { prompt: 'x', ...brief } })

const accountOf = async ({ apiKey }: World) => (await callApi('GET', '/', { key: apiKey })).body.data

const times = <T>(count: number, make: () => Promise<T>) => Promise.all(Array.from({ length: count }, make))

const sumOf = (entries: { kind: string; credits: number }[], kind: string) =>
  entries.filter((entry) => entry.kind === kind).reduce((sum, { credits }) => sum + credits, 0)

describe('credits', () => {
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

  rule('prices.actions', async () => {
    const world = await newWorld({ planId: 'pro' })
    const [slides, scenes, plain] = [
      await given.generatedVideo(world, { subType: 'presentation' }),
      await given.generatedVideo(world, { type: 'ai', scenes: [storedScene(1)] }),
      await given.generatedVideo(world),
    ]
    const balance = async () => (await callApi('GET', '/', { key: world.apiKey })).body.data.credits.balance
    const costOf = async (path: string) => {
      const before = await balance()
      const request = { key: world.apiKey, headers: { 'Idempotency-Key': path } }
      // A busy machine does the work beyond the time of the request.
      const { status, body } = await vi.waitUntil(
        async () => {
          const answer = await callApi('POST', `/videos/${path}`, request)
          return ![409, 503].includes(answer.status) && answer
        },
        { timeout: 120_000, interval: 500 },
      )
      expect(status, `${path}: ${JSON.stringify(body)}`).toBeLessThan(300)
      return before - (await balance())
    }
    expect(await costOf(`${plain.id}/description`)).toBe(10)
    expect(await costOf(`${slides.id}/presentation-scenes/recut`)).toBe(10)
    expect(await costOf(`${scenes.id}/scenes/scn_1/image`)).toBe(2)
    expect(await costOf(`${slides.id}/render`)).toBe(0)
    expect(await costOf(`${plain.id}/script`)).toBe(10)
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

  it('a grant of the operator adds to the balance and to `granted`, with one ledger entry', async () => {
    const world = await newWorld({ planId: 'free' })
    const grant = async (credits: number, unit: 'video' | 'avatar') =>
      commit(grantCredits(await getWorkspace(world.workspaceId), { credits, unit }, mintId('run', now()), now()))
    await grant(500, 'video')
    await grant(7, 'avatar')
    expect((await accountOf(world)).credits).toEqual({ balance: 700, granted: 700, used: 0, avatar: { balance: 7 } })
    expect(
      (await creditLedgerOf(world.workspaceId)).map(({ kind, unit, credits }) => [kind, unit, credits]).toSorted(),
    ).toEqual([
      ['grant', 'avatar', 7],
      ['grant', 'video', 500],
    ])
  })
})

describe('many requests at once', () => {
  const many = volume(60, 200)

  it(`${many} paid ones on a balance for 30: exactly 30 succeed, nothing is left, and the ledger adds up`, async () => {
    const world = await newWorld({ planId: 'starter' })
    await given.workspaceWith(world, { creditsBalance: 300 })
    const answers = await times(many, () => create(world))
    const statuses = Map.groupBy(answers, ({ status }) => status)
    expect([...statuses].map(([status, { length }]) => [status, length]).toSorted()).toEqual([
      [201, 30],
      [402, many - 30],
    ])
    expect(new Set(statuses.get(402)!.map(({ body }) => body.error.code))).toEqual(new Set(['warning-no-credits']))
    expect(await accountOf(world)).toMatchObject({ credits: { balance: 0 }, limits: { generations: { used: 30 } } })
    expect(sumOf(await creditLedgerOf(world.workspaceId), 'reserve')).toBe(300)
  })

  it('30 requests on a plan of 10 generations: exactly 10 succeed', async () => {
    const world = await newWorld({ planId: 'free' })
    await given.workspaceWith(world, { creditsBalance: 10_000 })
    const answers = await times(30, () => create(world))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    expect(new Set(answers.flatMap(({ body }) => body.error?.code ?? []))).toEqual(
      new Set(['warning-plan-generations']),
    )
  })

  it('the first requests of a month top the balance up once, and reset the counters', async () => {
    const world = await newWorld({ planId: 'starter' })
    await given.workspaceWith(world, { month: '2026-01', creditsBalance: 150, generationsUsed: 77, creditsUsed: 1_850 })
    expect(await accountOf(world)).toMatchObject({
      credits: { balance: 2_000, granted: 2_000, used: 0 },
      limits: { generations: { used: 0 } },
    })
    const answers = await times(8, () => create(world))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201))
    expect(await accountOf(world)).toMatchObject({
      credits: { balance: 1_920, granted: 2_000, used: 0 },
      limits: { generations: { used: 8, limit: 100 } },
    })
    expect(sumOf(await creditLedgerOf(world.workspaceId), 'grant')).toBe(1_850)
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
