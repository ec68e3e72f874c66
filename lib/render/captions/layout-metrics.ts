/**
 * Measures the words of a page including strokes and animations: gaps between words, and limits that keep them inside
 * the frame.
 */
import { captionEntrances, peakScale } from './effects.ts'
import { safeArea } from './safe-areas.ts'
import type { CaptionStyle } from './style.ts'
import type { Piece } from './text-segmentation.ts'

/** Distance of ink at the largest scale of a spoken word from the edge of the frame, as a share of its width. */
const inkMargin = 0.01
/** A word that is too long for a line is drawn smaller down to this size; below it, its whole page is. */
const wordShrinkMin = 0.55
const blockHeightMax = 0.6
/** Distance of the block from the top and the bottom of the frame. */
const marginY = 0.04
/** In pixels. */
const rounding = 0.01
/** In em. */
const wordGap = 0.34
const wordGapMin = 0.28
const wordWidthMin = 0.2
/** Advances include side bearings, shaped outlines do not. */
const besideOutline = 0.12
const gapForStrokes = 0.17
const lineHeight = 1.22
const lineForStrokes = 0.2
/** From the middle of a line up to an accent on a capital, or down to a descender. */
const halfLetters = 0.75
/** From a word to the edge of the box behind it. */
export const highlightPadding = 0.15
const gapForHighlight = 0.1
/** In em: how far a word may grow towards each neighbour, and how much wider gaps are with effects that scale words. */
const growthMax = 0.19
const gapForGrowth = 0.14

/** Measures in pixels, with everything `shrink` times as large as in the theme. */
export function layoutMetrics({ size, ...style }: CaptionStyle, shrink: number) {
  const em = shrink * style.fontPx
  const spacing = shrink * style.letterSpacingPx
  const stroke = shrink * Math.max(style.resting.strokePx, style.active.strokePx)
  const reach = Math.max(stroke, style.highlight ? highlightPadding * em : 0)
  const spokenPeak = peakScale(style.wordEffect)
  const peak = spokenPeak * Math.max(...captionEntrances[style.animation].scale.map(([, scale]) => scale))
  const safe = safeArea(size)
  const lineMax = safe.right - safe.left - 2 * reach
  const safeMiddle = (safe.left + safe.right) / 2
  const inkMax = 2 * Math.min(safeMiddle, size.width - safeMiddle) - 2 * inkMargin * size.width - 2 * reach
  const wordMax = Math.min(lineMax, inkMax / peak)
  const wholeWidth = ({ text, advance, outline }: Piece) =>
    Math.max(wordWidthMin * em, advance * em + (outline ? 0 : ([...text].length - 1) * spacing))
  /** Size of a word relative to its page's. */
  const wordShrink = (piece: Piece) => Math.min(1, Math.max(wordShrinkMin, wordMax / wholeWidth(piece)))
  const width = (piece: Piece) => wordShrink(piece) * wholeWidth(piece)
  const gap =
    Math.max(wordGapMin * em, wordGap * em + spacing) +
    Math.max(0, 2 * stroke - gapForStrokes * em) +
    (style.highlight ? gapForHighlight * em : 0) +
    (spokenPeak > 1 ? gapForGrowth * em : 0)
  const gapBefore = ({ isJoined, outline }: Piece) => {
    if (!isJoined) return gap
    return outline ? besideOutline * em : Math.max(0, spacing)
  }
  const lineWidth = (line: Piece[]) =>
    line.reduce((sum, piece, index) => sum + width(piece) + (index === 0 ? 0 : gapBefore(piece)), 0)
  const height = lineHeight * em + Math.max(0, 2 * stroke - lineForStrokes * em)
  const fits = (lines: Piece[][]) =>
    lines.length * height <= blockHeightMax * size.height &&
    lines.every((line) => {
      const [wide, widest] = [lineWidth(line), Math.max(...line.map(width))]
      return wide <= lineMax + rounding && wide + widest * (peak - 1) <= inkMax + rounding
    })
  const growthShare = (piece: Piece) =>
    style.layoutMode === 'word' ? 1 : Math.min(1, (2 * growthMax * em) / Math.max(1, width(piece) * (spokenPeak - 1)))
  const letters = halfLetters * em * peak + reach
  /** Smallest distance of the middle of the first or last line from an edge of the frame. */
  const edge = Math.max(marginY * size.height + height / 2, letters)
  /** The middle of the frame, or left of it where wide lines would reach the buttons of an app. */
  const centreX = (lines: Piece[][]) => {
    const half = Math.max(...lines.map(lineWidth)) / 2 + reach
    return Math.max(safe.left + half, Math.min(safe.right - half, size.width / 2))
  }
  /** A position that the client chose is only kept inside the frame. */
  const [topMin, bottomMax] = style.isPlaced ? [0, size.height] : [safe.top, safe.bottom]
  const centreY = (lines: Piece[][]) => {
    const halfLines = ((lines.length - 1) * height) / 2
    const [upper, lower] = [Math.max(edge, topMin + height / 2), Math.min(size.height - edge, bottomMax - height / 2)]
    return Math.max(upper + halfLines, Math.min(lower - halfLines, style.centreY))
  }
  const rise = Math.max(...captionEntrances[style.animation].rise.map(([, below]) => below * style.unit))
  const riseShare = (lowestY: number) => Math.min(1, Math.max(0, size.height - lowestY - letters) / Math.max(1, rise))
  return {
    ...{ em, spacing, width, wordShrink, gap: gapBefore, lineMax, lineWidth, height, fits },
    ...{ centreX, centreY, growthShare, riseShare },
  }
}

export type LayoutMetrics = ReturnType<typeof layoutMetrics>
