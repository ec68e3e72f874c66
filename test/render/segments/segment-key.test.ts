import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { captionSprites } from '../../../lib/render/captions/sprites.ts'
import type { Composition, CompositionPage } from '../../../lib/render/composition.ts'
import { rebaseSegment } from '../../../lib/render/segments/rebase-segment.ts'
import { planRender, type Segment } from '../../../lib/render/segments/render-plan.ts'
import { inputsHash, segmentKey, soundKey } from '../../../lib/render/segments/segment-key.ts'
import { placementAt, type Sprite } from '../../../lib/render/sprite.ts'
import { composition, facesOf, page, shot } from '../compositions.ts'

const faces = facesOf()
const encoder = 'ffmpeg 1'

/** The keys of a video's segments, made as the container makes them. */
function keysOf(film: Composition, build = encoder): string[] {
  const { segments, width, height, fps } = planRender(captioned(film))
  return segments.map((segment) => segmentKey({ width, height, fps }, rebaseSegment(segment, fps), build))
}
const captioned = (film: Composition): Composition => ({
  ...film,
  sprites: [...(film.sprites ?? []), ...film.pages.flatMap((page) => captionSprites(page, film, faces))],
})
const frameAt = (ms: number) => Math.round((ms * 30) / 1000)

const shots = (count: number, lengthMs: number, fromMs = 0) =>
  Array.from({ length: count }, (_, i) => shot(`picture-${i}`, fromMs + i * lengthMs, fromMs + (i + 1) * lengthMs))
/** Ten seconds, a shot every two, a page every second. */
const film = composition({
  durationMs: 10_000,
  shots: shots(5, 2_000),
  pages: Array.from({ length: 10 }, (_, i) => page(`word${i} and more`, i * 1_000 + 50)),
})
const filmKeys = keysOf(film)
const changedKeys = (other: Composition) => {
  const [before, after] = [filmKeys, keysOf(other)]
  return before.flatMap((key, index) => (key === after[index] ? [] : [index]))
}

describe('the key of a segment', () => {
  it('is the same for the same video', () => {
    expect(keysOf(structuredClone(film))).toEqual(keysOf(film))
  })

  it('changes with a page exactly where the page is shown', () => {
    const words = fc.tuple(fc.nat(9), fc.stringMatching(/^[a-z]{1,8}$/))
    fc.assert(
      fc.property(words, fc.integer({ min: -400, max: 400 }), ([index, word], shiftMs) => {
        const old = film.pages[index]!
        const edited = page(`${word} or less`, Math.max(0, old.startMs + shiftMs))
        const pages = film.pages.with(index, edited)
        const shows = ({ startMs, endMs }: CompositionPage, { fromFrame, toFrame }: Segment) =>
          frameAt(startMs) < toFrame && frameAt(endMs) > fromFrame
        const expected = planRender(film).segments.flatMap((segment, i) =>
          shows(old, segment) || shows(edited, segment) ? [i] : [],
        )
        expect(changedKeys({ ...film, pages })).toEqual(expected)
      }),
    )
  })

  it('changes with a picture where it is visible or fades out, and nowhere else', () => {
    const media = { kind: 'still' as const, key: 'another' }
    expect(changedKeys({ ...film, shots: film.shots.with(1, { ...film.shots[1]!, media }) })).toEqual(
      planRender(film).segments.flatMap(({ layer, fade }, i) =>
        [layer, fade?.from].some((shown) => shown?.media === film.shots[1]!.media) ? [i] : [],
      ),
    )
  })

  it('stays the same if a segment moves with its content to another time', () => {
    fc.assert(
      // 100 ms are three frames: captions keep their times relative to the frames.
      fc.property(fc.integer({ min: 1, max: 600 }), (tenths) => {
        const shiftMs = tenths * 100
        const moved = composition({
          durationMs: film.durationMs + shiftMs,
          shots: [shot('opening', 0, shiftMs), ...shots(5, 2_000, shiftMs)],
          pages: film.pages.map(({ words, ...span }) => ({
            startMs: span.startMs + shiftMs,
            endMs: span.endMs + shiftMs,
            words: words.map((word) => ({ ...word, startMs: word.startMs + shiftMs, endMs: word.endMs + shiftMs })),
          })),
        })
        // The first shot of the video faded in from nothing, and now fades from the opening.
        const own = planRender(film).segments.filter(({ fromFrame }) => fromFrame >= 60).length
        expect(keysOf(moved).slice(-own)).toEqual(filmKeys.slice(-own))
      }),
      { numRuns: 20 },
    )
  })

  it.each([
    ['the size', { width: 480, height: 480 }],
    ['the theme of the captions', { theme: { captionsFontSize: 30 } }],
  ])('changes everywhere with %s', (_, changes) => {
    expect(changedKeys({ ...film, ...changes })).toHaveLength(keysOf(film).length)
  })

  it('changes with the build of ffmpeg', () => {
    expect(keysOf(film, 'ffmpeg 2')).not.toEqual(keysOf(film))
  })

  it('changes with a sprite where it is shown', () => {
    const still = (value: number) => [[0, value]] as const
    const sprite: Sprite = {
      picture: { kind: 'image', key: 'logo' },
      ...{ width: 50, height: 50, fromMs: 2_100, toMs: 3_900 },
      ...{ x: still(100), y: still(100), scale: still(1), opacity: still(1) },
    }
    const shown = planRender(film).segments.flatMap(({ fromFrame, toFrame }, i) =>
      fromFrame < 117 && toFrame > 63 ? [i] : [],
    )
    expect(changedKeys({ ...film, sprites: [sprite] })).toEqual(shown)
  })
})

describe('a segment at its start', () => {
  const moving = (fromMs: number, toMs: number): Sprite => ({
    picture: { kind: 'image', key: 'logo' },
    ...{ width: 50, height: 50, fromMs, toMs, x: [[0, 1]], opacity: [[0, 1]] },
    y: [
      [fromMs, 0],
      [fromMs + 300, 500],
    ],
    scale: [
      [fromMs, 0.5],
      [fromMs + 400, 2],
    ],
  })
  it('shows a sprite in the same frames as the whole video', () => {
    const ms = fc.integer({ min: 0, max: 4_000 })
    fc.assert(
      fc.property(ms, ms, fc.integer({ min: 1, max: 3_900 }), (fromMs, lengthMs, cutMs) => {
        const sprites = [moving(fromMs, fromMs + lengthMs)]
        const shots = [shot('red', 0, cutMs), shot('blue', cutMs, 8_000)]
        const { segments } = planRender(composition({ durationMs: 8_000, shots, sprites }))
        let seen = 0
        for (const segment of segments) {
          const [before, [after]] = [segment.sprites[0], rebaseSegment(segment, 30).sprites]
          for (let frame = segment.fromFrame; after && frame < segment.toFrame; frame++) {
            const here = frame - segment.fromFrame
            if (here < after.fromFrame || here >= after.toFrame) continue
            seen++
            expect(frame).toBeGreaterThanOrEqual(frameAt(fromMs))
            const [film, own] = [placementAt(before!, (frame * 1000) / 30), placementAt(after, (here * 1000) / 30)]
            expect(own.y).toBeCloseTo(film.y, 2)
            expect(own.scale).toBeCloseTo(film.scale, 4)
          }
        }
        expect(seen).toBe(frameAt(fromMs + lengthMs) - frameAt(fromMs))
      }),
    )
  })
  it('is independent of earlier and later phases of a sprite, except for the sizes that it is prepared at', () => {
    const sprites = [moving(0, 8_000)]
    const { segments } = planRender(composition({ durationMs: 8_000, shots: shots(4, 2_000), sprites }))
    expect(rebaseSegment(segments[2]!, 30).sprites).toEqual([
      {
        picture: sprites[0]!.picture,
        ...{ width: 50, height: 50, fromFrame: 0, toFrame: 60, scales: { smallest: 0.5, largest: 2 } },
        ...{ x: [[0, 1]], y: [[0, 500]], scale: [[0, 2]], opacity: [[0, 1]] },
      },
    ])
  })
  it('counts from its first frame for all its content', () => {
    const { segments } = planRender(captioned(film))
    const second = segments.find(({ fade }) => fade)!
    const { fromFrame, toFrame, layer, fade, sprites } = rebaseSegment(second, 30)
    expect([fromFrame, toFrame]).toEqual([0, second.toFrame - second.fromFrame])
    expect([layer.fromFrame, fade!.from.fromFrame]).toEqual([0, -60])
    // Its first page starts 50 ms after it, at the second frame.
    const entering = sprites.find((sprite) => sprite.fromFrame === 2)!
    expect(placementAt(entering, 50).opacity).toBe(0)
    expect(placementAt(entering, 125).opacity).toBeCloseTo(0.5)
  })
})

describe('other keys', () => {
  it('of the sound, change with the narration, the music and the length of the video', () => {
    const keys = [
      soundKey(film, { frames: 300, fps: 30 }, encoder),
      soundKey({ narrationKey: 'other' }, { frames: 300, fps: 30 }, encoder),
      soundKey({ ...film, music: { mood: 'calm', seed: 'one' } }, { frames: 300, fps: 30 }, encoder),
      soundKey(film, { frames: 301, fps: 30 }, encoder),
      soundKey(film, { frames: 300, fps: 30 }, 'ffmpeg 2'),
    ]
    expect(new Set(keys).size).toBe(5)
  })
  it('of the manifest, change with anything in it', () => {
    expect(inputsHash(structuredClone(film))).toBe(inputsHash(film))
    expect(inputsHash({ ...film, durationMs: 10_001 })).not.toBe(inputsHash(film))
  })
})
