/**
 * Converts caption pages to sprites with SVG drawings, on the clock of the video. Each word has a separate picture per
 * phase (before, while and after it is spoken) at its measured position: a word that is scaled never re-flows its page.
 * Pure; `containers/media/render/sprites.ts` rasterises the drawings.
 */

import { type Colour, toHex } from '../colours.ts'
import type { Composition, CompositionPage } from '../composition.ts'
import type { Size } from '../framing.ts'
import { multiplyTracks, shiftTrack, type Track } from '../keyframes.ts'
import { contoursOf, pathOf } from '../outline.ts'
import { type ScaleRange, type Sprite, scaleRangeOf } from '../sprite.ts'
import type { FontFace } from '../truetype.ts'
import { entranceOf, settlingScale, spokenScale } from './effects.ts'
import { type PlacedWord, placeWords } from './layout.ts'
import { highlightPadding } from './layout-metrics.ts'
import { karaokeSides, type RevealedSide, revealOf, typewriterSteps } from './reveal.ts'
import { type CaptionStyle, captionStyle, type Paint } from './style.ts'

/** The time before, while or after a word is spoken. */
interface Phase {
  kind: 'before' | 'active' | 'after'
  fromMs: number
  toMs: number
}

/** A word in one of its phases. */
interface WordPhase {
  word: PlacedWord
  style: CaptionStyle
  phase: Phase
  scale: Track
  /** Range over all phases that share its picture. */
  scales: ScaleRange
}

/** From bottom to top. */
const layers = ['shadow', 'highlight', 'resting', 'active'] as const
type Layer = (typeof layers)[number]

/** The sprites of a page in drawing order. `faces`: the theme's first, then the fallbacks. */
export function captionSprites(
  page: CompositionPage,
  { width, height, theme }: Pick<Composition, 'width' | 'height' | 'theme'>,
  faces: FontFace[],
): Sprite[] {
  const style = captionStyle(theme, { width, height })
  const drawn = placeWords(page, style, faces).flatMap((word) => drawWord(word, style))
  return layers.flatMap((layer) => drawn.flatMap((sprite) => (sprite.layer === layer ? sprite.sprite : [])))
}

interface LayeredSprite {
  layer: Layer
  sprite: Sprite
}

function drawWord(word: PlacedWord, style: CaptionStyle): LayeredSprite[] {
  const { startMs, endMs } = word.screen
  const isTyped = style.animation === 'typewriter'
  const phases: Phase[] = [
    { kind: 'before', fromMs: startMs, toMs: word.startMs },
    { kind: 'active', fromMs: word.startMs, toMs: word.endMs },
    { kind: 'after', fromMs: word.endMs, toMs: endMs },
  ]
  const visible = phases
    .filter(({ kind, fromMs, toMs }) => toMs > fromMs && !(kind === 'before' && isTyped))
    .map((phase) => ({ phase, scale: scaleIn(phase, word, style) }))
  const resting = visible.flatMap(({ phase, scale }) => (phase.kind === 'active' ? [] : scale))
  return visible.flatMap(({ phase, scale }) => {
    // Resting words are drawn for scale 1, where they are sharpest: larger scales last only a moment.
    const scales = phase.kind === 'active' ? scaleRangeOf(scale) : { ...scaleRangeOf(resting), largest: 1 }
    const steps = isTyped && phase.kind === 'active' ? typewriterSteps(word, style, phase) : [{ word }]
    return steps.flatMap(({ word: written, ...span }) =>
      drawPhase({ word: written, style, phase: { ...phase, ...span }, scale, scales }),
    )
  })
}

function drawPhase(wordPhase: WordPhase): LayeredSprite[] {
  const { word, style, phase } = wordPhase
  const paint = paintOf(phase.kind, word, style)
  const layer: Layer = phase.kind === 'active' ? 'active' : 'resting'
  const letters = (ink: Paint, side?: RevealedSide): LayeredSprite => ({
    layer,
    sprite: spriteOf(lettersOf(word, ink), wordPhase, side),
  })
  const isKaraoke = style.wordEffect === 'karaokeWord' && style.animation !== 'typewriter' && phase.kind === 'active'
  const sides = isKaraoke && karaokeSides(word, style, phase)
  return [
    ...(style.shadow
      ? [{ layer: 'shadow' as const, sprite: spriteOf(shadowOf(word, paint, style.shadow), wordPhase) }]
      : []),
    ...(style.highlight && phase.kind === 'active'
      ? [{ layer: 'highlight' as const, sprite: spriteOf(boxOf(word, style.highlight), wordPhase) }]
      : []),
    ...(sides
      ? (['before', 'active'] as const).map((kind) => letters(paintOf(kind, word, style), sides[kind]))
      : [letters(paint)]),
  ]
}

/** A picture centred on the word's centre of scaling. */
interface WordPicture {
  width: number
  height: number
  markup: string
  /** Distance of its centre below that of the word. */
  below?: number
}

function spriteOf(
  { width, height, markup, below = 0 }: WordPicture,
  wordPhase: WordPhase,
  side?: RevealedSide,
): Sprite {
  const { word, style, phase, scale, scales } = wordPhase
  const { rise, opacity } = entranceOf(style)
  const entering = (track: Track) => shiftTrack(track, -word.screen.startMs)
  const middle = { x: word.x, y: word.y + below }
  const rest = { x: snapToPixel(middle.x), y: snapToPixel(middle.y) }
  // The rounding error of the position is drawn into the picture, so that words of a line share a baseline.
  const placed = `<g transform="translate(${round(middle.x - rest.x)} ${round(middle.y - rest.y)})">${markup}</g>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${placed}</svg>`
  return {
    picture: { kind: 'drawing', svg },
    ...{ width, height, fromMs: phase.fromMs, toMs: phase.toMs },
    x: [[phase.fromMs, rest.x]],
    y: entering(rise.map(([ms, lower]) => [ms, rest.y + lower * style.unit * word.riseShare])),
    scale,
    scales,
    opacity: entering(opacity),
    ...(side && { reveal: revealOf(side, width) }),
  }
}

/**
 * The nearest even pixel, which is also a whole chroma sample: a picture centred there is not blurred by resampling.
 */
const snapToPixel = (middle: number) => 2 * Math.round(middle / 2)

function scaleIn(phase: Phase, word: PlacedWord, style: CaptionStyle): Track {
  const entering = shiftTrack(entranceOf(style).scale, -word.screen.startMs)
  if (phase.kind === 'before') return entering
  const effect =
    phase.kind === 'active' ? spokenScale(style.wordEffect) : settlingScale(style.wordEffect, word.endMs - word.startMs)
  const moving = effect.map(([ms, scale]): [number, number] => [ms, 1 + (scale - 1) * word.growthShare])
  return multiplyTracks(entering, shiftTrack(moving, -phase.fromMs))
}

/**
 * The keyword keeps its colours in all phases; the first word has its own fill unless it is being spoken (in word mode,
 * always).
 */
function paintOf(kind: Phase['kind'], word: PlacedWord, style: CaptionStyle): Paint {
  const wasHighlighted = kind === 'after' && style.wordEffect === 'karaokeWord'
  const paint =
    kind === 'active' ? style.active : wasHighlighted ? { ...style.resting, fill: style.active.fill } : style.resting
  const accented = word.isKeyword ? { ...paint, ...style.accent } : paint
  const isActive = kind === 'active' && style.layoutMode !== 'word'
  const fill = word.isFirst && !isActive && !wasHighlighted ? style.firstWordFill : undefined
  return { ...accented, ...(fill && { fill }) }
}

/** The letters of a word with their stroke. */
function lettersOf(word: PlacedWord, { fill, stroke, strokePx }: Paint): WordPicture {
  const outside = strokePx * word.shrink
  const size = sizeAround(word, outside)
  const line = outside > 0 ? strokeOf(word, size, stroke, outside) : ''
  const path = `d="${pathIn(size, word)}"`
  const letters = `<path ${path} fill="${toHex(fill)}"/>`
  if (fill.alpha === 255 || line === '') return { ...size, markup: line + letters }
  // The stroke must not show through translucent letters.
  const around = `<mask id="around" maskUnits="userSpaceOnUse" x="0" y="0" width="${size.width}" height="${size.height}"><rect width="100%" height="100%" fill="#fff"/><path ${path}/></mask>`
  return { ...size, markup: `${around}<g mask="url(#around)">${line}</g>${letters}` }
}

/**
 * A stroke that extends `outside` pixels beyond the letters. Contours narrower than that are filled, where SVG would
 * leave a hole.
 */
function strokeOf(word: PlacedWord, size: Size, colour: Colour, outside: number): string {
  const ink = toHex({ ...colour, alpha: 255 })
  const line = `stroke="${ink}" stroke-width="${round(2 * outside)}" stroke-linejoin="round"`
  const reached = contoursOf(word.outline).filter(
    ({ left, right, top, bottom }) => word.fontPx * Math.min(right - left, bottom - top) <= 2 * outside,
  )
  const filled = reached.map((outline) => `<path d="${pathIn(size, { ...word, outline })}"/>`)
  const path = `<path d="${pathIn(size, word)}" ${line}/>`
  return `<g fill="${ink}" opacity="${round(colour.alpha / 255)}">${path}${filled.join('')}</g>`
}

const pathIn = ({ width, height }: Size, { outline, origin, fontPx }: PlacedWord) =>
  pathOf(outline, width / 2 + origin.x, height / 2 + origin.y, fontPx)

/** The size of a picture centred on the word, with `room` pixels around the letters. */
function sizeAround({ outline, origin, fontPx }: PlacedWord, room: number): Size {
  const { left, right, top, bottom } = outline
  const reach = (from: number, ...ends: number[]) =>
    Math.max(...ends.map((end) => Math.abs(from + fontPx * end))) + room
  return { width: lengthOver(reach(origin.x, left, right)), height: lengthOver(reach(origin.y, top, bottom)) }
}

/**
 * The length of a picture that extends `reach` from its centre: a multiple of 4, so that the centre is a whole chroma
 * sample, with a margin.
 */
const lengthOver = (reach: number) => 4 * Math.ceil((reach + 2) / 2)

/** In em: offset, blur and spread of a shadow. */
const shadowFall = 0.07
const shadowBlur = 0.05
const shadowSpread = 0.03

function shadowOf(word: PlacedWord, { strokePx }: Paint, colour: Colour): WordPicture {
  const em = word.fontPx
  const spread = Math.max(strokePx * word.shrink, shadowSpread * em)
  const size = sizeAround(word, spread + 3 * shadowBlur * em)
  const soft = `<filter id="soft" filterUnits="userSpaceOnUse" x="0" y="0" width="${size.width}" height="${size.height}"><feGaussianBlur stdDeviation="${round(shadowBlur * em)}"/></filter>`
  const markup = `${soft}<g filter="url(#soft)">${strokeOf(word, size, colour, spread)}</g>`
  return { ...size, markup, below: shadowFall * em }
}

/** The rounded box behind a spoken word; it scales with the word. */
function boxOf(word: PlacedWord, colour: Colour): WordPicture {
  const em = word.fontPx
  const box = { width: Math.round(word.width + 2 * highlightPadding * em), height: Math.round(1.16 * em) }
  const [width, height] = [lengthOver(box.width / 2), lengthOver(box.height / 2)]
  const corner = `x="${(width - box.width) / 2}" y="${(height - box.height) / 2}"`
  const markup = `<rect ${corner} width="${box.width}" height="${box.height}" rx="${round(0.2 * em)}" fill="${toHex(colour)}"/>`
  // Capitals are 0.7 em high: their middle is 0.35 em above the baseline, not in the middle of the line.
  return { width, height, markup, below: word.origin.y - 0.35 * em }
}

const round = (value: number) => Math.round(value * 100) / 100
