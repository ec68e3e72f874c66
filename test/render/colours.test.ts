import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseColour, toHex } from '../../lib/render/colours.ts'

describe('colours', () => {
  it.each([
    ['#39E508', { red: 0x39, green: 0xe5, blue: 0x08, alpha: 255 }],
    ['#fa0', { red: 255, green: 170, blue: 0, alpha: 255 }],
    ['#fa08', { red: 255, green: 170, blue: 0, alpha: 136 }],
    ['#11223344', { red: 17, green: 34, blue: 51, alpha: 68 }],
    ['RebeccaPurple', { red: 102, green: 51, blue: 153, alpha: 255 }],
    ['transparent', { red: 0, green: 0, blue: 0, alpha: 0 }],
  ])('%s is parsed as CSS parses it', (text, colour) => {
    expect(parseColour(text)).toEqual(colour)
  })
  it.each([
    ['#39e508', '#39e508'],
    ['#fa08', '#ffaa0088'],
    ['white', '#ffffff'],
    ['transparent', '#00000000'],
  ])('%s is written for SVG as %s', (text, written) => {
    expect(toHex(parseColour(text))).toBe(written)
  })
  it('survive a round trip', () => {
    const channel = fc.integer({ min: 0, max: 255 })
    fc.assert(
      fc.property(fc.record({ red: channel, green: channel, blue: channel, alpha: channel }), (colour) => {
        expect(parseColour(toHex(colour))).toEqual(colour)
      }),
    )
  })
})
