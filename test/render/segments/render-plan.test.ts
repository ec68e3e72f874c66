import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planRender } from '../../../lib/render/segments/render-plan.ts'
import { composition, shot } from '../compositions.ts'

const planOf = (edges: number[], fps = 30) =>
  planRender(
    composition({
      fps,
      durationMs: edges.at(-1)!,
      shots: edges.slice(1).map((endMs, i) => shot(`picture-${i}`, edges[i]!, endMs)),
    }),
  )

describe('segments', () => {
  it('contain every frame of the video exactly once, for any shots', () => {
    const durations = fc.array(fc.integer({ min: 1, max: 9000 }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(durations, fc.constantFrom(24, 25, 30, 60), (lengths, fps) => {
        const edges = [0]
        for (const length of lengths) edges.push(edges.at(-1)! + length)
        const frames = Math.round((edges.at(-1)! * fps) / 1000)
        fc.pre(frames > 0)
        const { segments } = planOf(edges, fps)
        const all = segments.flatMap(({ fromFrame, toFrame }) =>
          Array.from({ length: toFrame - fromFrame }, (_, i) => fromFrame + i),
        )
        expect(all).toEqual(Array.from({ length: frames }, (_, i) => i))
      }),
    )
  })
  it('contain the whole crossfade with the shot before in their first 12 frames', () => {
    const { segments } = planOf([0, 2000, 4000])
    expect(segments.map(({ fade }) => fade?.frames)).toEqual([undefined, 12])
    expect(segments[1]!.fade!.from).toBe(segments[0]!.layer)
  })
  it('keep a shot moving while it fades out', () => {
    const { segments } = planOf([0, 2000, 4000])
    expect(segments[0]!.layer).toMatchObject({ fromFrame: 0, frames: 72 })
    expect(segments[1]!.layer).toMatchObject({ fromFrame: 60, frames: 60 })
  })
  it('crossfade over a whole shot that is shorter than a crossfade, and omit shots shorter than a frame', () => {
    const { segments } = planOf([0, 1000, 1200, 1201, 3000])
    expect(segments.map(({ layer }) => layer.media)).toMatchObject([
      { key: 'picture-0' },
      { key: 'picture-1' },
      { key: 'picture-3' },
    ])
    expect(segments[1]!.fade!.frames).toBe(6)
  })
  it('divide long shots evenly, with the crossfade in the first segment only', () => {
    const { segments } = planOf([0, 1000, 11_000])
    expect(segments.map(({ fromFrame, toFrame }) => toFrame - fromFrame)).toEqual([30, 60, 60, 60, 60, 60])
    expect(segments.map(({ fade }) => fade !== undefined)).toEqual([false, true, false, false, false, false])
    expect(new Set(segments.slice(1).map(({ layer }) => layer)).size).toBe(1)
  })
  it('are plain data', () => {
    const { segments } = planOf([0, 2000, 4000])
    expect(JSON.parse(JSON.stringify(segments))).toEqual(segments)
  })
})

describe('a plan', () => {
  it.each([
    ['of odd size', { width: 271 }],
    ['without shots', { shots: [] }],
    ['without length', { durationMs: 0 }],
  ])('is refused for a video %s', (_, changes) => {
    expect(() => planRender(composition(changes))).toThrow(RangeError)
  })
})
