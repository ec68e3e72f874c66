import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Composition } from '../../../lib/render/composition.ts'
import {
  estimateCpuSeconds,
  fanOutCpuSecondsMax,
  functionCpuSecondsMax,
  functionMediaBytesMax,
  type LaneLimits,
  type LanePlan,
  planLane,
} from '../../../lib/render/segments/lane.ts'
import { missingSegments } from '../../../lib/render/segments/missing-segments.ts'
import { mediaKeysOf, planRender, type Segment } from '../../../lib/render/segments/render-plan.ts'
import { composition, page, shot } from '../compositions.ts'

/** A video of this many seconds, with a shot every five. */
const film = (seconds: number) =>
  composition({
    durationMs: seconds * 1_000,
    shots: Array.from({ length: seconds / 5 }, (_, i) => shot(`picture-${i}`, i * 5_000, (i + 1) * 5_000)),
    pages: [page('hello there', 1_000)],
  })

/** A full-size video with this many frames and one shot per letter: `c` is a clip, anything else a still. */
function filmOfFrames(frames: number, kinds = 's', size = { width: 1080, height: 1920 }): Composition {
  const at = (index: number) => (Math.round((index * frames) / kinds.length) * 1000) / 30
  const shots = Array.from(kinds, (kind, i) => shot(`${kind}-${i}`, at(i), at(i + 1), kind === 'c' ? 'clip' : 'still'))
  return { ...composition({ durationMs: at(kinds.length), shots }), ...size }
}

const cpuOf = (film: Composition) => estimateCpuSeconds(film, missingSegments(film, undefined))

/** The most frames with an estimate within `cpuSeconds`. */
function framesWithin(cpuSeconds: number, kinds: string): number {
  let [within, beyond] = [1, 1]
  while (cpuOf(filmOfFrames(beyond, kinds)) <= cpuSeconds) [within, beyond] = [beyond, 2 * beyond]
  while (beyond - within > 1) {
    const middle = (within + beyond) >> 1
    if (cpuOf(filmOfFrames(middle, kinds)) <= cpuSeconds) within = middle
    else beyond = middle
  }
  return within
}

const planned = (film: Composition, previous: Composition | undefined, mediaBytes: number, limits: LaneLimits) =>
  planLane(film, missingSegments(film, previous), mediaBytes, limits)
const limits: LaneLimits = { functionsMax: 40, functionVcpus: 1.7, tasksMax: 4 }
const tasksOnly = (tasksMax: number): LaneLimits => ({ ...limits, functionsMax: 0, tasksMax })
const planTasks = (film: Composition, previous: Composition | undefined, tasksMax: number) =>
  planned(film, previous, 0, tasksOnly(tasksMax)).parts.map((part) => {
    if (part.part !== 'segments') throw new Error(`Tasks render segments, not ${part.part}`)
    return part
  })
const batchesIn = (plan: LanePlan) => plan.parts.flatMap((part) => (part.part === 'segments' ? part : []))
const startingIn = (segments: readonly Segment[], { from, to }: { from: number; to: number }) =>
  segments.filter(({ fromFrame }) => fromFrame >= from && fromFrame < to)

describe('the lane of a render', () => {
  it('is a task where functions are off', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_000 }), (frames) => {
        expect(planned(filmOfFrames(frames), undefined, 0, { ...limits, functionsMax: 0 }).lane).toBe('task')
      }),
      { numRuns: 30 },
    )
  })

  it.each(['s', 'c', 'sc'])('changes exactly at the limits of CPU time (shots: %s)', (kinds) => {
    const single = framesWithin(functionCpuSecondsMax, kinds)
    expect(planned(filmOfFrames(single, kinds), undefined, 0, limits)).toEqual({ lane: 'function', parts: [] })
    expect(planned(filmOfFrames(single + 1, kinds), undefined, 0, limits).lane).toBe('functions')
    const fanOut = framesWithin(fanOutCpuSecondsMax, kinds)
    expect(planned(filmOfFrames(fanOut, kinds), undefined, 0, limits).lane).toBe('functions')
    expect(planned(filmOfFrames(fanOut + 1, kinds), undefined, 0, limits).lane).toBe('task')
  })

  it('changes exactly at the limit of media bytes', () => {
    const [small, large] = [filmOfFrames(300), filmOfFrames(9_000)]
    expect(planned(small, undefined, functionMediaBytesMax, limits).lane).toBe('function')
    expect(planned(small, undefined, functionMediaBytesMax + 1, limits).lane).toBe('task')
    expect(planned(large, undefined, functionMediaBytesMax, limits).lane).toBe('functions')
    expect(planned(large, undefined, functionMediaBytesMax + 1, limits).lane).toBe('task')
  })

  it('follows pixels: a larger picture costs as many times more as it has pixels', () => {
    const [full, half] = [cpuOf(filmOfFrames(900)), cpuOf(filmOfFrames(900, 's', { width: 540, height: 960 }))]
    const start = estimateCpuSeconds(filmOfFrames(900), [])
    expect((full - start) / (half - start)).toBeCloseTo(4)
    const frames = framesWithin(functionCpuSecondsMax, 's') * 4
    expect(planned(filmOfFrames(frames), undefined, 0, limits).lane).toBe('functions')
    expect(planned(filmOfFrames(frames, 's', { width: 540, height: 960 }), undefined, 0, limits).lane).toBe('function')
  })

  it('has no fan-out where one function may run', () => {
    const one = { ...limits, functionsMax: 1 }
    const single = framesWithin(functionCpuSecondsMax, 's')
    expect(planned(filmOfFrames(single), undefined, 0, one).lane).toBe('function')
    expect(planned(filmOfFrames(single + 1), undefined, 0, one).lane).toBe('task')
  })

  it('is a fan-out where the function has too small a part of a vCPU to render alone', () => {
    const half = { ...limits, functionVcpus: 0.5 }
    const single = framesWithin(functionCpuSecondsMax / 2, 's')
    expect(planned(filmOfFrames(single), undefined, 0, half).lane).toBe('function')
    expect(planned(filmOfFrames(single + 1), undefined, 0, half).lane).toBe('functions')
    expect(planned(filmOfFrames(single + 1), undefined, 0, { ...half, functionVcpus: 1 }).lane).toBe('function')
  })

  it('counts only what the previous render does not show', () => {
    const before = filmOfFrames(18_000, 's'.repeat(120))
    const { shots } = before
    const edited = { ...before, shots: shots.with(3, { ...shots[3]!, media: { kind: 'still' as const, key: 'new' } }) }
    expect(planned(before, undefined, 0, limits).lane).toBe('functions')
    expect(planned(edited, before, 0, limits)).toEqual({ lane: 'function', parts: [] })
    expect(planned(before, before, 0, limits)).toEqual({ lane: 'function', parts: [] })
    expect(mediaKeysOf(missingSegments(edited, before)).sort()).toEqual(['new', 's-2', 's-4'])
  })
})

describe('the parts of a fan-out', () => {
  it('are the sound, the thumbnail, and as many batches as finish in about 4 s each, within the limits', () => {
    const any = fc.record({
      frames: fc.integer({ min: 4_400, max: 40_000 }),
      kinds: fc.stringMatching(/^[sc]{1,30}$/),
      functionsMax: fc.integer({ min: 2, max: 60 }),
      functionVcpus: fc.constantFrom(1, 1.7, 4, 5.8),
    })
    fc.assert(
      fc.property(any, ({ frames, kinds, functionsMax, functionVcpus }) => {
        const long = filmOfFrames(frames, kinds)
        fc.pre(cpuOf(long) > functionCpuSecondsMax && cpuOf(long) <= fanOutCpuSecondsMax)
        const plan = planned(long, undefined, 0, { functionsMax, functionVcpus, tasksMax: 4 })
        expect(plan.lane).toBe('functions')
        expect(plan.parts.map(({ part }) => part).filter((part) => part !== 'segments')).toEqual(['sound', 'thumbnail'])
        const wanted = Math.ceil(cpuOf(long) / (functionVcpus * 4))
        expect(batchesIn(plan)).toHaveLength(Math.max(2, Math.min(wanted, functionsMax, 40)))
      }),
      { numRuns: 30 },
    )
  })

  it('contain every missing segment once, and cost about the same', () => {
    const any = fc.record({
      frames: fc.integer({ min: 6_000, max: 20_000 }),
      kinds: fc.stringMatching(/^[sc]{1,30}$/),
      functionsMax: fc.integer({ min: 2, max: 40 }),
    })
    fc.assert(
      fc.property(any, ({ frames, kinds, functionsMax }) => {
        const long = filmOfFrames(frames, kinds)
        const batches = batchesIn(planned(long, undefined, 0, { ...limits, functionsMax }))
        fc.pre(batches.length > 0)
        const { segments } = planRender(long)
        const rendered = batches.map((batch) => startingIn(segments, batch))
        expect(rendered.flat()).toEqual(segments)
        const costOf = (some: Segment[]) => estimateCpuSeconds(long, some) - estimateCpuSeconds(long, [])
        const share = costOf(segments) / batches.length
        const largest = Math.max(...segments.map((segment) => costOf([segment])))
        for (const batch of rendered) expect(Math.abs(costOf(batch) - share)).toBeLessThanOrEqual(largest + 1e-6)
      }),
      { numRuns: 30 },
    )
  })

  it('have fewer frames where clips are shown', () => {
    const halves = filmOfFrames(12_000, 'sc')
    const [stills, clips] = batchesIn(planned(halves, undefined, 0, { ...limits, functionsMax: 2 }))
    expect(stills!.to - stills!.from).toBeGreaterThan(clips!.to - clips!.from)
  })
})

describe('the batches of tasks', () => {
  it('are none for a video that one task renders sooner', () => {
    expect(planTasks(film(235), undefined, 4)).toEqual([])
  })

  it('are none if only one task may render', () => {
    expect(planTasks(film(600), undefined, 1)).toEqual([])
  })

  it('contain every segment once, and have about equal durations', () => {
    fc.assert(
      fc.property(fc.integer({ min: 48, max: 200 }), fc.integer({ min: 2, max: 6 }), (fives, max) => {
        const long = film(fives * 5)
        const batches = planTasks(long, undefined, max)
        const { segments } = planRender(long)
        expect(batches).toHaveLength(Math.min(max, Math.floor(fives / 12)))
        expect(batches.flatMap((batch) => startingIn(segments, batch))).toEqual(segments)
        const frames = batches.map(({ from, to }) => to - from)
        expect(Math.max(...frames) - Math.min(...frames)).toBeLessThanOrEqual(2 * 150)
      }),
      { numRuns: 20 },
    )
  })

  it('omit what the previous render shows too', () => {
    const long = film(600)
    const edited = { ...long, pages: [page('hello you', 1_000)] }
    expect(planTasks(edited, long, 4)).toEqual([])
    const first = { ...long.shots[0]!, media: { kind: 'still' as const, key: 'another' } }
    const half = long.shots.map((old, i) => (i < 60 ? { ...old, media: { ...first.media, key: `new-${i}` } } : old))
    const batches = planTasks({ ...long, shots: half }, long, 4)
    expect(batches).toHaveLength(4)
    // The old picture fades in over the new one before it.
    expect(batches.at(-1)!.from).toBeLessThan(9_000)
  })

  it('contain what is visible of captions that were edited, or drawn otherwise', () => {
    const pages = Array.from({ length: 120 }, (_, i) => page('hello there', i * 5_000, 2_000))
    const long = { ...film(600), pages }
    const edited = { ...long, pages: pages.map(({ startMs }) => page('hello you', startMs, 2_000)) }
    expect(planTasks(long, long, 4)).toEqual([])
    expect(planTasks(edited, long, 4)).toHaveLength(4)
    expect(planTasks({ ...long, theme: { captionsFontSize: 30 } }, long, 4)).toHaveLength(4)
  })
})
