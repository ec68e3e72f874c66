import { describe, expect, it } from 'vitest'
import { monotonicPercent } from '../../lib/render/render-progress.ts'

describe('progress', () => {
  it('rises from 0 to 99 in whole percent, each reported once', () => {
    const told: number[] = []
    const report = monotonicPercent(200, (percent) => told.push(percent))
    for (const frames of [0, 0, 1, 5, 4, 100, 60, 200, 230]) report(frames)
    expect(told).toEqual([0, 2, 50, 99])
  })
})
