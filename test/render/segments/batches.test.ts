import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planBatches } from '../../../lib/render/segments/batches.ts'
import { planRender } from '../../../lib/render/segments/render-plan.ts'
import { composition, page, shot } from '../compositions.ts'

/** A video of this many seconds, with a shot every five. */
const film = (seconds: number) =>
  composition({
    durationMs: seconds * 1_000,
    shots: Array.from({ length: seconds / 5 }, (_, i) => shot(`picture-${i}`, i * 5_000, (i + 1) * 5_000)),
    pages: [page('hello there', 1_000)],
  })

describe('the batches of a render', () => {
  it('are none for a video that one task renders sooner', () => {
    expect(planBatches(film(235), undefined, 4)).toEqual([])
  })

  it('are none if only one task may render', () => {
    expect(planBatches(film(600), undefined, 1)).toEqual([])
  })

  it('contain every segment once, and have about equal durations', () => {
    fc.assert(
      fc.property(fc.integer({ min: 48, max: 200 }), fc.integer({ min: 2, max: 6 }), (fives, max) => {
        const long = film(fives * 5)
        const batches = planBatches(long, undefined, max)
        const { segments } = planRender(long)
        const rendered = batches.map(({ from, to }) =>
          segments.filter(({ fromFrame }) => fromFrame >= from && fromFrame < to),
        )
        expect(batches).toHaveLength(Math.min(max, Math.floor(fives / 12)))
        expect(rendered.flat()).toEqual(segments)
        const frames = batches.map(({ from, to }) => to - from)
        expect(Math.max(...frames) - Math.min(...frames)).toBeLessThanOrEqual(2 * 150)
      }),
      { numRuns: 20 },
    )
  })

  it('omit what the previous render shows too', () => {
    const long = film(600)
    const edited = { ...long, pages: [page('hello you', 1_000)] }
    expect(planBatches(edited, long, 4)).toEqual([])
    const first = { ...long.shots[0]!, media: { kind: 'still' as const, key: 'another' } }
    const half = long.shots.map((old, i) => (i < 60 ? { ...old, media: { ...first.media, key: `new-${i}` } } : old))
    const batches = planBatches({ ...long, shots: half }, long, 4)
    expect(batches).toHaveLength(4)
    // The old picture fades in over the new one before it.
    expect(batches.at(-1)!.from).toBeLessThan(9_000)
  })

  it('contain what is visible of captions that were edited, or drawn otherwise', () => {
    const pages = Array.from({ length: 120 }, (_, i) => page('hello there', i * 5_000, 2_000))
    const long = { ...film(600), pages }
    const edited = { ...long, pages: pages.map(({ startMs }) => page('hello you', startMs, 2_000)) }
    expect(planBatches(long, long, 4)).toEqual([])
    expect(planBatches(edited, long, 4)).toHaveLength(4)
    expect(planBatches({ ...long, theme: { captionsFontSize: 30 } }, long, 4)).toHaveLength(4)
  })
})
