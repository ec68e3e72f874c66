/** The layout context of a slide: its area, colours and fonts. */
import type { ThemeConfig } from '../../domain/records/theme.ts'
import { safeArea } from '../captions/safe-areas.ts'
import { captionStyle } from '../captions/style.ts'
import type { Size } from '../framing.ts'
import { paletteOf, type SlidePalette } from './palette.ts'
import { type Box, type Brand, knownOrFirst, type Slide, type SlideLayout, slideLayouts } from './slide.ts'
import type { Typeface } from './typeset.ts'

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
  const { fontPx, centreY, isPlaced } = captionStyle(theme, frame)
  const half = Math.min(1.25 * fontPx, 0.3 * frame.height)
  const edge = half + 0.04 * frame.height
  const safe = safeArea(frame)
  const [upper, lower] = isPlaced ? [edge, frame.height - edge] : [safe.top + half, safe.bottom - half]
  const shown = Math.max(edge, upper, Math.min(frame.height - edge, lower, centreY))
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
