/** Request limits over HTTP: the first refusal, its headers, and what counts against which limit. */
import { describe, expect, it } from 'vitest'
import { setRequestLimits } from '../../lib/store/workspaces.ts'
import { callApi, newWorld } from '../support/world.ts'

const policies = {
  reads: '"reads";q=600;w=60;burst=1200',
  writes: '"writes";q=120;w=60;burst=240',
  paid: '"paid";q=60;w=60;burst=120',
}
const remaining = (headers: Headers) =>
  (headers.get('RateLimit') ?? '').split(', ').map((field) => Number(/;r=(\d+)/.exec(field)![1]))

/** Limits that refill too slowly to be seen during a test. */
const slowDown = (workspaceId: string) => setRequestLimits(workspaceId, { reads: 4, writes: 4, paid: 4 })

describe('the request limits of a workspace', () => {
  it('429: the request after the burst is refused, with the seconds to wait; another workspace is not', async () => {
    const [{ apiKey: key }, neighbour] = [await newWorld({ planId: 'free' }), await newWorld({ planId: 'free' })]
    const began = Date.now()
    const statuses: number[] = []
    let last: Awaited<ReturnType<typeof callApi>>
    do {
      last = await callApi('POST', '/webhooks', { key, body: {} })
      statuses.push(last.status)
    } while (last.status !== 429)
    const refilled = ((Date.now() - began) / 60_000) * 120
    expect(statuses.length - 1).toBeGreaterThanOrEqual(240 * 0.95)
    expect(statuses.length - 1).toBeLessThanOrEqual((240 + refilled) * 1.05)
    expect(new Set(statuses)).toEqual(new Set([400, 429]))
    expect(last.body.error).toMatchObject({ status: 429, code: 'rate-limited' })
    expect(last.body.error).not.toHaveProperty('blocked')
    expect(last.headers.get('Retry-After')).toBe('1')
    expect(last.headers.get('RateLimit-Policy')).toBe(policies.writes)
    expect(remaining(last.headers)).toEqual([0])
    expect((await callApi('GET', '/videos', { key })).status).toBe(200)
    expect((await callApi('POST', '/webhooks', { key: neighbour.apiKey, body: {} })).status).toBe(400)
  })

  it('count a read, a write and a paid action apart; a replay is a read, an unknown path, too', async () => {
    const { apiKey: key } = await newWorld({ planId: 'pro' })
    const policyOf = async (...request: Parameters<typeof callApi>) =>
      (await callApi(...request)).headers.get('RateLimit-Policy')
    const create = { key, headers: { 'Idempotency-Key': 'one' }, body: { prompt: 'Why the sky is blue' } }
    expect(await policyOf('GET', '/videos', { key })).toBe(policies.reads)
    expect(await policyOf('POST', '/webhooks', { key, body: {} })).toBe(policies.writes)
    expect(await policyOf('POST', '/videos', create)).toBe(`${policies.writes}, ${policies.paid}`)
    expect(await policyOf('POST', '/videos', create)).toBe(policies.reads)
    expect(await policyOf('GET', '/nothing', { key })).toBe(policies.reads)
  })

  it('count every refusal of an authenticated request once, also of one with a wrong idempotency key', async () => {
    const { apiKey: key, workspaceId } = await newWorld({ planId: 'pro' })
    await slowDown(workspaceId)
    const answerTo = async (...[method, path, request]: Parameters<typeof callApi>) => {
      const { status, headers } = await callApi(method, path, { key, ...request })
      return [status, headers.get('RateLimit-Policy')?.split(';')[0], remaining(headers)[0]]
    }
    const headers = { 'Idempotency-Key': 'k'.repeat(256) }
    expect(await answerTo('GET', '/videos/vid_01kb0000000000000000000000')).toEqual([404, '"reads"', 7])
    expect(await answerTo('POST', '/videos', { headers, body: { prompt: 'x' } })).toEqual([400, '"reads"', 6])
    expect(await answerTo('GET', '/nothing')).toEqual([404, '"reads"', 5])
    expect(await answerTo('POST', '/webhooks', { body: {} })).toEqual([400, '"writes"', 7])
    expect(await answerTo('DELETE', '/webhooks/whk_01kb0000000000000000000000')).toEqual([404, '"writes"', 6])
  })

  it('count the key of an organization against the workspace that it acts for', async () => {
    const organization = await newWorld({ planId: 'pro' })
    const children = [1, 2].map(() => newWorld({ planId: 'pro', organizationId: organization.workspaceId }))
    const [acted, other] = await Promise.all(children)
    for (const { workspaceId } of [organization, acted!, other!]) await slowDown(workspaceId)
    const leftOf = async (key: string, workspaceId?: string) => {
      const headers = workspaceId ? { 'X-Service-Workspace': workspaceId } : {}
      return remaining((await callApi('GET', '/', { key, headers })).headers)[0]
    }
    expect(await leftOf(organization.apiKey, acted!.workspaceId)).toBe(7)
    expect(await leftOf(organization.apiKey, acted!.workspaceId)).toBe(6)
    expect(await leftOf(acted!.apiKey)).toBe(5)
    expect(await leftOf(organization.apiKey, other!.workspaceId)).toBe(7)
    expect(await leftOf(organization.apiKey)).toBe(7)
  })

  it('are absent for a workspace without limits, and for a request without a key', async () => {
    const { apiKey: key } = await newWorld({ planId: 'self-hosted' })
    for (const headers of [(await callApi('GET', '/', { key })).headers, (await callApi('GET', '/')).headers])
      expect([headers.get('RateLimit'), headers.get('RateLimit-Policy')]).toEqual([null, null])
  })
})
