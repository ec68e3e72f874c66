/** Request limits across instances: the shared buckets are simulated with their rule, time is virtual. */
import { describe, expect, it } from 'vitest'
import type { Refusal } from '../../lib/domain/core/refusal.ts'
import type { RequestClass, RequestLimits } from '../../lib/domain/workspaces/request-limits.ts'
import type { RequestLimiterDeps } from '../../lib/http/rate-limit.ts'
import { requestLimiter } from '../../lib/http/rate-limit.ts'
import { seededRandom } from '../support/seeded-random.ts'

const limits: RequestLimits = { reads: 600, writes: 120, paid: 60 }
const start = Date.parse('2026-11-23T10:00:00Z')

type Request = (
  workspaceId: string,
  classes: RequestClass[],
  now: number,
) => Promise<{
  refusal: Refusal | undefined
  headers: Record<string, string>
}>

/** An instance that has read its limits, and handles each request in no time. */
function instanceOf({
  limits,
  countTokens,
}: Pick<RequestLimiterDeps, 'countTokens'> & { limits: RequestLimits | null }): Request {
  const knownLimits = () => ({ limits, readAt: start })
  const limiter = requestLimiter({ knownLimits, readLimits: async () => limits, countTokens })
  return async (workspaceId, classes, now) => ({
    refusal: limiter.begin(workspaceId, classes, now),
    headers: await limiter.end(workspaceId, classes, now),
  })
}

/** Instances with one shared table, and the number of its writes. */
function newInstances(count: number, of: RequestLimits | null = limits) {
  const shared = new Map<string, number>()
  const writes: string[] = []
  const countTokens = async (
    { workspaceId, name }: { workspaceId: string; name: string },
    ms: number,
    _seen: number,
    now: number,
  ) => {
    writes.push(name)
    const fullAt = Math.max(shared.get(workspaceId + name) ?? 0, now) + ms
    shared.set(workspaceId + name, fullAt)
    return fullAt
  }
  const newInstance = () => instanceOf({ limits: of, countTokens })
  return { instances: Array.from({ length: count }, newInstance), writes }
}

/** How many requests are served before the first refusal, where each goes to a random instance. */
async function servedAtOnce(instances: Request[], classes: RequestClass[], seed: number): Promise<number> {
  const random = seededRandom(seed)
  for (let served = 0; ; served++) {
    const instance = instances[random(instances.length)]!
    if ((await instance('wsp_1', classes, start)).refusal) return served
  }
}

describe('the first refusal of a burst', () => {
  const classes: [RequestClass[], number][] = [
    [['reads'], 1200],
    [['writes'], 240],
    [['writes', 'paid'], 120],
  ]
  for (const [requestClasses, burst] of classes)
    for (const count of [1, 2, 4])
      it(`comes after ${burst} ${requestClasses.join(' and ')}, within 5 %, on ${count} instances`, async () => {
        const served = await servedAtOnce(newInstances(count).instances, requestClasses, count)
        expect(Math.abs(served - burst) / burst).toBeLessThanOrEqual(0.05)
        if (count === 1) expect(served).toBe(burst)
      })

  it('is within 5 % of the limit per minute where the requests go on for ten minutes', async () => {
    const { instances } = newInstances(4)
    let served = 0
    for (let ms = 0; ms < 600_000; ms += 20) {
      const { refusal } = await instances[(ms / 20) % 4]!('wsp_1', ['reads'], start + ms)
      if (!refusal) served++
    }
    const allowed = 1200 + 10 * 600
    expect(Math.abs(served - allowed) / allowed).toBeLessThanOrEqual(0.05)
  })
})

describe('a limit', () => {
  const exhaust = async (instance: Request) => {
    while (!(await instance('wsp_1', ['writes'], start)).refusal);
  }

  it('of one workspace and class leaves the others alone', async () => {
    const [instance] = newInstances(1).instances as [Request]
    await exhaust(instance)
    expect((await instance('wsp_2', ['writes'], start)).refusal).toBeUndefined()
    expect((await instance('wsp_1', ['reads'], start)).refusal).toBeUndefined()
  })

  it('names the time after which a request is served again', async () => {
    const [instance] = newInstances(1).instances as [Request]
    await exhaust(instance)
    const { refusal, headers } = await instance('wsp_1', ['writes', 'paid'], start)
    expect(refusal).toMatchObject({ code: 'rate-limited', extras: { headers: { 'Retry-After': '1' } } })
    expect(refusal!.message).toContain('120 writes a minute')
    expect(headers).toEqual({
      'RateLimit-Policy': '"writes";q=120;w=60;burst=240, "paid";q=60;w=60;burst=120',
      RateLimit: '"writes";r=0;t=120, "paid";r=120;t=0',
    })
    expect((await instance('wsp_1', ['writes'], start + 1_000)).refusal).toBeUndefined()
  })

  it('takes no token for a refused request', async () => {
    const { instances, writes } = newInstances(1)
    await exhaust(instances[0]!)
    const before = writes.length
    for (let i = 0; i < 100; i++) await instances[0]!('wsp_1', ['writes'], start)
    expect(writes).toHaveLength(before)
  })

  it('costs no write for less than 15 reads a minute, and one for every 15 beyond', async () => {
    const slow = newInstances(1)
    for (let minute = 0; minute < 60; minute++)
      for (let i = 0; i < 7; i++) await slow.instances[0]!('wsp_1', ['reads'], start + minute * 60_000 + i)
    expect(slow.writes).toEqual([])
    const fast = newInstances(1)
    for (let i = 0; i < 600; i++) await fast.instances[0]!('wsp_1', ['reads'], start + i * 100)
    expect(fast.writes).toHaveLength(40)
  })

  it('is absent, with its headers, for an unlimited workspace', async () => {
    const { instances, writes } = newInstances(1, null)
    for (let i = 0; i < 2_000; i++)
      expect(await instances[0]!('wsp_1', ['writes'], start)).toEqual({ refusal: undefined, headers: {} })
    expect(writes).toEqual([])
  })

  it('is not known to an instance before its first request, which reads it once', async () => {
    let reads = 0
    let known: { limits: RequestLimits; readAt: number } | undefined
    const limiter = requestLimiter({
      knownLimits: () => known,
      readLimits: async () => {
        reads++
        known = { limits, readAt: start }
        return limits
      },
      countTokens: async (_bucket, ms, _seen, now) => now + ms,
    })
    expect(limiter.begin('wsp_1', ['paid'], start)).toBeUndefined()
    expect(await limiter.end('wsp_1', ['paid'], start)).toMatchObject({ RateLimit: '"paid";r=119;t=1' })
    for (let i = 0; i < 9; i++) {
      limiter.begin('wsp_1', ['paid'], start)
      await limiter.end('wsp_1', ['paid'], start)
    }
    expect(reads).toBe(1)
    await limiter.end('wsp_1', ['paid'], start + 60_000)
    expect(reads).toBe(2)
  })

  it('remains enforced where the table refuses the count', async () => {
    const countTokens = async () => {
      throw new Error('throttled')
    }
    const instance = instanceOf({ limits, countTokens })
    expect(await servedAtOnce([instance], ['writes'], 1)).toBe(240)
  })
})
