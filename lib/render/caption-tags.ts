/** Tags of an ASS line that follow the entrance of a page: where a word is at the moment the line begins, and how it goes on. */
import { entrances } from './caption-effects.ts'
import type { PlacedWord } from './caption-layout.ts'
import type { CaptionStyle } from './caption-style.ts'
import { assAlpha, type Colour } from './colours.ts'
import { startingAt, type Track, transforms, valueAt } from './keyframes.ts'
import type { Face } from './truetype.ts'

/** A word and the page it enters with. */
export interface Scene {
  word: PlacedWord
  style: CaptionStyle
  mainFace: Face
  pageStartMs: number
}

/** The time before, while or after a word is spoken. */
export interface Phase {
  kind: 'before' | 'active' | 'after'
  fromMs: number
  toMs: number
}

/** Where a line stands, or what is left of its way up when it begins while the page still enters. */
export function placement(x: number, y: number, { fromMs }: Phase, { word, style, pageStartMs }: Scene): string {
  const rise = startingAt(entrances[style.animation].rise, fromMs - pageStartMs)
  const [arrivalMs] = rise.at(-1)!
  const below = valueAt(rise, 0) * style.unit * word.riseShare
  if (below === 0) return `\\pos(${number(x)},${number(y)})`
  return `\\move(${number(x)},${number(y + below)},${number(x)},${number(y)},0,${Math.round(arrivalMs)})`
}

/** Opacity of the entrance; colours that are translucent themselves need a tag each (`1a` fill, `3a` stroke, `4a` shadow). */
export function opacity(span: Phase, scene: Scene, colours: Record<string, Colour>): string {
  const opaque = Object.values(colours).every((colour) => colour.alpha === 255)
  if (!opaque) return opacityOfEach(span, scene, colours)
  return transforms(fade(span, scene), (value) => `\\alpha&H${assAlpha(value)}&`)
}

export function opacityOfEach(span: Phase, scene: Scene, colours: Record<string, Colour>): string {
  const each = (value: number) =>
    Object.entries(colours)
      .map(([tag, { alpha }]) => `\\${tag}&H${assAlpha((value * alpha) / 255)}&`)
      .join('')
  return transforms(fade(span, scene), each) || each(1)
}

const fade = ({ fromMs }: Phase, { style, pageStartMs }: Scene): Track =>
  startingAt(entrances[style.animation].opacity, fromMs - pageStartMs)

/** A brace begins a tag and `\N` a line: braces are escaped, and a word joiner (no width) parts a backslash from its letter. */
export function escapeText(text: string): string {
  return text.replaceAll('\\', '\\\u2060').replaceAll('{', '\\{').replaceAll('}', '\\}')
}

export function number(value: number): string {
  return String(Number(value.toFixed(2)))
}
