/** Places the words of a page: each gets its own measured box, so that a word that grows never moves its neighbours. */
import { peakScale } from './caption-effects.ts'
import type { CaptionStyle } from './caption-style.ts'
import type { CompositionPage } from './composition.ts'
import type { Face } from './truetype.ts'

/** A word at its place. `x` and `y` are the centre of its box as libass sees it. Times are those of the film. */
export interface PlacedWord {
  text: string
  face: Face
  fontPx: number
  x: number
  y: number
  width: number
  /** When it starts to be spoken, and when the next word does. */
  startMs: number
  endMs: number
}

interface Measured extends Omit<PlacedWord, 'x' | 'y' | 'fontPx' | 'width'> {
  /** Sum of the advances in em, without letter spacing. */
  advance: number
}

const lineWidthMax = 0.86
/** A word that grows while it is spoken may come this close to the edges. */
const spokenWidthMax = 0.96
const blockHeightMax = 0.6
/** Distance of the block from the top and the bottom of the film. */
const marginY = 0.04
const wordGapEm = 0.34
const lineHeightEm = 1.22
const shrinkStep = 0.96

/** The first face is the theme's; the others stand in for characters it lacks. Characters no face has are left out. */
export function placeWords(page: CompositionPage, style: CaptionStyle, faces: Face[]): PlacedWord[] {
  const words = page.words
    .map((word, index) => ({
      ...spell(word.punctuated_word, style, faces),
      startMs: word.startMs,
      endMs: page.words[index + 1]?.startMs ?? page.endMs,
    }))
    .filter((word) => word.text !== '')
  if (style.layoutMode === 'word') return words.flatMap((word) => place([word], style, faces[0]!))
  return words.length === 0 ? [] : place(words, style, faces[0]!)
}

/** The text as it is shown, and the first face that has most of its characters. */
function spell(
  word: string,
  { textTransform }: CaptionStyle,
  faces: Face[],
): Pick<Measured, 'text' | 'face' | 'advance'> {
  const plain = word
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    .trim()
  const characters = [...transform(plain, textTransform)]
  const known = (face: Face) => characters.filter((character) => face.advance(character.codePointAt(0)!) !== undefined)
  const face = faces.reduce((best, other) => (known(other).length > known(best).length ? other : best))
  const shown = known(face)
  const advance = shown.reduce((sum, character) => sum + face.advance(character.codePointAt(0)!)!, 0)
  return { text: shown.join(''), face, advance }
}

function transform(text: string, how: CaptionStyle['textTransform']): string {
  if (how === 'uppercase') return text.toUpperCase()
  if (how === 'lowercase') return text.toLowerCase()
  if (how === 'capitalize') return text.replace(/\p{L}/u, (letter) => letter.toUpperCase())
  return text
}

/** One block of lines, centred, in the largest size up to the theme's that fits. */
function place(words: Measured[], style: CaptionStyle, mainFace: Face): PlacedWord[] {
  const lineMax = lineWidthMax * style.size.width
  let shrink = 1
  const widthOf = (word: Measured) =>
    shrink * (word.advance * style.fontPx + [...word.text].length * style.letterSpacingPx)
  const gap = () => shrink * (wordGapEm * style.fontPx + style.letterSpacingPx)
  const lineWidth = (line: Measured[]) => line.reduce((sum, word) => sum + widthOf(word), 0) + gap() * (line.length - 1)
  const wrap = () => (style.layoutMode === 'single-line' ? [words] : balance(words, lineMax, lineWidth))
  let lines = wrap()
  const fits = () =>
    lines.every((line) => lineWidth(line) <= lineMax) &&
    words.every((word) => widthOf(word) * peakScale(style.wordEffect) <= spokenWidthMax * style.size.width) &&
    lines.length * lineHeightEm * style.fontPx * shrink <= blockHeightMax * style.size.height
  while (!fits()) {
    shrink *= shrinkStep
    lines = wrap()
  }

  const fontPx = style.fontPx * shrink
  const lineHeight = lineHeightEm * fontPx
  const halfBlock = (lines.length * lineHeight) / 2
  const edge = marginY * style.size.height + halfBlock
  const centreY = Math.max(edge, Math.min(style.size.height - edge, style.centreY))
  return lines.flatMap((line, index) => {
    let left = (style.size.width - lineWidth(line)) / 2
    const lineY = centreY - halfBlock + (index + 0.5) * lineHeight
    return line.map((word): PlacedWord => {
      const width = widthOf(word)
      const x = left + width / 2
      left += width + gap()
      const { text, face, startMs, endMs } = word
      return { text, face, fontPx, x, y: lineY + fontPx * (baseline(mainFace) - baseline(face)), width, startMs, endMs }
    })
  })
}

/** Distance in em from the centre of a line box down to the letters' baseline; it differs from face to face. */
function baseline({ ascent, descent }: Face): number {
  return (ascent - descent) / 2
}

/** As few lines as greedy wrapping needs, then as even as they get: no last word on a line of its own without need. */
function balance(words: Measured[], lineMax: number, lineWidth: (line: Measured[]) => number): Measured[][] {
  const wrap = (limit: number) => {
    const lines: Measured[][] = [[]]
    for (const word of words) {
      const line = lines.at(-1)!
      if (line.length > 0 && lineWidth([...line, word]) > limit) lines.push([word])
      else line.push(word)
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
