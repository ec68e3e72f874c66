/** Draws what stands on the slides of a film, as sprites over their grounds (see ground.ts) that come, rest and go. */
import type { Composition } from '../composition.ts'
import type { Track } from '../keyframes.ts'
import { multiply } from '../keyframes.ts'
import type { Sprite } from '../sprite.ts'
import { type Change, changeInto, groundOf } from './background-shots.ts'
import { approaching, arriving, eased, followedBy } from './element-motion.ts'
import type { Slide } from './slide.ts'
import { type Element, logoElement, type Stage, stageOf, type Typefaces } from './slide-context.ts'
import { rect, svg, textIn, wholeBox } from './svg.ts'
import { templates } from './templates.ts'
import { fontsFor } from './typefaces.ts'

const farewellMs = 240

interface Scene {
  slide: Slide
  index: number
  stage: Stage
  change: Change
  /** How the slide after it comes, where one does at once. */
  next: Change | undefined
}

/** The composition with the sprites of its slides, which lie under those that it has already. */
export function drawSlides(composition: Composition, typefaces: Typefaces): Composition {
  const { slides, theme, brand = {}, sprites = [] } = composition
  if (!slides) return composition
  const film = { width: composition.width, height: composition.height }
  const scenes = slides.map((slide, index): Scene => {
    const after = slides[index + 1]
    const next = after?.startMs === slide.endMs ? changeInto(after, slide) : undefined
    const change = changeInto(slide, slides[index - 1])
    return { slide, index, stage: stageOf(slide, film, theme, typefaces, brand), change, next }
  })
  const drawn = scenes.flatMap((scene) => [
    ...incomingGround(scene, composition),
    ...templates[scene.slide.template](scene.stage)
      .map((element) => spriteOf(element, scene))
      .filter(({ fromMs, toMs }) => fromMs < toMs),
  ])
  const sweeps = scenes.flatMap(sweepOf)
  return { ...composition, sprites: [...drawn, ...logos(scenes), ...sweeps, ...sprites] }
}

/** The ground of a slide that slides in, until it rests there as a shot. */
function incomingGround({ slide, index, stage: { film }, change }: Scene, { theme }: Composition): Sprite[] {
  const { entrance, durationMs } = change
  if ((entrance !== 'slide' && entrance !== 'push') || durationMs === 0) return []
  const { startMs } = slide
  return [
    {
      ...{ picture: groundOf(slide, index, film, theme), ...film, fromMs: startMs, toMs: startMs + durationMs },
      x: eased(startMs, durationMs, 1.5 * film.width, 0.5 * film.width),
      ...{ y: [[startMs, film.height / 2]], scale: [[startMs, 1]], opacity: [[startMs, 1]] },
    },
  ]
}

/** A panel in the accent that passes over the film; behind it one slide becomes the other. */
function sweepOf({ slide, stage: { film, palette }, change }: Scene): Sprite[] {
  if (change.entrance !== 'wipe' || change.durationMs === 0) return []
  const box = { x: 0, y: 0, ...film }
  const [fromMs, half] = [slide.startMs, change.durationMs / 2]
  const comes = eased(fromMs, half, -0.5 * film.width, 0.5 * film.width)
  const goes: Track = [
    [fromMs + half + 34, 0.5 * film.width],
    [fromMs + 2 * half, 1.5 * film.width],
  ]
  return [
    {
      picture: { kind: 'drawing', svg: svg(box, rect(box, palette.accentB)) },
      ...{ ...film, fromMs, toMs: fromMs + 2 * half, x: followedBy(comes, goes) },
      ...{ y: [[fromMs, film.height / 2]], scale: [[fromMs, 1]], opacity: [[fromMs, 1]] },
    },
  ]
}

function spriteOf(element: Element, scene: Scene): Sprite {
  const { typefaces } = scene.stage
  const box = wholeBox(element.box)
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const text = textIn(element.markup)
  const fonts = text && { fonts: fontsFor(text, typefaces) }
  const drawing = { kind: 'drawing', svg: svg(box, element.markup), ...fonts } as const
  const comes = coming(element, scene, x, y)
  return {
    picture: element.imageKey ? { kind: 'image', key: element.imageKey } : drawing,
    ...{ width: box.width, height: box.height },
    ...comes,
    ...leaving(element, scene, comes),
  }
}

type Coming = Pick<Sprite, 'fromMs' | 'x' | 'y' | 'scale' | 'opacity'>

/** How a piece comes: by itself or, where it is there while the slide comes, with the slide. */
function coming({ atMs, arrival }: Element, { stage, change, slide }: Scene, x: number, y: number): Coming {
  const { entrance, durationMs } = change
  const isEarly = atMs < slide.startMs + durationMs
  if (isEarly && (entrance === 'slide' || entrance === 'push')) {
    const fromMs = arrival === 'cut' ? atMs : slide.startMs
    const carried = eased(slide.startMs, durationMs, x + stage.film.width, x)
    return { ...arriving('cut', fromMs, x, y, stage.unit), fromMs, x: carried }
  }
  if (isEarly && entrance === 'zoom' && arrival !== 'cut')
    return { ...approaching(atMs, x, y, stage.film), fromMs: atMs }
  // A wipe uncovers the slide half-way.
  const fromMs = entrance === 'wipe' ? Math.max(atMs, slide.startMs + durationMs / 2) : atMs
  return { ...arriving(arrival, fromMs, x, y, stage.unit), fromMs }
}

/** How it goes: before the slide does, under the next slide, or away with its own. */
function leaving({ untilMs }: Element, { slide, next, stage }: Scene, { x, opacity }: Coming) {
  if (untilMs !== undefined) return { toMs: Math.min(untilMs, slide.endMs) }
  if (!next) return { toMs: slide.endMs }
  const changedMs = slide.endMs + next.durationMs
  if (next.entrance === 'slide') return { toMs: changedMs }
  if (next.entrance === 'wipe') return { toMs: slide.endMs + next.durationMs / 2 }
  if (next.entrance === 'push') {
    const rested = x.at(-1)![1]
    const goes = eased(slide.endMs, next.durationMs, rested, rested - stage.film.width)
    return { toMs: changedMs, x: followedBy(x, goes) }
  }
  const toMs = slide.endMs + Math.min(farewellMs, next.durationMs)
  const fades: Track = [
    [slide.endMs, 1],
    [toMs, 0],
  ]
  return { toMs, opacity: multiply(opacity, fades) }
}

/** The logo stays where it is while slides change under it. */
function logos(scenes: readonly Scene[]): Sprite[] {
  const runs: { scene: Scene; toMs: number }[] = []
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
