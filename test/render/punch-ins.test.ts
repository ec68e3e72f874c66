import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { punchInTimes } from '../../lib/render/punch-ins.ts'

const spoken = (text: string, everyMs = 400) =>
  text.split(' ').map((word, index) => ({ text: word, startMs: index * everyMs }))

describe('the punch-ins of a shot', () => {
  it('leave a shot alone that is over before it bores', () => {
    expect(punchInTimes(spoken('a river carries salt into the sea'), 0, 2_400)).toEqual([])
  })
  it('fall on a key word near the middle', () => {
    expect(punchInTimes(spoken('and so the river has carried it there'), 0, 3_200)).toEqual([1_200])
  })
  it('change a long shot every two to three seconds', () => {
    const words = spoken(Array.from({ length: 30 }, (_, index) => `word${index}`).join(' '))
    const times = [0, ...punchInTimes(words, 0, 12_000), 12_000]
    const gaps = times.slice(1).map((time, index) => time - times[index]!)
    expect(Math.max(...gaps)).toBeLessThanOrEqual(3_000)
  })
  it('are none without words, as in silence', () => {
    expect(punchInTimes([], 0, 10_000)).toEqual([])
  })
  it('keep their distance to each other and to both ends', () => {
    const starts = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 60 })
    fc.assert(
      fc.property(starts, fc.nat(5_000), fc.nat(15_000), (found, from, length) => {
        const words = found.toSorted((a, b) => a - b).map((startMs) => ({ text: 'word', startMs }))
        const times = [from, ...punchInTimes(words, from, from + length), from + length]
        if (times.length === 2) return
        for (const [index, time] of times.slice(1).entries()) expect(time - times[index]!).toBeGreaterThanOrEqual(900)
      }),
    )
  })
})
