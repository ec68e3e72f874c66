/** Words that are revealed gradually: the karaoke highlight and the typewriter effect. */

import type { Track } from '../keyframes.ts'
import type { Sprite } from '../sprite.ts'
import { type PlacedWord, textOutline } from './layout.ts'
import type { CaptionStyle } from './style.ts'
import { directionOf, graphemes, measureText } from './text-segmentation.ts'

/** The visible side of a moving edge, in pixels from the middle of the word. */
export interface RevealedSide {
  side: 'left' | 'right'
  edge: Track
}

interface Span {
  fromMs: number
  toMs: number
}

/** Converts an edge to shares of the width of a picture with the same centre. */
export function revealOf({ side, edge }: RevealedSide, pictureWidth: number): NonNullable<Sprite['reveal']> {
  const shares: Track = edge.map(([ms, x]) => [ms, 0.5 + x / pictureWidth])
  const still = (share: number): Track => [[edge[0]![0], share]]
  return side === 'left' ? { from: still(0), to: shares } : { from: shares, to: still(1) }
}

/** By its own letters: a number on a right-to-left page runs left to right. */
const isRightToLeft = ({ text }: PlacedWord) => directionOf(text) === 'rtl'

/** The highlight moves through the word in reading direction: the sides before and after its edge. */
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
  // Both are cut at the same edge, so that translucent colours never overlap.
  return isRtl
    ? { before: { side: 'left', edge }, active: { side: 'right', edge } }
    : { before: { side: 'right', edge }, active: { side: 'left', edge } }
}

/** Time per letter, unless the word is spoken faster. */
const letterMs = 35
/** Each step is a separate picture, which is shown for at least a frame. */
const frameMs = 1000 / 30
/** A word with more letters than this gets only a few steps. */
const lettersMax = 64
const longWordSteps = 8

/** The prefixes of a word with their times. */
export function typewriterSteps(
  word: PlacedWord,
  style: CaptionStyle,
  { fromMs, toMs }: Span,
): (Span & { word: PlacedWord })[] {
  const letters = graphemes(word.text)
  const stepsMax = Math.max(1, Math.floor((toMs - fromMs) / frameMs))
  const lettersPerStep = Math.ceil(
    letters.length / Math.min(stepsMax, letters.length > lettersMax ? longWordSteps : lettersMax),
  )
  const steps = Math.ceil(letters.length / lettersPerStep)
  const stepMs = Math.min(letterMs * lettersPerStep, (toMs - fromMs) / steps)
  return Array.from({ length: steps }, (_, step) => {
    const isLast = step === steps - 1
    const beganMs = fromMs + step * stepMs
    return {
      fromMs: beganMs,
      toMs: isLast ? toMs : beganMs + stepMs,
      word: isLast ? word : prefixOf(word, letters.slice(0, (step + 1) * lettersPerStep).join(''), style),
    }
  })
}

/**
 * A prefix of a word at its position. It is shaped again, because letters of complex scripts change with their
 * neighbours.
 */
function prefixOf(word: PlacedWord, text: string, { letterSpacingPx }: CaptionStyle): PlacedWord {
  const { face, fontPx, shrink, origin } = word
  const { outline } = textOutline(measureText(text, face), (shrink * letterSpacingPx) / fontPx)
  const isRtl = face.outline !== undefined && isRightToLeft(word)
  const missing = isRtl ? word.outline.right - outline.right : word.outline.left - outline.left
  return { ...word, text, outline, origin: { ...origin, x: origin.x + missing * fontPx } }
}
