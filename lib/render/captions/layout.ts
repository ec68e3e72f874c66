/**
 * Lays out the words of a page. Each word has a fixed measured box, so that a word that is scaled never moves its
 * neighbours.
 */

import type { CompositionPage } from '../composition.ts'
import { concatOutlines, type Outline } from '../outline.ts'
import type { FontFace } from '../truetype.ts'
import { type LayoutMetrics, layoutMetrics } from './layout-metrics.ts'
import type { CaptionStyle } from './style.ts'
import {
  type Direction,
  directionOfPage,
  keywordOf,
  type Piece,
  piecesOf,
  screensOf,
  visualOrder,
} from './text-segmentation.ts'

/**
 * A word with its position. `x` and `y` are its centre of scaling: the middle of its width and of its line. Times are
 * those of the video.
 */
export interface PlacedWord {
  text: string
  face: FontFace
  outline: Outline
  /** Start of the outline on its baseline, in pixels from `x` and `y`. */
  origin: { x: number; y: number }
  /** Size relative to the theme's: a word that is too long, or else its whole page, is scaled down until it fits. */
  shrink: number
  fontPx: number
  x: number
  y: number
  width: number
  direction: Direction
  /** Start of its speech, and of that of the next word. */
  startMs: number
  endMs: number
  /** The share of the word effect's growth that fits beside its neighbours. */
  growthShare: number
  /** The share of the entrance's rise that fits below the page. */
  riseShare: number
  /** The time of everything on the screen with it, usually that of its page. */
  screen: { startMs: number; endMs: number }
  isFirst: boolean
  isKeyword: boolean
}

const shrinkStep = 0.96
/** A page of more lines is drawn a little smaller if that saves a line. */
const linesPreferred = 2
const shrinkForLinesMin = 0.82

/** The first face is the theme's; the others are fallbacks. Characters that no face has are left out. */
export function placeWords(page: CompositionPage, style: CaptionStyle, faces: FontFace[]): PlacedWord[] {
  const pieces = piecesOf(page, style, faces)
  if (pieces.length === 0) return []
  const said = page.words.map((word) => word.punctuated_word)
  const keyword = said.length > 1 ? keywordOf(said.join(' ')) : undefined
  const isKeyword = ({ wordIndex }: Piece) => keyword !== undefined && keywordOf(said[wordIndex]!) === keyword
  const { wordIndex: first } = pieces[0]!
  const marks = (piece: Piece) => ({ isFirst: piece.wordIndex === first, isKeyword: isKeyword(piece) })
  const direction = directionOfPage(page)
  return screensOf(page, pieces, style).flatMap(({ pieces: group, ...screen }) =>
    layoutBlock(group, { style, mainFace: faces[0]!, direction }).map(({ piece, ...word }) => ({
      ...word,
      ...marks(piece),
      screen,
    })),
  )
}

interface Page {
  style: CaptionStyle
  mainFace: FontFace
  direction: Direction
}

/** A centred block of lines, in the largest size that fits, at most the theme's. */
function layoutBlock(pieces: Piece[], { style, mainFace, direction }: Page) {
  const wrap = (measure: LayoutMetrics) =>
    style.layoutMode === 'single-line' ? [pieces] : balanceLines(pieces, measure)
  const at = (shrink: number) => {
    const measure = layoutMetrics(style, shrink)
    return { shrink, measure, lines: wrap(measure) }
  }
  let block = at(1)
  while (!block.measure.fits(block.lines)) block = at(block.shrink * shrinkStep)
  const smaller = (shrink: number): typeof block => {
    const next = at(shrink * shrinkStep)
    if (next.shrink < shrinkForLinesMin || block.lines.length <= linesPreferred) return block
    return next.lines.length < block.lines.length && next.measure.fits(next.lines) ? next : smaller(next.shrink)
  }
  const { shrink, measure, lines } = smaller(block.shrink)

  const { em, spacing, width, wordShrink, gap, lineWidth, height, growthShare, riseShare } = measure
  const halfLines = ((lines.length - 1) * height) / 2
  const [centreX, centreY] = [measure.centreX(lines), measure.centreY(lines)]
  return lines.flatMap((line, index) => {
    const lineY = centreY - halfLines + index * height
    const shown = visualOrder(line, direction)
    let left = centreX - lineWidth(shown) / 2
    return shown.map((piece, position) => {
      const wide = width(piece)
      if (position > 0) left += gap(piece)
      const centre = left + wide / 2
      left += wide
      const { text, face, startMs, endMs } = piece
      const { outline, middle } = textOutline(piece, spacing / em)
      const baselineY = lineY + em * baselineOffset(mainFace)
      const own = wordShrink(piece)
      const fontPx = own * em
      const y = baselineY - fontPx * (piece.outline ? -(outline.top + outline.bottom) / 2 : baselineOffset(face))
      return {
        piece,
        ...{
          text,
          face,
          shrink: own * shrink,
          fontPx,
          width: wide,
          startMs,
          endMs,
          growthShare: growthShare(piece),
          riseShare: riseShare(centreY + halfLines),
        },
        outline,
        direction: piece.direction,
        x: centre,
        y,
        origin: { x: -fontPx * middle, y: baselineY - y },
      }
    })
  })
}

/** The outline of a text with letter spacing in em, and the distance from its origin to the middle of its width. */
export function textOutline(
  { text, face, outline: shaped }: Pick<Piece, 'text' | 'face' | 'outline'>,
  spacing: number,
): { outline: Outline; middle: number } {
  if (shaped) return { outline: shaped, middle: (shaped.left + shaped.right) / 2 }
  const letters = [...text].map((letter) => {
    const codePoint = letter.codePointAt(0)!
    return { outline: face.letter(codePoint), width: (face.advance(codePoint) ?? 0) + spacing }
  })
  const width = letters.reduce((sum, letter) => sum + letter.width, 0) - spacing
  return { outline: concatOutlines(letters), middle: width / 2 }
}

/** Distance in em from the centre of a line box down to the baseline; it differs between faces. */
function baselineOffset({ ascent, descent }: FontFace): number {
  return (ascent - descent) / 2
}

/**
 * The number of lines of greedy wrapping, then the narrowest width that keeps it, which avoids a single word on the
 * last line.
 */
function balanceLines(pieces: Piece[], { lineMax, lineWidth }: LayoutMetrics): Piece[][] {
  const wrap = (limit: number) => {
    const lines: Piece[][] = [[]]
    for (const piece of pieces) {
      const line = lines.at(-1)!
      if (line.length > 0 && lineWidth([...line, piece]) > limit) lines.push([piece])
      else line.push(piece)
    }
    return lines
  }
  let lines = wrap(lineMax)
  for (let limit = 0.98 * lineMax; limit > 0; limit -= 0.02 * lineMax) {
    const narrower = wrap(limit)
    if (narrower.length > lines.length) break
    lines = narrower
  }
  return lines
}
