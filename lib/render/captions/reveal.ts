/** Words that appear bit by bit: sung through by karaoke, or typed letter by letter. */

import type { Track } from '../keyframes.ts'
import type { Sprite } from '../sprite.ts'
import { type PlacedWord, textOutline } from './layout.ts'
import type { CaptionStyle } from './style.ts'
import { directionOf, graphemes, measureText } from './text-segmentation.ts'

/** What is seen of a word: all on this side of an edge that moves, in pixels from the middle of the word. */
export interface RevealedSide {
  side: 'left' | 'right'
  edge: Track
}

interface Span {
  fromMs: number
  toMs: number
}

/** The part as that of a picture which has the middle of the word in its middle. */
export function revealOf({ side, edge }: RevealedSide, pictureWidth: number): NonNullable<Sprite['reveal']> {
  const shares: Track = edge.map(([ms, x]) => [ms, 0.5 + x / pictureWidth])
  const still = (share: number): Track => [[edge[0]![0], share]]
  return side === 'left' ? { from: still(0), to: shares } : { from: shares, to: still(1) }
}

/** A number on a page that runs from right to left does not. */
const isRightToLeft = ({ text }: PlacedWord) => directionOf(text) === 'rtl'

/** The colours run through the word, the way it is read: what is not sung yet, and what is. */
export function karaokeSides(
  word: PlacedWord,
  style: CaptionStyle,
  { fromMs, toMs }: Span,
): { before: RevealedSide; active: RevealedSide } {
  const reach = word.width / 2 + word.shrink * Math.max(style.resting.strokePx, style.active.strokePx)
  const isRtl = isRightToLeft(word)
  const [begin, end] = isRtl ? [reach, -reach] : [-reach, reach]
  const edge: Track = [
    [fromMs, begin],
    [toMs, end],
  ]
  // Both are cut at the same place, so that translucent colours never lie over one another.
  return isRtl
    ? { before: { side: 'left', edge }, active: { side: 'right', edge } }
    : { before: { side: 'right', edge }, active: { side: 'left', edge } }
}

/** Pace of the typewriter, unless the word is spoken faster. */
const letterMs = 35
/** Each beginning of a word is a picture of its own, none of them for less than a frame; a word of very many letters has a few. */
const frameMs = 1000 / 30
const lettersMax = 64
const stepsOfMore = 8

/** The word letter by letter, the way it is read: what is written of it, and when. */
export function typewriterSteps(
  word: PlacedWord,
  style: CaptionStyle,
  { fromMs, toMs }: Span,
): (Span & { word: PlacedWord })[] {
  const letters = graphemes(word.text)
  const stepsMax = Math.max(1, Math.floor((toMs - fromMs) / frameMs))
  const lettersPerStep = Math.ceil(
    letters.length / Math.min(stepsMax, letters.length > lettersMax ? stepsOfMore : lettersMax),
  )
  const steps = Math.ceil(letters.length / lettersPerStep)
  const stepMs = Math.min(letterMs * lettersPerStep, (toMs - fromMs) / steps)
  return Array.from({ length: steps }, (_, step) => {
    const isLast = step === steps - 1
    const beganMs = fromMs + step * stepMs
    return {
      fromMs: beganMs,
      toMs: isLast ? toMs : beganMs + stepMs,
      word: isLast ? word : beginningOf(word, letters.slice(0, (step + 1) * lettersPerStep).join(''), style),
    }
  })
}

/** The beginning of a word at its place, in the shapes that its letters have so far: they change as one writes. */
function beginningOf(word: PlacedWord, text: string, { letterSpacingPx }: CaptionStyle): PlacedWord {
  const { face, fontPx, shrink, origin } = word
  const { outline } = textOutline(measureText(text, face), (shrink * letterSpacingPx) / fontPx)
  const isRtl = face.outline !== undefined && isRightToLeft(word)
  const missing = isRtl ? word.outline.right - outline.right : word.outline.left - outline.left
  return { ...word, text, outline, origin: { ...origin, x: origin.x + missing * fontPx } }
}
