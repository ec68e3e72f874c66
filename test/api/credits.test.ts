/** Credits, generations and idempotency under many requests at once, through HTTP. */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from 'vitest'
import { now } from '../../lib/clock.ts'
import { mintId } from '../../lib/domain/core/id.ts'
import { grantCredits } from '../../lib/domain/workspaces/workspace.ts'
import { table, tableName } from '../../lib/store/core/client.ts'
import { commit } from '../../lib/store/core/commit.ts'
import { keys } from '../../lib/store/core/keys.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { creditLedgerOf } from '../support/credit-ledger.ts'
import { volume } from '../support/fuzz/volume.ts'
import { callApi, newWorld, type World } from '../support/world.ts'

const setWorkspace = ({ workspaceId }: World, fields: Record<string, number | string>) =>
  table.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: keys.workspace(workspaceId),
      UpdateExpression: `SET ${Object.keys(fields).map((name) => `#${name} = :${name}`)}`,
      ExpressionAttributeNames: Object.fromEntries(Object.keys(fields).map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(Object.entries(fields).map(([name, value]) => [`:${name}`, value])),
    }),
  )

const create = ({ apiKey }: World, headers: Record<string, string> = {}) =>
  callApi('POST', '/videos', { key: apiKey, headers, body: { prompt: 'An idea' } })
const account = async ({ apiKey }: World) => (await callApi('GET', '/', { key: apiKey })).body.data
const times = <T>(count: number, make: () => Promise<T>) => Promise.all(Array.from({ length: count }, make))
const sumOf = (entries: { kind: string; credits: number }[], kind: string) =>
  entries.filter((entry) => entry.kind === kind).reduce((sum, { credits }) => sum + credits, 0)

describe('many requests at once', () => {
  it('50 with one idempotency key make one video, one charge and 50 equal answers', async () => {
    const world = await newWorld({ planId: 'starter' })
    const answers = await times(50, () => create(world, { 'Idempotency-Key': 'the-one' }))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(answers.filter(({ headers }) => !headers.has('idempotent-replayed'))).toHaveLength(1)
    expect((await callApi('GET', '/videos', { key: world.apiKey })).body.paging.total).toBe(1)
    expect(await account(world)).toMatchObject({
      credits: { balance: 1_990 },
      limits: { generations: { used: 1 } },
    })
    expect(await creditLedgerOf(world.workspaceId)).toMatchObject([{ kind: 'reserve', credits: 10 }])
  })

  const many = volume(60, 200)
  it(`${many} paid ones on a balance for 30: exactly 30 succeed, nothing is left, and the ledger adds up`, async () => {
    const world = await newWorld({ planId: 'starter' })
    await setWorkspace(world, { creditsBalance: 300 })
    const answers = await times(many, () => create(world))
    const statuses = Map.groupBy(answers, ({ status }) => status)
    expect([...statuses].map(([status, { length }]) => [status, length]).toSorted()).toEqual([
      [201, 30],
      [402, many - 30],
    ])
    expect(new Set(statuses.get(402)!.map(({ body }) => body.error.code))).toEqual(new Set(['warning-no-credits']))
    expect(await account(world)).toMatchObject({ credits: { balance: 0 }, limits: { generations: { used: 30 } } })
    expect(sumOf(await creditLedgerOf(world.workspaceId), 'reserve')).toBe(300)
  })

  it('30 on a plan of 10 generations: exactly 10 succeed', async () => {
    const world = await newWorld({ planId: 'free' })
    await setWorkspace(world, { creditsBalance: 10_000 })
    const answers = await times(30, () => create(world))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    expect(new Set(answers.flatMap(({ body }) => body.error?.code ?? []))).toEqual(
      new Set(['warning-plan-generations']),
    )
  })

  it('the first of a month top the balance up once, and count from one', async () => {
    const world = await newWorld({ planId: 'starter' })
    await setWorkspace(world, { month: '2026-01', creditsBalance: 150, generationsUsed: 77, creditsUsed: 1_850 })
    expect(await account(world)).toMatchObject({
      credits: { balance: 2_000, granted: 2_000, used: 0 },
      limits: { generations: { used: 0 } },
    })
    const answers = await times(8, () => create(world))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201))
    expect(await account(world)).toMatchObject({
      credits: { balance: 1_920, granted: 2_000, used: 0 },
      limits: { generations: { used: 8, limit: 100 } },
    })
    expect(sumOf(await creditLedgerOf(world.workspaceId), 'grant')).toBe(1_850)
  })
})

describe('a grant of the operator', () => {
  it('adds to the balance and to what was granted, in the ledger once', async () => {
    const world = await newWorld({ planId: 'free' })
    const grant = async (credits: number, unit: 'video' | 'avatar') =>
      commit(grantCredits(await getWorkspace(world.workspaceId), { credits, unit }, mintId('run', now()), now()))
    await grant(500, 'video')
    await grant(7, 'avatar')
    expect((await account(world)).credits).toEqual({ balance: 700, granted: 700, used: 0, avatar: { balance: 7 } })
    expect(
      (await creditLedgerOf(world.workspaceId)).map(({ kind, unit, credits }) => [kind, unit, credits]).toSorted(),
    ).toEqual([
      ['grant', 'avatar', 7],
      ['grant', 'video', 500],
    ])
  })
})

describe('a refusal for money or plan', () => {
  const refused: [string, Record<string, number>, Record<string, unknown>][] = [
    ['warning-no-credits', { creditsBalance: 9 }, {}],
    ['warning-plan-generations', { generationsUsed: 10 }, {}],
    ['warning-plan-storage', { storageUsedBytes: 1024 ** 3 }, {}],
    ['warning-plan-duration', {}, { targetDuration: 61 }],
  ]

  it.each(refused)('402 %s says what can be done, and nothing is stored or charged', async (code, fields, brief) => {
    const world = await newWorld({ planId: 'free' })
    if (Object.keys(fields).length > 0) await setWorkspace(world, fields)
    const before = await account(world)
    const answer = await callApi('POST', '/videos', { key: world.apiKey, body: { prompt: 'An idea', ...brief } })
    const action = code === 'warning-no-credits' ? 'credits' : 'upgrade'
    expect(answer).toMatchObject({ status: 402, body: { error: { code, action, blocked: true } } })
    expect(await account(world)).toEqual(before)
    expect(await creditLedgerOf(world.workspaceId)).toEqual([])
  })
})
