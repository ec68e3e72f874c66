import { describe, expect, it } from 'vitest'
import { drawingOf, readOutline } from '../../lib/render/caption-outline.ts'

describe('an outline', () => {
  const triangle = readOutline('M 100 -200 L 300 -200 L 200 0 Z', 1000)

  it('knows its box in em', () => {
    expect([triangle.left, triangle.right, triangle.top, triangle.bottom]).toEqual([0.1, 0.3, -0.2, 0])
  })
  it('is drawn in eighths of a pixel from the corner of its box', () => {
    expect(drawingOf(triangle, 100)).toBe('m 0 0 l 160 0 l 80 160')
  })
  it('keeps the course of quadratic curves', () => {
    const { commands } = readOutline('M 0 0 Q 300 300 600 0', 1000)
    expect(commands[1]).toEqual(
      ['b', 0.2, 0.2, 0.4, 0.2, 0.6, 0].map((value) => (typeof value === 'number' ? expect.closeTo(value) : value)),
    )
  })
  it('may be empty', () => {
    expect(readOutline('', 1000)).toMatchObject({ left: 0, right: 0, commands: [] })
  })
})
