import { describe, expect, it } from 'vitest'
import {
  emptyBucketRefusal,
  rateLimitHeaders,
  requestBucket,
  unsharedMax,
} from '../../../lib/domain/workspaces/request-limits.ts'

const now = 1_000_000
const { capacity, refillMs } = requestBucket(60)
/** A bucket of 60 a minute that has so many tokens. */
const bucketWith = (tokens: number, requestClass: 'reads' | 'writes' = 'reads') => ({
  requestClass,
  perMinute: 60,
  fullAt: now + ((capacity - tokens) * refillMs) / capacity,
})

describe('the limits of requests', () => {
  it('share the requests of an instance after an eightieth of the bucket, but at the latest after each', () => {
    expect([1, 39, 40, 80, 4000].map(unsharedMax)).toEqual([1, 1, 1, 2, 100])
  })

  it('refuse a request that finds a bucket empty, until every bucket has a token again', () => {
    expect(emptyBucketRefusal([bucketWith(1), bucketWith(5, 'writes')], now)).toBeUndefined()
    const refusal = emptyBucketRefusal([bucketWith(-2), bucketWith(0, 'writes')], now)
    expect(refusal).toMatchObject({ code: 'rate-limited', extras: { headers: { 'Retry-After': '3' } } })
    expect(refusal?.message).toContain('60 reads a minute')
  })

  it('say when a bucket is full again, now where it is', () => {
    expect(rateLimitHeaders([], now)).toEqual({})
    expect(rateLimitHeaders([bucketWith(capacity - 3)], now).RateLimit).toBe('"reads";r=117;t=3')
    expect(rateLimitHeaders([{ ...bucketWith(1), fullAt: now + 2_001 }], now).RateLimit).toBe('"reads";r=117;t=3')
    expect(rateLimitHeaders([bucketWith(1), bucketWith(2, 'writes')], now)['RateLimit-Policy']).toBe(
      '"reads";q=60;w=60;burst=120, "writes";q=60;w=60;burst=120',
    )
    expect(rateLimitHeaders([{ ...bucketWith(capacity), fullAt: now - 9_000 }], now).RateLimit).toBe(
      '"reads";r=120;t=0',
    )
  })
})
