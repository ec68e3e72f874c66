import { describe, expect, it } from 'vitest'
import { concatOutlines, contoursOf, pathOf, readOutline } from '../../lib/render/outline.ts'
import { faceOf } from './compositions.ts'

describe('an outline', () => {
  const triangle = readOutline('M 100 -200 L 300 -200 L 200 0 Z', 1000)

  it('has its bounding box in em', () => {
    expect([triangle.left, triangle.right, triangle.top, triangle.bottom]).toEqual([0.1, 0.3, -0.2, 0])
  })
  it('is drawn in hundredths of a pixel from its origin on the baseline, and closed', () => {
    expect(pathOf(triangle, 0, 0, 100)).toBe('M10 -20L30 -20L20 0Z')
    expect(pathOf(triangle, 7.123, 50, 33.3)).toBe('M10.45 43.34L17.11 43.34L13.78 50Z')
  })
  it('closes each of its contours', () => {
    const two = concatOutlines([
      { outline: triangle, width: 0.5 },
      { outline: triangle, width: 0.5 },
    ])
    expect(pathOf(two, 0, 0, 100)).toBe('M10 -20L30 -20L20 0ZM60 -20L80 -20L70 0Z')
    expect([two.left, two.right]).toEqual([0.1, 0.8])
    expect(contoursOf(two).map(({ left, right }) => [left, right])).toEqual([
      [0.1, 0.3],
      [0.6, 0.8],
    ])
  })
  it('preserves quadratic curves', () => {
    const { commands } = readOutline('M 0 0 Q 300 300 600 0', 1000)
    expect(commands[1]).toEqual(
      ['C', 0.2, 0.2, 0.4, 0.2, 0.6, 0].map((value) => (typeof value === 'number' ? expect.closeTo(value) : value)),
    )
  })
  it('may be empty', () => {
    expect(readOutline('', 1000)).toMatchObject({ left: 0, right: 0, commands: [] })
    expect(pathOf(readOutline('', 1000), 5, 5, 100)).toBe('')
  })
})

describe('the outline of a word in Devanagari', () => {
  const family = 'Noto Sans Devanagari'
  const outline = faceOf({ file: '#fonts/NotoSansDevanagari-Bold.ttf', name: `${family} Bold`, shapedAs: family })
    .outline!

  it('is as wide as all its syllables: vowels and half letters do not overlap', () => {
    for (const syllable of ['का', 'कि', 'की', 'न्त', 'क्षा', 'शां']) {
      const [once, twice] = [outline(syllable), outline(syllable + syllable)]
      expect(twice.right - once.right, syllable).toBeGreaterThan(0.9 * (once.right - Math.max(0, once.left)))
      expect(twice.commands).toHaveLength(2 * once.commands.length)
    }
  })
  it('includes figures and marks', () => {
    expect(outline('मिनट।').right).toBeGreaterThan(outline('मिनट').right)
    expect(outline('२०').commands).not.toEqual([])
  })
})
