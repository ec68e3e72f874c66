import { describe, expect, it } from 'vitest'
import { percentile, rowOf, slopePerMinute } from '../../bench/load/figures.ts'

describe('what a load run comes to', () => {
  it('takes percentiles by rank, whatever the order of values', () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index)
    expect([50, 95, 99, 100].map((n) => percentile(values, n))).toEqual([50, 95, 99, 100])
    expect(percentile([7], 1)).toBe(7)
    expect(percentile([], 50)).toBeNaN()
  })

  it('fits a line through memory, so that one high sample is no growth', () => {
    const samples = (values: number[]) => values.map((value, index) => ({ at: 5_000 + index * 30_000, value }))
    expect(slopePerMinute(samples([10, 11, 12, 13]))).toBeCloseTo(2)
    expect(slopePerMinute(samples([10, 10, 30, 10, 10]))).toBeCloseTo(0)
  })

  it('counts as an error what was refused, failed or never answered', () => {
    const row = rowOf([200, 204, 303, 404, 429, 500, 0].map((status, index) => ({ status, ms: index })))
    expect(row).toMatchObject({ requests: 7, errors: 4, p50Ms: 3 })
  })
})
