/** Lays out the emoji of caption pages as sprites. Pure; `lib/render/drawing/emoji.ts` reads their drawings. */

import type { Composition, CompositionPage } from '../composition.ts'
import { shiftTrack, type Track } from '../keyframes.ts'
import type { Sprite } from '../sprite.ts'
import type { FontFace } from '../truetype.ts'
import { entranceOf } from './effects.ts'
import { placeWords } from './layout.ts'
import { captionStyle } from './style.ts'

/** In em of the page: the side of an emoji, its distance from the words, and half the height of a line. */
const side = 1.5
const distance = 0.1
const halfLine = 0.61

/**
 * The file name of an emoji in Twemoji: its code points in hex, without the variation selector unless it is a joined
 * sequence.
 */
export function emojiName(character: string): string {
  const codes = [...character].map((part) => part.codePointAt(0)!.toString(16))
  return (codes.includes('200d') ? codes : codes.filter((code) => code !== 'fe0f')).join('-')
}

/**
 * The emoji is above its page, or below it where there is no space or a face, and enters with the page. `svg` is its square
 * drawing.
 */
export function emojiSprite(
  page: CompositionPage,
  svg: string,
  { width, height, theme, isPresented }: Pick<Composition, 'width' | 'height' | 'theme' | 'isPresented'>,
  faces: FontFace[],
): Sprite | undefined {
  const style = captionStyle(theme, { width, height })
  const words = placeWords(page, style, faces)
  if (words.length === 0) return undefined
  const { startMs, endMs } = page
  const em = Math.max(...words.map(({ fontPx }) => fontPx))
  const px = Math.round(side * em)
  const edges = words.flatMap((word) => [word.x - word.width / 2, word.x + word.width / 2])
  const middle = (Math.min(...edges) + Math.max(...edges)) / 2
  const offset = (halfLine + distance) * em + px / 2
  const above = Math.min(...words.map(({ y }) => y)) - offset
  const below = Math.max(...words.map((word) => word.y)) + offset
  // Above captions is the face of a presenter.
  const isBelow = isPresented ? below + px / 2 < height : above - px / 2 <= 0
  const y = isBelow ? below : above
  const { opacity, scale, rise } = entranceOf(style)
  const onVideoClock = (track: Track): Track => shiftTrack(track, -startMs)
  return {
    picture: { kind: 'drawing', svg: svg.replace('<svg ', `<svg width="${px}" height="${px}" `) },
    ...{ width: px, height: px, fromMs: startMs, toMs: endMs },
    x: [[startMs, middle]],
    y: onVideoClock(rise.map(([ms, below]) => [ms, y + below * style.unit * words[0]!.riseShare])),
    scale: onVideoClock(scale),
    opacity: onVideoClock(opacity),
  }
}
