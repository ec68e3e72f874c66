/** The lines of an ASS script that show one word in one of its phases: its shadow, its box, its letters. */
import { entrances, settlingScale, spokenScale } from './caption-effects.ts'
import { baseline, type PlacedWord } from './caption-layout.ts'
import { drawingMode, drawingOf } from './caption-outline.ts'
import { highlightPadding } from './caption-ruler.ts'
import { graphemes, measured } from './caption-script.ts'
import type { Paint } from './caption-style.ts'
import { escapeText, number, opacity, opacityOfEach, type Phase, placement, type Scene } from './caption-tags.ts'
import { assColour } from './colours.ts'
import { multiply, startingAt, type Track, transforms } from './keyframes.ts'

/** `text` is what stands after the nine fields of an event. */
export interface Line {
  layer: number
  fromMs: number
  toMs: number
  text: string
}

const layers = { shadow: 0, highlight: 1, resting: 2, active: 3, sweep: 4 }
/** Pace of the typewriter, unless the word is spoken faster. */
const letterMs = 35

export function drawPhase(phase: Phase, scene: Scene): Line[] {
  const { style } = scene
  if (style.animation !== 'typewriter') {
    const sweeps = style.wordEffect === 'karaokeWord' && phase.kind === 'active'
    const letters = sweeps ? drawSweep(phase, scene) : [drawWord(phase, phase, scene, scene.word)]
    return [...drawShadow(phase, phase, scene, scene.word), ...drawHighlight(phase, scene), ...letters]
  }
  if (phase.kind === 'before') return []
  const parts = phase.kind === 'active' ? typed(phase, scene.word) : [{ ...phase, part: scene.word }]
  const letters = parts.flatMap(({ part, ...span }) => [
    ...drawShadow(span, phase, scene, part),
    drawWord(span, phase, scene, part),
  ])
  return [...drawHighlight(phase, scene), ...letters]
}

/** What is seen of a word: all of it or its beginning, with the place of that. */
type Part = Pick<PlacedWord, 'text' | 'drawing' | 'x' | 'y'> & { hidden?: string }

/** Each step writes the whole word: one that is longer than any that is read is typed several letters at a time. */
const stepsMax = 64

/** The word letter by letter. Outlines grow from where the word begins, as letters change while one writes. */
function typed(phase: Phase, word: PlacedWord): (Phase & { part: Part })[] {
  const letters = graphemes(word.text)
  const atOnce = Math.max(1, Math.ceil(letters.length / stepsMax))
  const steps = Math.ceil(letters.length / atOnce)
  const step = Math.min(letterMs * atOnce, (phase.toMs - phase.fromMs) / steps)
  return Array.from({ length: steps }, (_, index) => {
    const isLast = index === steps - 1
    const fromMs = phase.fromMs + index * step
    const seen = (index + 1) * atOnce
    const text = letters.slice(0, seen).join('')
    return {
      ...{ kind: phase.kind, fromMs, toMs: isLast ? phase.toMs : fromMs + step },
      part: isLast ? word : { ...word, ...beginning(word, text), hidden: letters.slice(seen).join('') },
    }
  })
}

function beginning({ outline: whole, ...word }: PlacedWord, text: string): Partial<Part> {
  const { outline } = measured(text, word.face)
  if (!whole || !outline) return { text }
  const missing = (word.fontPx * (whole.right - whole.left - (outline.right - outline.left))) / 2
  const higher = (word.fontPx * (outline.top + outline.bottom - whole.top - whole.bottom)) / 2
  const drawing = drawingOf(outline, word.fontPx)
  return { text, drawing, x: word.x + (word.direction === 'rtl' ? missing : -missing), y: word.y + higher }
}

/** `span` is the part of the phase `whole` in which the word reads `part`. */
function drawWord(span: Phase, whole: Phase, scene: Scene, part: Part): Line {
  const layer = span.kind === 'active' ? layers.active : layers.resting
  return lettersOf(layer, span, whole, scene, part, paintOf(span.kind, scene))
}

function lettersOf(layer: number, span: Phase, whole: Phase, scene: Scene, part: Part, paint: Paint): Line {
  const { style } = scene
  const tags = [
    placement(part.x, part.y, span, scene),
    font(scene, part),
    assColour(paint.fill) !== assColour(style.resting.fill) ? `\\1c&H${assColour(paint.fill)}&` : '',
    assColour(paint.stroke) !== assColour(style.resting.stroke) ? `\\3c&H${assColour(paint.stroke)}&` : '',
    stroke(paint.strokePx, scene),
    opacity(span, scene, { '1a': paint.fill, '3a': paint.stroke }),
    growth(span, whole, scene),
  ]
  return { layer, ...timesOf(span), text: `{${tags.join('')}${letters(part)}` }
}

const timesOf = ({ fromMs, toMs }: Phase) => ({ fromMs, toMs })

function font({ style, word, mainFace }: Scene, part: Part): string {
  if (part.drawing !== undefined) return ''
  const isMain = word.face === mainFace
  return [
    isMain ? '' : `\\fn${word.face.name}`,
    isMain && word.shrink === 1 ? '' : `\\fs${number(word.fontPx * (word.face.ascent + word.face.descent))}`,
    // Not in the style: libass takes no negative spacing from there, and spaces drawings too.
    style.letterSpacingPx === 0 ? '' : `\\fsp${number(style.letterSpacingPx * word.shrink)}`,
  ].join('')
}

/** Closes the tags and writes the letters; hidden ones keep their place. */
function letters({ text, drawing, hidden }: Part): string {
  if (drawing !== undefined) return `${drawingMode}}${drawing}`
  return `}${escapeText(text)}${hidden ? `{\\alpha&HFF&}${escapeText(hidden)}` : ''}`
}

function stroke(strokePx: number, { style, word }: Scene): string {
  const px = strokePx * word.shrink
  return px === style.resting.strokePx ? '' : `\\bord${number(px)}`
}

const growth = (span: Phase, whole: Phase, scene: Scene): string =>
  transforms(scaleOf(span, whole, scene), (value) => `\\fscx${number(100 * value)}\\fscy${number(100 * value)}`)

/** The keyword has its colours whatever happens to it, the first word where it is not the spoken one: in word mode, always. */
function paintOf(kind: Phase['kind'], { style, word }: Scene): Paint {
  const wasSung = kind === 'after' && style.wordEffect === 'karaokeWord'
  const paint =
    kind === 'active' ? style.active : wasSung ? { ...style.resting, fill: style.active.fill } : style.resting
  const accented = word.isKeyword ? { ...paint, ...style.accent } : paint
  const isItsTurn = kind === 'active' && style.layoutMode !== 'word'
  const fill = word.isFirst && !isItsTurn && !wasSung ? style.firstWordFill : undefined
  return { ...accented, ...(fill && { fill }) }
}

function scaleOf(span: Phase, whole: Phase, { style, word, pageStartMs }: Scene): Track {
  const entering = startingAt(entrances[style.animation].scale, span.fromMs - pageStartMs)
  if (span.kind === 'before') return entering
  const effect =
    span.kind === 'active' ? spokenScale(style.wordEffect) : settlingScale(style.wordEffect, word.endMs - word.startMs)
  const moving: Track = effect.map(([ms, scale]) => [ms, 1 + (scale - 1) * word.growthShare])
  return multiply(entering, startingAt(moving, span.fromMs - whole.fromMs))
}

/** Share of a word's width that a sweep goes to either side: more than half, as the word may still be growing when its page enters. */
const sweepReach = 0.55

/** Karaoke: the colours run through the word while it is spoken, the way it is read. */
function drawSweep(phase: Phase, scene: Scene): Line[] {
  const { word, style } = scene
  const before = lettersOf(layers.active, phase, phase, scene, word, paintOf('before', scene))
  const after = lettersOf(layers.sweep, phase, phase, scene, word, paintOf('active', scene))
  const reach = sweepReach * word.width + word.shrink * Math.max(style.resting.strokePx, style.active.strokePx)
  const [left, right] = [Math.floor(middleOf(scene) - reach), Math.ceil(middleOf(scene) + reach)]
  const [from, to] = word.direction === 'rtl' ? [right, right] : [left, left]
  const clip = (x1: number, x2: number) => `\\clip(${x1},0,${x2},${style.size.height})`
  const sweep = `${clip(from, to)}\\t(0,${Math.round(phase.toMs - phase.fromMs)},${clip(left, right)})`
  // Both are cut at the same place, so that translucent colours never lie over one another.
  return [
    { ...before, text: before.text.replace('{', `{${sweep.replaceAll('clip', 'iclip')}`) },
    { ...after, text: after.text.replace('{', `{${sweep}`) },
  ]
}

/** In em: how far down a shadow falls, how soft it is, and how far it reaches beyond letters without an outline. */
const shadowFall = 0.07
const shadowBlur = 0.06
const shadowSpread = 0.03

/** The shadow is cast by letters that are all but invisible themselves: libass leaves out the shadow of ones that are not there. */
function drawShadow(span: Phase, whole: Phase, scene: Scene, part: Part): Line[] {
  const { word, style } = scene
  if (!style.shadow) return []
  const paint = paintOf(span.kind, scene)
  const colour = assColour(style.shadow)
  const tags = [
    placement(part.x, part.y, span, scene),
    font(scene, part),
    `\\bord${number(Math.max(paint.strokePx * word.shrink, shadowSpread * word.fontPx))}`,
    `\\1c&H${colour}&\\1a&HFE&\\3a&HFF&\\xshad0\\yshad${number(shadowFall * word.fontPx)}\\blur${number(shadowBlur * word.fontPx)}`,
    `\\4c&H${colour}&${opacityOfEach(span, scene, { '4a': style.shadow })}`,
    growth(span, whole, scene),
  ]
  return [{ layer: layers.shadow, ...timesOf(span), text: `{${tags.join('')}${letters(part)}` }]
}

/** The rounded box behind a spoken word, where the theme has one; it grows with the word. */
function drawHighlight(phase: Phase, scene: Scene): Line[] {
  const { word, style } = scene
  if (phase.kind !== 'active' || !style.highlight) return []
  const em = word.fontPx
  const [width, height, radius] = [word.width + 2 * highlightPadding * em, 1.16 * em, 0.2 * em]
  // Capitals are 0.7 em high: their middle lies 0.35 em above the baseline, not in the middle of the line box.
  const aboveBaseline = word.outline ? -(word.outline.top + word.outline.bottom) / 2 : baseline(word.face)
  const y = word.y - em * (0.35 - aboveBaseline)
  const colour = `\\1c&H${assColour(style.highlight)}&\\bord0`
  const tags = `${placement(middleOf(scene), y, phase, scene)}${colour}${opacity(phase, scene, { '1a': style.highlight })}`
  const text = `{${tags}${growth(phase, phase, scene)}\\p1}${roundedBox(width, height, radius)}`
  return [{ layer: layers.highlight, ...timesOf(phase), text }]
}

/** The middle of what is seen of a word: libass counts the space after the last letter too. */
const middleOf = ({ word, style }: Scene): number =>
  word.x - (word.outline ? 0 : (style.letterSpacingPx * word.shrink) / 2)

/** ASS drawing commands, clockwise from the top left; each corner is one cubic curve. */
function roundedBox(width: number, height: number, radius: number): string {
  const [w, h, r] = [Math.round(width), Math.round(height), Math.round(radius)]
  return [
    `m ${r} 0 l ${w - r} 0 b ${w} 0 ${w} 0 ${w} ${r} l ${w} ${h - r} b ${w} ${h} ${w} ${h} ${w - r} ${h}`,
    `l ${r} ${h} b 0 ${h} 0 ${h} 0 ${h - r} l 0 ${r} b 0 0 0 0 ${r} 0`,
  ].join(' ')
}
