/**
 * Caption pages as one ASS script for libass, on the clock of the whole film. Every word is a line of its own in each of
 * its phases (before, while and after it is spoken), pinned to its measured place: scaling a word never re-flows a page.
 */
import { entrances, settlingScale, spokenScale } from './caption-effects.ts'
import { type PlacedWord, placeWords } from './caption-layout.ts'
import { type CaptionStyle, captionStyle, type Paint } from './caption-style.ts'
import { assAlpha, assColour, type Colour } from './colours.ts'
import type { Composition, CompositionPage } from './composition.ts'
import { multiply, startingAt, type Track, transforms, valueAt } from './keyframes.ts'
import type { Face } from './truetype.ts'

/** ASS counts in hundredths of a second; shorter phases could not be seen anyway. */
const phaseMsMin = 10
/** Pace of the typewriter, unless the word is spoken faster. */
const letterMs = 35
const layers = { highlight: 0, resting: 1, active: 2 }

/** A word and the page it enters with. */
interface Scene {
  word: PlacedWord
  style: CaptionStyle
  mainFace: Face
  pageStartMs: number
  firstOfPage: boolean
}

interface Phase {
  kind: 'before' | 'active' | 'after'
  fromMs: number
  toMs: number
}

/** `faces`: the theme's font first, then those that stand in for characters it lacks. `bt601`: see colours.ts. */
export function writeSubtitles(
  { width, height, pages, theme }: Pick<Composition, 'width' | 'height' | 'pages' | 'theme'>,
  faces: Face[],
  { bt601 }: { bt601: boolean },
): string {
  const style = captionStyle(theme, { width, height }, bt601)
  const events = pages.flatMap((page) => drawPage(page, style, faces))
  return `${header(style, faces[0]!)}${events.join('')}`
}

function header(style: CaptionStyle, { name, ascent, descent }: Face): string {
  const { fill, stroke, strokePx } = style.resting
  // Opaque here: each line says for itself how translucent its colours are.
  const opaque = (colour: Colour) => `&H00${assColour(colour)}`
  const shadow = style.shadow ?? stroke
  const fields = [
    ...['Cap', name, number(style.fontPx * (ascent + descent))],
    ...[opaque(fill), opaque(fill), opaque(stroke), opaque(shadow)],
    ...['0,0,0,0,100,100', number(style.letterSpacingPx), '0,1', number(strokePx)],
    ...[style.shadow ? number(4 * style.unit) : '0', '5,0,0,0,1'],
  ]
  return `[Script Info]
ScriptType: v4.00+
PlayResX: ${style.size.width}
PlayResY: ${style.size.height}
WrapStyle: 2
ScaledBorderAndShadow: yes
YCbCr Matrix: None

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: ${fields.join(',')}

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
`
}

function drawPage(page: CompositionPage, style: CaptionStyle, faces: Face[]): string[] {
  return placeWords(page, style, faces).flatMap((word, index) => {
    // In word mode each word is a page of its own.
    const { startMs, endMs } = style.layoutMode === 'word' ? word : page
    const scene: Scene = { word, style, mainFace: faces[0]!, pageStartMs: startMs, firstOfPage: index === 0 }
    const phases: Phase[] = [
      { kind: 'before', fromMs: startMs, toMs: word.startMs },
      { kind: 'active', fromMs: word.startMs, toMs: word.endMs },
      { kind: 'after', fromMs: word.endMs, toMs: endMs },
    ]
    return phases.filter(({ fromMs, toMs }) => toMs - fromMs >= phaseMsMin).flatMap((phase) => drawPhase(phase, scene))
  })
}

function drawPhase(phase: Phase, scene: Scene): string[] {
  const { style, word } = scene
  const whole = escapeText(word.text)
  if (style.animation !== 'typewriter') return [...drawHighlight(phase, scene), drawWord(phase, phase, scene, whole)]
  if (phase.kind === 'before') return []
  if (phase.kind === 'after') return [drawWord(phase, phase, scene, whole)]
  const letters = [...word.text]
  const step = Math.min(letterMs, (phase.toMs - phase.fromMs) / letters.length)
  const typed = letters.map((_, index) => {
    const last = index === letters.length - 1
    const fromMs = phase.fromMs + index * step
    const hidden = escapeText(letters.slice(index + 1).join(''))
    const text = escapeText(letters.slice(0, index + 1).join('')) + (last ? '' : `{\\alpha&HFF&}${hidden}`)
    return drawWord({ ...phase, fromMs, toMs: last ? phase.toMs : fromMs + step }, phase, scene, text)
  })
  return [...drawHighlight(phase, scene), ...typed]
}

/** One line of the script: `part` of the phase `whole`, in which the word reads `text`. */
function drawWord(part: Phase, whole: Phase, scene: Scene, text: string): string {
  const { style, word, mainFace } = scene
  const paint = paintOf(part, scene)
  const fontSize = word.fontPx * (word.face.ascent + word.face.descent)
  const tags = [
    placement(word.x, word.y, part, scene),
    word.face !== mainFace ? `\\fn${word.face.name}` : '',
    word.face !== mainFace || word.fontPx !== style.fontPx ? `\\fs${number(fontSize)}` : '',
    word.fontPx !== style.fontPx && style.letterSpacingPx !== 0
      ? `\\fsp${number((style.letterSpacingPx * word.fontPx) / style.fontPx)}`
      : '',
    assColour(paint.fill) !== assColour(style.resting.fill) ? `\\1c&H${assColour(paint.fill)}&` : '',
    assColour(paint.stroke) !== assColour(style.resting.stroke) ? `\\3c&H${assColour(paint.stroke)}&` : '',
    paint.strokePx !== style.resting.strokePx ? `\\bord${number(paint.strokePx)}` : '',
    opacity(part, scene, { '1a': paint.fill, '3a': paint.stroke, ...(style.shadow && { '4a': style.shadow }) }),
    transforms(scaleOf(part, whole, scene), (value) => `\\fscx${number(100 * value)}\\fscy${number(100 * value)}`),
    style.wordEffect === 'karaokeWord' && whole.kind === 'active' ? sweep(part, scene) : '',
  ]
  return dialogue(part.kind === 'active' ? layers.active : layers.resting, part, `{${tags.join('')}}${text}`)
}

function paintOf({ kind }: Phase, { style, firstOfPage }: Scene): Paint {
  if (kind === 'active') return style.active
  const spoken = kind === 'after' && style.wordEffect === 'karaokeWord'
  const fill = spoken ? style.active.fill : firstOfPage ? style.firstWordFill : undefined
  return { ...style.resting, fill: fill ?? style.resting.fill }
}

function scaleOf(part: Phase, whole: Phase, { style, word, pageStartMs }: Scene): Track {
  const entering = startingAt(entrances[style.animation].scale, part.fromMs - pageStartMs)
  if (part.kind === 'before') return entering
  const moving =
    part.kind === 'active' ? spokenScale(style.wordEffect) : settlingScale(style.wordEffect, word.endMs - word.startMs)
  return multiply(entering, startingAt(moving, part.fromMs - whole.fromMs))
}

/** Where a line stands, or what is left of its way up when it begins while the page still enters. */
function placement(x: number, y: number, { fromMs }: Phase, { style, pageStartMs }: Scene): string {
  const rise = startingAt(entrances[style.animation].rise, fromMs - pageStartMs)
  const [arrivalMs] = rise.at(-1)!
  const below = valueAt(rise, 0) * style.unit
  if (below === 0) return `\\pos(${number(x)},${number(y)})`
  return `\\move(${number(x)},${number(y + below)},${number(x)},${number(y)},0,${Math.round(arrivalMs)})`
}

/** Opacity of the entrance; colours that are translucent themselves need a tag each (`1a` fill, `3a` stroke, `4a` shadow). */
function opacity({ fromMs }: Phase, { style, pageStartMs }: Scene, colours: Record<string, Colour>): string {
  const track = startingAt(entrances[style.animation].opacity, fromMs - pageStartMs)
  const opaque = Object.values(colours).every((colour) => colour.alpha === 255)
  if (opaque) return transforms(track, (value) => `\\alpha&H${assAlpha(value)}&`)
  const each = (value: number) =>
    Object.entries(colours)
      .map(([tag, { alpha }]) => `\\${tag}&H${assAlpha((value * alpha) / 255)}&`)
      .join('')
  return transforms(track, each) || each(1)
}

/** Karaoke: the colour runs through the word while it is spoken. */
function sweep({ fromMs, toMs }: Phase, { style, firstOfPage }: Scene): string {
  const before = (firstOfPage && style.firstWordFill) || style.resting.fill
  return `\\2c&H${assColour(before)}&\\kf${Math.round((toMs - fromMs) / 10)}`
}

/** The rounded box behind a spoken word, where the theme has one. */
function drawHighlight(phase: Phase, scene: Scene): string[] {
  const { word, style } = scene
  if (phase.kind !== 'active' || !style.highlight) return []
  const em = word.fontPx
  const [width, height, radius] = [word.width + 0.36 * em, 1.16 * em, 0.2 * em]
  // Capitals are 0.7 em high: their middle lies 0.35 em above the baseline, not in the middle of the line box.
  const y = word.y + em * ((word.face.ascent - word.face.descent) / 2 - 0.35)
  const colour = `\\1c&H${assColour(style.highlight)}&\\bord0\\shad0`
  const tags = `${placement(word.x, y, phase, scene)}${colour}${opacity(phase, scene, { '1a': style.highlight })}\\p1`
  return [dialogue(layers.highlight, phase, `{${tags}}${roundedBox(width, height, radius)}`)]
}

/** ASS drawing commands, clockwise from the top left; each corner is one cubic curve. */
function roundedBox(width: number, height: number, radius: number): string {
  const [w, h, r] = [Math.round(width), Math.round(height), Math.round(radius)]
  return [
    `m ${r} 0 l ${w - r} 0 b ${w} 0 ${w} 0 ${w} ${r} l ${w} ${h - r} b ${w} ${h} ${w} ${h} ${w - r} ${h}`,
    `l ${r} ${h} b 0 ${h} 0 ${h} 0 ${h - r} l 0 ${r} b 0 0 0 0 ${r} 0`,
  ].join(' ')
}

function dialogue(layer: number, { fromMs, toMs }: Phase, text: string): string {
  return `Dialogue: ${layer},${timestamp(fromMs)},${timestamp(toMs)},Cap,,0,0,0,,${text}\n`
}

function timestamp(ms: number): string {
  const total = Math.max(0, Math.round(ms / 10))
  const two = (value: number) => String(value).padStart(2, '0')
  return `${Math.floor(total / 360_000)}:${two(Math.floor(total / 6000) % 60)}:${two(Math.floor(total / 100) % 60)}.${two(total % 100)}`
}

/** A brace begins a tag and `\N` a line: braces are escaped, and a word joiner (no width) parts a backslash from its letter. */
function escapeText(text: string): string {
  return text.replaceAll('\\', '\\\u2060').replaceAll('{', '\\{').replaceAll('}', '\\}')
}

function number(value: number): string {
  return String(Number(value.toFixed(2)))
}
