/** The layout context of a slide: its area, colours and fonts, and the times at which elements enter. */
import type { ThemeConfig } from '../../domain/records/theme.ts'
import { captionStyle } from '../captions/style.ts'
import type { Size } from '../framing.ts'
import { normaliseWord } from './content.ts'
import { paletteOf, type SlidePalette } from './palette.ts'
import { type Box, type Brand, knownOrFirst, type Slide, type SlideLayout, slideLayouts } from './slide.ts'
import type { Typeface, TypesetText } from './typeset.ts'

/** The two cuts that slides are set in. */
export interface Typefaces {
  display: Typeface
  text: Typeface
}

export interface SlideContext {
  slide: Slide
  frame: Size
  /** A hundredth of the frame's shorter side. Sizes are given in units, so that slides look alike in every format. */
  unit: number
  /** The content area: inside the margins, without captions and logo. */
  area: Box
  layout: SlideLayout
  isWide: boolean
  palette: SlidePalette
  typefaces: Typefaces
  brand: Brand
  /** When the first element enters. */
  enterMs: number
}

export type ElementEntrance = 'rise' | 'fade' | 'pop' | 'left' | 'cut'

/** An element of a slide. Its markup is in pixels of the video and lies inside its box. */
export interface SlideElement {
  box: Box
  markup: string
  atMs: number
  entrance: ElementEntrance
  /** When it exits, if that is before the end of the slide. */
  untilMs?: number
  /** The key of a client's image, which is drawn instead of the markup. */
  imageKey?: string
}

const marginUnits = 8.5
const logoUnits = 5

export function slideContext(
  slide: Slide,
  frame: Size,
  theme: ThemeConfig,
  typefaces: Typefaces,
  brand: Brand,
): SlideContext {
  const unit = Math.min(frame.width, frame.height) / 100
  return {
    ...{ slide, frame, unit, typefaces, brand },
    area: areaOf(slide, frame, unit, theme, brand),
    layout: knownOrFirst(slideLayouts, slide.params.layout),
    isWide: frame.width > 1.2 * frame.height,
    palette: paletteOf(theme, slide.tone),
    enterMs: slide.startMs + 120,
  }
}

function areaOf(slide: Slide, frame: Size, unit: number, theme: ThemeConfig, { logo }: Brand): Box {
  const marginY = Math.max(marginUnits * unit, 0.09 * frame.height)
  const top = marginY + (logo ? (logoUnits + 3) * unit : 0)
  const inner = { top, bottom: frame.height - marginY }
  const { top: from, bottom: to } = slide.captioned ? besideCaptions(inner, frame, unit, theme) : inner
  return { x: marginUnits * unit, y: from, width: frame.width - 2 * marginUnits * unit, height: to - from }
}

/** The larger area above or below two lines of captions. */
function besideCaptions(room: { top: number; bottom: number }, frame: Size, unit: number, theme: ThemeConfig) {
  const { fontPx, centreY } = captionStyle(theme, frame)
  const half = Math.min(1.25 * fontPx, 0.3 * frame.height)
  const edge = half + 0.04 * frame.height
  const shown = Math.max(edge, Math.min(frame.height - edge, centreY))
  const above = { top: room.top, bottom: Math.min(room.bottom, shown - half - 3 * unit) }
  const below = { top: Math.max(room.top, shown + half + 3 * unit), bottom: room.bottom }
  return above.bottom - above.top >= below.bottom - below.top ? above : below
}

export function logoElement({ frame, unit, brand: { logo } }: SlideContext, atMs: number): SlideElement[] {
  if (!logo) return []
  const height = logoUnits * unit
  const shrink = Math.min(1, (30 * unit) / ((logo.width / logo.height) * height))
  const size = { width: (logo.width / logo.height) * height * shrink, height: height * shrink }
  const y = Math.max(marginUnits * unit, 0.09 * frame.height) + (height - size.height) / 2 - 2 * unit
  return [{ box: { x: marginUnits * unit, y, ...size }, markup: '', imageKey: logo.key, atMs, entrance: 'fade' }]
}

/**
 * When each of `count` elements enters: with its anchor word, in order; without an anchor, or when the word is not spoken, evenly over the first
 * two thirds of the slide. At most 900 ms before the end, so that it can be read.
 */
export function appearanceTimes({ slide, enterMs }: SlideContext, count: number): number[] {
  const { startMs, endMs, anchors, words } = slide
  const latest = Math.max(enterMs, endMs - 900)
  let spoken = 0
  let before = enterMs
  return Array.from({ length: count }, (_, index) => {
    const anchor = normaliseWord(anchors[index] ?? '')
    const at = anchor === '' ? -1 : words.findIndex((word, i) => i >= spoken && normaliseWord(word.text) === anchor)
    if (at >= 0) spoken = at + 1
    const even = enterMs + ((endMs - startMs) * 0.66 * index) / Math.max(1, count)
    // Text that appears exactly with its word seems late.
    const wanted = at >= 0 ? words[at]!.startMs - 150 : even
    before = Math.min(latest, Math.max(wanted, index === 0 ? enterMs : before + 120))
    return before
  })
}

/** When each line of a text enters: with its first spoken word; if that is not spoken, 250 ms after the previous line. */
export function lineTimes({ slide, enterMs }: SlideContext, { lines }: TypesetText): number[] {
  let spoken = 0
  let before = enterMs
  return lines.map(({ words }, index) => {
    const first = normaliseWord(words[0]?.text ?? '')
    const at = slide.words.findIndex((word, i) => i >= spoken && normaliseWord(word.text) === first)
    if (at >= 0) spoken = at + 1
    const wanted = at >= 0 ? slide.words[at]!.startMs - 150 : before + 250
    before = Math.min(Math.max(enterMs, slide.endMs - 900), Math.max(index === 0 ? enterMs : before + 100, wanted))
    return before
  })
}

/** A block in a column. */
export interface ContentBlock {
  height: number
  /** Space above it, unless it is the first. */
  gap: number
  draw: (y: number) => SlideElement[]
}

export const stackHeight = (blocks: readonly ContentBlock[]) =>
  blocks.reduce((sum, { height, gap }, index) => sum + height + (index > 0 ? gap : 0), 0)

/** Stacks blocks vertically in an area: `alignment` 0 is the top, 0.5 the middle, 1 the bottom. */
export function stackBlocks(blocks: readonly ContentBlock[], area: Box, alignment: number): SlideElement[] {
  let y = area.y + Math.max(0, area.height - stackHeight(blocks)) * alignment
  return blocks.flatMap(({ height, gap, draw }, index) => {
    if (index > 0) y += gap
    const drawn = draw(y)
    y += height
    return drawn
  })
}

/** The alignment of a column: `lowerThird` is at the bottom, all others in the middle. */
export const verticalAlignment = ({ layout }: SlideContext): number => (layout === 'lowerThird' ? 1 : 0.5)

/** Left edge of a block of this width. */
export const alignedLeft = ({ layout, area }: SlideContext, width: number, rightToLeft = false): number => {
  if (layout === 'center') return area.x + (area.width - width) / 2
  return rightToLeft ? area.x + area.width - width : area.x
}
