import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assAlpha, assColour, compensateBt601, parseColour } from '../../lib/render/colours.ts'

describe('colours', () => {
  it.each([
    ['#39E508', { red: 0x39, green: 0xe5, blue: 0x08, alpha: 255 }],
    ['#fa0', { red: 255, green: 170, blue: 0, alpha: 255 }],
    ['#fa08', { red: 255, green: 170, blue: 0, alpha: 136 }],
    ['#11223344', { red: 17, green: 34, blue: 51, alpha: 68 }],
    ['RebeccaPurple', { red: 102, green: 51, blue: 153, alpha: 255 }],
    ['transparent', { red: 0, green: 0, blue: 0, alpha: 0 }],
  ])('%s is read as CSS reads it', (text, colour) => {
    expect(parseColour(text)).toEqual(colour)
  })
  it('are written for ASS with blue first, and opacity as transparency', () => {
    expect(assColour(parseColour('#39E508'))).toBe('08E539')
    expect([1, 0.5, 0].map(assAlpha)).toEqual(['00', '7F', 'FF'])
  })
  it('come out right after drawing by BT.601 and watching by BT.709, unless they are too pure', () => {
    const channel = fc.integer({ min: 40, max: 190 })
    fc.assert(
      fc.property(channel, channel, channel, (red, green, blue) => {
        const seen = watchBt709(drawBt601(compensateBt601({ red, green, blue, alpha: 255 })))
        expect(Math.max(Math.abs(seen[0] - red), Math.abs(seen[1] - green), Math.abs(seen[2] - blue))).toBeLessThan(4)
      }),
    )
  })
})

type Triple = [number, number, number]

function drawBt601({ red, green, blue }: { red: number; green: number; blue: number }): Triple {
  const luma = 0.299 * red + 0.587 * green + 0.114 * blue
  return [luma, (blue - luma) / 1.772, (red - luma) / 1.402]
}

function watchBt709([luma, cb, cr]: Triple): Triple {
  const [red, blue] = [luma + 1.5748 * cr, luma + 1.8556 * cb]
  return [red, (luma - 0.2126 * red - 0.0722 * blue) / 0.7152, blue]
}
