/** GET /ledger: what a month of work cost. */
import { describe, expect, it } from 'vitest'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { monthOf } from '../../../lib/domain/workspaces/workspace.ts'
import { callApi, failGeneration, newWorld } from '../../support/world.ts'

const now = new Date()
const month = monthOf(now.toISOString())
const monthBefore = monthOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 0)).toISOString())

describe('GET /ledger', () => {
  it('200: the reservation of a run and how it ended, newest first', async () => {
    const world = await newWorld({ planId: 'starter' })
    const { apiKey: key } = world
    const ledger = async (query = '') => (await callApi('GET', `/ledger${query}`, { key })).body
    const { body } = await callApi('POST', '/videos', { key, body: { prompt: 'Calm mornings' } })
    const { data: accepted } = await ledger()
    const { runId, at } = accepted[0]
    expect(accepted).toEqual([{ kind: 'reserve', runId, credits: 10, unit: 'video', metered: true, at }])

    await failGeneration(world, body.data.id)
    const { data, paging } = await ledger(`?month=${month}`)
    expect(data.map(({ kind, credits }: { kind: string; credits: number }) => [kind, credits])).toEqual([
      ['release', 10],
      ['reserve', 10],
    ])
    expect(data[0]).toMatchObject({ runId })
    expect(paging).toEqual({ limit: 50, offset: 0, total: 2 })
    const { data: second, paging: page } = await ledger('?limit=1&offset=1')
    expect([second, page.total]).toEqual([[data[1]], 2])
  })

  it('200: nothing of another month, and nothing of another workspace', async () => {
    const [world, other] = [await newWorld({ planId: 'starter' }), await newWorld({ planId: 'starter' })]
    await callApi('POST', '/videos', { key: world.apiKey, body: { prompt: 'Calm mornings' } })
    const before = await callApi('GET', `/ledger?month=${monthBefore}`, { key: world.apiKey })
    expect(before.body).toMatchObject({ data: [], paging: { total: 0 } })
    expect((await callApi('GET', '/ledger', { key: other.apiKey })).body.data).toEqual([])
  })

  it.each(['2026-13', '2026-1', '1999-11', 'november'])('400: “%s” is no month', async (text) => {
    const { apiKey: key } = await newWorld()
    const answer = await callApi('GET', `/ledger?month=${text}`, { key })
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'query.month', message: 'must be a month such as 2026-11' }] } },
    })
  })

  it('lists a run by the time of its id, on which the order of the ledger depends', () => {
    const [first, last] = ['2026-11-01T00:00:00.000Z', '2026-11-30T23:59:59.999Z'].map((time) => mintId('run', time))
    expect([mintId('run', '2026-10-31T23:59:59.999Z') < first!, first! < last!]).toEqual([true, true])
  })
})
