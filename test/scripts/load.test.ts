import { describe, expect, it } from 'vitest'
import { countErrors, percentile, poissonArrivals, slopePerMinute, summarize } from '../../bench/load/statistics.ts'

describe('the result of a load run', () => {
  it('has percentiles by rank, for values in any order', () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index)
    expect([50, 95, 99, 100].map((n) => percentile(values, n))).toEqual([50, 95, 99, 100])
    expect(percentile([7], 1)).toBe(7)
    expect(percentile([], 50)).toBeNaN()
  })

  it('has a linear fit of memory, so that one high sample is no growth', () => {
    const samples = (values: number[]) => values.map((value, index) => ({ at: 5_000 + index * 30_000, value }))
    expect(slopePerMinute(samples([10, 11, 12, 13]))).toBeCloseTo(2)
    expect(slopePerMinute(samples([10, 10, 30, 10, 10]))).toBeCloseTo(0)
  })

  it('counts errors by their code, and includes their latency', () => {
    const errors = [undefined, undefined, '429 rate-limited', 'ECONNRESET', '429 rate-limited']
    const answers = errors.map((error, index) => ({ error, ms: index, sentLateMs: 0 }))
    expect(summarize(answers)).toMatchObject({ requests: 5, errors: 3, p50Ms: 2 })
    expect(countErrors(answers)).toEqual({ '429 rate-limited': 2, ECONNRESET: 1 })
  })

  it('sends requests at random times, the same in each run, at the requested rate', () => {
    const moments = poissonArrivals(5_000, 50)
    expect(moments).toEqual(poissonArrivals(5_000, 50))
    expect(moments).toEqual(moments.toSorted((a, b) => a - b))
    expect(moments.at(-1)! / 1000).toBeGreaterThan(95)
    expect(moments.at(-1)! / 1000).toBeLessThan(105)
    // Of such gaps, one in e is longer than the mean.
    const gaps = moments.map((at, index) => at - (moments[index - 1] ?? 0))
    expect(gaps.filter((gap) => gap > 20).length / 5_000).toBeCloseTo(1 / Math.E, 1)
  })
})
