/**
 * Converts the content of slides to sprites that enter, rest and exit over the backgrounds (see `background-shots.ts`).
 * Pure; `lib/render/drawing/slides.ts` reads the fonts for it.
 */
import type { Composition } from '../composition.ts'
import type { Track } from '../keyframes.ts'
import { multiplyTracks } from '../keyframes.ts'
import type { Sprite } from '../sprite.ts'
import { backgroundOf, type SlideTransition, transitionInto } from './background-shots.ts'
import { concatTracks, easedTrack, entranceMotion, zoomInMotion } from './element-motion.ts'
import type { Slide } from './slide.ts'
import { logoElement, type SlideContext, type SlideElement, slideContext, type Typefaces } from './slide-context.ts'
import { snapToPixels, svg, svgRect, textContent } from './svg.ts'
import { templateRenderers } from './templates.ts'
import { fontsForText } from './typefaces.ts'

const exitMs = 240

interface SlideTiming {
  slide: Slide
  index: number
  context: SlideContext
  transition: SlideTransition
  /** The transition into the next slide, if it follows without a gap. */
  next: SlideTransition | undefined
}

/** The composition with the sprites of its slides, below those that it already has. */
export function drawSlides(composition: Composition, typefaces: Typefaces): Composition {
  const { slides, theme, brand = {}, sprites = [] } = composition
  if (!slides) return composition
  const frame = { width: composition.width, height: composition.height }
  const timings = slides.map((slide, index): SlideTiming => {
    const after = slides[index + 1]
    const next = after?.startMs === slide.endMs ? transitionInto(after, slide) : undefined
    const transition = transitionInto(slide, slides[index - 1])
    return { slide, index, context: slideContext(slide, frame, theme, typefaces, brand), transition, next }
  })
  const drawn = timings.flatMap((timing) => [
    ...incomingBackground(timing, composition),
    ...templateRenderers[timing.slide.template](timing.context)
      .map((element) => spriteOf(element, timing))
      .filter(({ fromMs, toMs }) => fromMs < toMs),
  ])
  const sweeps = timings.flatMap(sweepOf)
  return { ...composition, sprites: [...drawn, ...logos(timings), ...sweeps, ...sprites] }
}

/** The background of a slide while it slides in. After that it is a shot. */
function incomingBackground(
  { slide, index, context: { frame }, transition }: SlideTiming,
  { theme }: Composition,
): Sprite[] {
  const { entrance, durationMs } = transition
  if ((entrance !== 'slide' && entrance !== 'push') || durationMs === 0) return []
  const { startMs } = slide
  return [
    {
      ...{ picture: backgroundOf(slide, index, frame, theme), ...frame, fromMs: startMs, toMs: startMs + durationMs },
      x: easedTrack(startMs, durationMs, 1.5 * frame.width, 0.5 * frame.width),
      ...{ y: [[startMs, frame.height / 2]], scale: [[startMs, 1]], opacity: [[startMs, 1]] },
    },
  ]
}

/** The wipe: a panel in the accent colour crosses the frame, and the slides change behind it. */
function sweepOf({ slide, context: { frame, palette }, transition }: SlideTiming): Sprite[] {
  if (transition.entrance !== 'wipe' || transition.durationMs === 0) return []
  const box = { x: 0, y: 0, ...frame }
  const [fromMs, half] = [slide.startMs, transition.durationMs / 2]
  const entrance = easedTrack(fromMs, half, -0.5 * frame.width, 0.5 * frame.width)
  const exit: Track = [
    [fromMs + half + 34, 0.5 * frame.width],
    [fromMs + 2 * half, 1.5 * frame.width],
  ]
  return [
    {
      picture: { kind: 'drawing', svg: svg(box, svgRect(box, palette.accentB)) },
      ...{ ...frame, fromMs, toMs: fromMs + 2 * half, x: concatTracks(entrance, exit) },
      ...{ y: [[fromMs, frame.height / 2]], scale: [[fromMs, 1]], opacity: [[fromMs, 1]] },
    },
  ]
}

function spriteOf(element: SlideElement, timing: SlideTiming): Sprite {
  const { typefaces } = timing.context
  const box = snapToPixels(element.box)
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const text = textContent(element.markup)
  const fonts = text && { fonts: fontsForText(text, typefaces) }
  const drawing = { kind: 'drawing', svg: svg(box, element.markup), ...fonts } as const
  const entrance = entranceOf(element, timing, x, y)
  return {
    picture: element.imageKey ? { kind: 'image', key: element.imageKey } : drawing,
    ...{ width: box.width, height: box.height },
    ...entrance,
    ...exitOf(element, timing, entrance),
  }
}

type EntranceTracks = Pick<Sprite, 'fromMs' | 'x' | 'y' | 'scale' | 'opacity'>

/** An element enters with its own motion or, if it is visible during the transition, with the slide. */
function entranceOf(
  { atMs, entrance: elementEntrance }: SlideElement,
  { context, transition, slide }: SlideTiming,
  x: number,
  y: number,
): EntranceTracks {
  const { entrance, durationMs } = transition
  const isEarly = atMs < slide.startMs + durationMs
  if (isEarly && (entrance === 'slide' || entrance === 'push')) {
    const fromMs = elementEntrance === 'cut' ? atMs : slide.startMs
    const carried = easedTrack(slide.startMs, durationMs, x + context.frame.width, x)
    return { ...entranceMotion('cut', fromMs, x, y, context.unit), fromMs, x: carried }
  }
  if (isEarly && entrance === 'zoom' && elementEntrance !== 'cut')
    return { ...zoomInMotion(atMs, x, y, context.frame), fromMs: atMs }
  // A wipe uncovers the slide halfway through.
  const fromMs = entrance === 'wipe' ? Math.max(atMs, slide.startMs + durationMs / 2) : atMs
  return { ...entranceMotion(elementEntrance, fromMs, x, y, context.unit), fromMs }
}

/** An element exits at its own time, under the next slide, or with its slide. */
function exitOf({ untilMs }: SlideElement, { slide, next, context }: SlideTiming, { x, opacity }: EntranceTracks) {
  if (untilMs !== undefined) return { toMs: Math.min(untilMs, slide.endMs) }
  if (!next) return { toMs: slide.endMs }
  const changedMs = slide.endMs + next.durationMs
  if (next.entrance === 'slide') return { toMs: changedMs }
  if (next.entrance === 'wipe') return { toMs: slide.endMs + next.durationMs / 2 }
  if (next.entrance === 'push') {
    const rested = x.at(-1)![1]
    const exit = easedTrack(slide.endMs, next.durationMs, rested, rested - context.frame.width)
    return { toMs: changedMs, x: concatTracks(x, exit) }
  }
  const toMs = slide.endMs + Math.min(exitMs, next.durationMs)
  const fades: Track = [
    [slide.endMs, 1],
    [toMs, 0],
  ]
  return { toMs, opacity: multiplyTracks(opacity, fades) }
}

/** The logo stays in place across consecutive slides. */
function logos(timings: readonly SlideTiming[]): Sprite[] {
  const runs: { timing: SlideTiming; toMs: number }[] = []
  for (const timing of timings) {
    const run = runs.at(-1)
    if (run && run.toMs === timing.slide.startMs) run.toMs = timing.slide.endMs
    else runs.push({ timing, toMs: timing.slide.endMs })
  }
  return runs.flatMap(({ timing, toMs }) =>
    logoElement(timing.context, timing.slide.startMs).map((element) => ({
      ...spriteOf(element, { ...timing, transition: { entrance: 'fade', durationMs: 0 }, next: undefined }),
      toMs,
    })),
  )
}
