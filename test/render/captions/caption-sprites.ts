/** Captions as sprites, and what tests read from them. */
import type { ThemeConfig } from '../../../lib/domain/records/theme.ts'
import { type PlacedWord, placeWords } from '../../../lib/render/captions/layout.ts'
import { captionSprites } from '../../../lib/render/captions/sprites.ts'
import { captionStyle } from '../../../lib/render/captions/style.ts'
import type { CompositionPage } from '../../../lib/render/composition.ts'
import { placementAt, type Sprite } from '../../../lib/render/sprite.ts'
import { facesOf, page } from '../compositions.ts'

const size = { width: 1080, height: 1920 }
export const staticTheme: ThemeConfig = { captionsAnimation: 'none', captionsWordEffects: '' }

/** A sprite of a page, with its measurements. */
export interface DrawnSprite {
  sprite: Sprite
  svg: string
  /** What it shows, and of which word. */
  kind: 'shadow' | 'box' | 'letters'
  word: PlacedWord
  text: string
  fromMs: number
  toMs: number
  fill: string
  stroke?: string
  strokeWidth?: number
}

const wordsOf = (shown: CompositionPage, theme: ThemeConfig) =>
  placeWords(shown, captionStyle(theme, size), facesOf(theme, pageText(shown)))
export const pageText = ({ words }: CompositionPage) => words.map(({ punctuated_word }) => punctuated_word).join(' ')

/** The sprites of a page in drawing order. */
export function spritesOf(text: string | CompositionPage, theme: ThemeConfig = {}): DrawnSprite[] {
  const shown = typeof text === 'string' ? page(text) : text
  const words = wordsOf(shown, theme)
  return captionSprites(shown, { ...size, theme }, facesOf(theme, pageText(shown))).map((sprite): DrawnSprite => {
    const { fromMs, toMs, picture } = sprite
    const svg = picture.kind === 'drawing' ? picture.svg : ''
    const at = placementAt(sprite, toMs)
    const distance = (word: PlacedWord) => Math.abs(word.x - at.x) + Math.abs(word.y - at.y)
    const word = words
      .filter(({ screen }) => screen.startMs <= fromMs && toMs <= screen.endMs)
      .reduce((best, other) => (distance(other) < distance(best) ? other : best))
    const line = / stroke="(#\w+)" stroke-width="([\d.]+)"/.exec(svg)
    return {
      ...{ sprite, svg, word, text: word.text, fromMs, toMs },
      kind: svg.includes('<filter') ? 'shadow' : svg.includes('<path') ? 'letters' : 'box',
      fill: svg
        .match(/ fill="(#\w+)"/g)!
        .at(-1)!
        .slice(7, -1),
      ...(line && { stroke: line[1]!, strokeWidth: Number(line[2]) }),
    }
  })
}
export const letterSprites = (text: string | CompositionPage, theme: ThemeConfig = {}) =>
  spritesOf(text, theme).filter(({ kind }) => kind === 'letters')
export const isActive = ({ word, fromMs, toMs }: DrawnSprite) => fromMs === word.startMs && toMs === word.endMs

/** Where the ink of a sprite is at rest, without its stroke: pixels of the video. */
export function inkOf({ sprite, svg }: DrawnSprite): { left: number; right: number; top: number; bottom: number } {
  const [dx, dy] = /translate\((\S+) (\S+)\)/.exec(svg)!.slice(1).map(Number) as [number, number]
  const numbers = / d="([^"]*)"/
    .exec(svg)![1]!
    .match(/-?[\d.]+/g)!
    .map(Number)
  const at = placementAt(sprite, Number.MAX_SAFE_INTEGER)
  const xs = numbers.filter((_, i) => i % 2 === 0).map((x) => at.x - sprite.width / 2 + dx + x)
  const ys = numbers.filter((_, i) => i % 2 === 1).map((y) => at.y - sprite.height / 2 + dy + y)
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }
}

/** Between which columns of the video a sprite is visible at a moment. */
export function seenAt({ sprite }: DrawnSprite, ms: number): { from: number; to: number } {
  const { x, from, to } = placementAt(sprite, ms)
  return { from: x + (from - 0.5) * sprite.width, to: x + (to - 0.5) * sprite.width }
}
