/** Draws what stands on the slides of a film, as sprites over their grounds (see ground.ts) that come, rest and go. */
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
  stage: SlideContext
  change: SlideTransition
  /** How the slide after it comes, where one does at once. */
  next: SlideTransition | undefined
}

/** The composition with the sprites of its slides, which lie under those that it has already. */
export function drawSlides(composition: Composition, typefaces: Typefaces): Composition {
  const { slides, theme, brand = {}, sprites = [] } = composition
  if (!slides) return composition
  const film = { width: composition.width, height: composition.height }
  const scenes = slides.map((slide, index): SlideTiming => {
    const after = slides[index + 1]
    const next = after?.startMs === slide.endMs ? transitionInto(after, slide) : undefined
    const change = transitionInto(slide, slides[index - 1])
    return { slide, index, stage: slideContext(slide, film, theme, typefaces, brand), change, next }
  })
  const drawn = scenes.flatMap((scene) => [
    ...incomingBackground(scene, composition),
    ...templateRenderers[scene.slide.template](scene.stage)
      .map((element) => spriteOf(element, scene))
      .filter(({ fromMs, toMs }) => fromMs < toMs),
  ])
  const sweeps = scenes.flatMap(sweepOf)
  return { ...composition, sprites: [...drawn, ...logos(scenes), ...sweeps, ...sprites] }
}

/** The ground of a slide that slides in, until it rests there as a shot. */
function incomingBackground(
  { slide, index, stage: { frame: film }, change }: SlideTiming,
  { theme }: Composition,
): Sprite[] {
  const { entrance, durationMs } = change
  if ((entrance !== 'slide' && entrance !== 'push') || durationMs === 0) return []
  const { startMs } = slide
  return [
    {
      ...{ picture: backgroundOf(slide, index, film, theme), ...film, fromMs: startMs, toMs: startMs + durationMs },
      x: easedTrack(startMs, durationMs, 1.5 * film.width, 0.5 * film.width),
      ...{ y: [[startMs, film.height / 2]], scale: [[startMs, 1]], opacity: [[startMs, 1]] },
    },
  ]
}

/** A panel in the accent that passes over the film; behind it one slide becomes the other. */
function sweepOf({ slide, stage: { frame: film, palette }, change }: SlideTiming): Sprite[] {
  if (change.entrance !== 'wipe' || change.durationMs === 0) return []
  const box = { x: 0, y: 0, ...film }
  const [fromMs, half] = [slide.startMs, change.durationMs / 2]
  const comes = easedTrack(fromMs, half, -0.5 * film.width, 0.5 * film.width)
  const goes: Track = [
    [fromMs + half + 34, 0.5 * film.width],
    [fromMs + 2 * half, 1.5 * film.width],
  ]
  return [
    {
      picture: { kind: 'drawing', svg: svg(box, svgRect(box, palette.accentB)) },
      ...{ ...film, fromMs, toMs: fromMs + 2 * half, x: concatTracks(comes, goes) },
      ...{ y: [[fromMs, film.height / 2]], scale: [[fromMs, 1]], opacity: [[fromMs, 1]] },
    },
  ]
}

function spriteOf(element: SlideElement, scene: SlideTiming): Sprite {
  const { typefaces } = scene.stage
  const box = snapToPixels(element.box)
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const text = textContent(element.markup)
  const fonts = text && { fonts: fontsForText(text, typefaces) }
  const drawing = { kind: 'drawing', svg: svg(box, element.markup), ...fonts } as const
  const comes = entranceOf(element, scene, x, y)
  return {
    picture: element.imageKey ? { kind: 'image', key: element.imageKey } : drawing,
    ...{ width: box.width, height: box.height },
    ...comes,
    ...exitOf(element, scene, comes),
  }
}

type EntranceTracks = Pick<Sprite, 'fromMs' | 'x' | 'y' | 'scale' | 'opacity'>

/** How a piece comes: by itself or, where it is there while the slide comes, with the slide. */
function entranceOf(
  { atMs, entrance: arrival }: SlideElement,
  { stage, change, slide }: SlideTiming,
  x: number,
  y: number,
): EntranceTracks {
  const { entrance, durationMs } = change
  const isEarly = atMs < slide.startMs + durationMs
  if (isEarly && (entrance === 'slide' || entrance === 'push')) {
    const fromMs = arrival === 'cut' ? atMs : slide.startMs
    const carried = easedTrack(slide.startMs, durationMs, x + stage.frame.width, x)
    return { ...entranceMotion('cut', fromMs, x, y, stage.unit), fromMs, x: carried }
  }
  if (isEarly && entrance === 'zoom' && arrival !== 'cut')
    return { ...zoomInMotion(atMs, x, y, stage.frame), fromMs: atMs }
  // A wipe uncovers the slide half-way.
  const fromMs = entrance === 'wipe' ? Math.max(atMs, slide.startMs + durationMs / 2) : atMs
  return { ...entranceMotion(arrival, fromMs, x, y, stage.unit), fromMs }
}

/** How it goes: before the slide does, under the next slide, or away with its own. */
function exitOf({ untilMs }: SlideElement, { slide, next, stage }: SlideTiming, { x, opacity }: EntranceTracks) {
  if (untilMs !== undefined) return { toMs: Math.min(untilMs, slide.endMs) }
  if (!next) return { toMs: slide.endMs }
  const changedMs = slide.endMs + next.durationMs
  if (next.entrance === 'slide') return { toMs: changedMs }
  if (next.entrance === 'wipe') return { toMs: slide.endMs + next.durationMs / 2 }
  if (next.entrance === 'push') {
    const rested = x.at(-1)![1]
    const goes = easedTrack(slide.endMs, next.durationMs, rested, rested - stage.frame.width)
    return { toMs: changedMs, x: concatTracks(x, goes) }
  }
  const toMs = slide.endMs + Math.min(exitMs, next.durationMs)
  const fades: Track = [
    [slide.endMs, 1],
    [toMs, 0],
  ]
  return { toMs, opacity: multiplyTracks(opacity, fades) }
}

/** The logo stays where it is while slides change under it. */
function logos(scenes: readonly SlideTiming[]): Sprite[] {
  const runs: { scene: SlideTiming; toMs: number }[] = []
  for (const scene of scenes) {
    const run = runs.at(-1)
    if (run && run.toMs === scene.slide.startMs) run.toMs = scene.slide.endMs
    else runs.push({ scene, toMs: scene.slide.endMs })
  }
  return runs.flatMap(({ scene, toMs }) =>
    logoElement(scene.stage, scene.slide.startMs).map((element) => ({
      ...spriteOf(element, { ...scene, change: { entrance: 'fade', durationMs: 0 }, next: undefined }),
      toMs,
    })),
  )
}
