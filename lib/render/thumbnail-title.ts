/**
 * Lays out the title of a thumbnail: large, in the font and colours of the captions, on a shade that covers the lower
 * part of the frame. Pure; `containers/media/render/thumbnail.ts` rasterises it and blends it over the frame.
 */
import type { ThemeConfig } from '../domain/records/theme.ts'
import { captionStyle } from './captions/style.ts'
import { directionOf, keywordOf, transformCase } from './captions/text-segmentation.ts'
import { type Colour, toHex } from './colours.ts'
import type { Size } from './framing.ts'
import { svg, svgGradient, svgRect, textLine } from './slides/svg.ts'
import { type Typeface, type TypesetText, typeset } from './slides/typeset.ts'
import type { Drawing } from './sprite.ts'

/** YouTube requires at least 640 pixels across and shows 1280x720; portrait ones are shown smaller. */
const shortSide = 720

/** The size of the thumbnail, in the shape of the video; even in both directions. */
export function thumbnailSize({ width, height }: Size): Size {
  const scale = shortSide / Math.min(width, height)
  const even = (length: number) => 2 * Math.round((length * scale) / 2)
  return { width: even(width), height: even(height) }
}

/** The text area, as shares of the size. */
interface Layout {
  left: number
  right: number
  /** The end of the text, and its highest start. */
  bottom: number
  top: number
  linesMax: number
  /** Font size, as a share of the shorter side. */
  sizeMax: number
}

/** Profile grids show the middle 4:5 of a portrait video, and apps cover its lower end with text. */
const portrait: Layout = { left: 0.08, right: 0.08, bottom: 0.83, top: 0.42, linesMax: 5, sizeMax: 0.16 }
/** Platforms show the duration in the lower right corner of a landscape video. */
const landscape: Layout = { left: 0.05, right: 0.13, bottom: 0.9, top: 0.3, linesMax: 3, sizeMax: 0.175 }
const square: Layout = {
  left: 0.07,
  right: 0.07,
  bottom: 0.92,
  top: 0.36,
  linesMax: 4,
  sizeMax: 0.145,
}

const layoutFor = ({ width, height }: Size) =>
  width > 1.2 * height ? landscape : height > 1.5 * width ? portrait : square

/** Smaller letters are illegible in a list. As a share of the shorter side. */
const sizeMin = 0.062
const lineHeight = 1.1
/** Width of the outline outside the letters, in em. */
const strokeEm = 0.075
/** How far above the text the shade starts, as a share of the height. */
const shadeAbove = 0.22
const bar = { length: 1.3, thickness: 0.14, above: 0.3 }

/** The face of a presenter reaches down to here, as a share of the height: a title must not cover it. */
const faceEnd = 0.6
const layoutBelowFace = (layout: Layout): Layout => ({
  ...layout,
  top: faceEnd,
  linesMax: Math.min(layout.linesMax, 3),
})

/** The overlay of the frame: shade and title; empty without a title. */
export function drawTitle(
  title: string,
  theme: ThemeConfig,
  typeface: Typeface,
  size: Size,
  isPresented = false,
): Drawing {
  const layout = isPresented ? layoutBelowFace(layoutFor(size)) : layoutFor(size)
  const { resting, active, textTransform } = captionStyle(theme, size)
  const words = transformCase(title.trim(), textTransform)
  if (words === '') return { kind: 'drawing', svg: svg({ x: 0, y: 0, ...size }, '') }
  const short = Math.min(size.width, size.height)
  const box = {
    width: size.width * (1 - layout.left - layout.right),
    height: size.height * (layout.bottom - layout.top),
  }
  const style = { typeface, sizeMax: layout.sizeMax * short, sizeMin: sizeMin * short, lineHeight, tracking: -0.01 }
  const text = typeset(words, emphasisOf(words), { ...style, linesMax: layout.linesMax }, box)
  const isLight = luminanceOf(resting.fill) >= 0.35
  const shade = isLight ? '#000000' : '#ffffff'
  const opaque = (colour: Colour) => toHex({ ...colour, alpha: 255 })
  const inks = { ink: opaque(resting.fill), emphasis: opaque(active.fill) }
  const isRightToLeft = text.rightToLeft || directionOf(words) === 'rtl'
  const markup = [
    shadeMarkup(size, layout.bottom * size.height - text.height, shade),
    titleMarkup(text, layout, size, isRightToLeft, { ...inks, stroke: opaque(active.stroke) }),
  ]
  return { kind: 'drawing', svg: svg({ x: 0, y: 0, ...size }, markup.join('')), fonts: typeface.files }
}

/** The keyword, unless the text has only one word. */
function emphasisOf(text: string): string {
  const [keyword, words] = [keywordOf(text), text.split(/\s+/)]
  return (words.length > 1 && words.find((word) => keywordOf(word) === keyword)) || ''
}

/** Dark enough under the text, and faded out above it without a visible edge. */
function shadeMarkup({ width, height }: Size, titleTop: number, colour: string): string {
  const stops = [0, 0.25, 0.5, 0.75, 1].map((at) => [at, colour, 0.82 * at * at * (3 - 2 * at)] as const)
  const top = Math.max(0, titleTop - shadeAbove * height)
  return svgGradient('shade', 'down', stops) + svgRect({ x: 0, y: top, width, height: height - top }, 'url(#shade)')
}

interface Inks {
  ink: string
  emphasis: string
  stroke: string
}

function titleMarkup(
  text: TypesetText,
  layout: Layout,
  { width, height }: Size,
  isRightToLeft: boolean,
  inks: Inks,
): string {
  const step = text.style.lineHeight * text.size
  const top = layout.bottom * height - text.height
  const end = width * (1 - (isRightToLeft ? layout.left : layout.right))
  const start = width * layout.left
  const lines = (colours: Pick<Inks, 'ink' | 'emphasis'>) =>
    text.lines.map((row, index) =>
      textLine(text, index, isRightToLeft ? end - row.width : start, top + index * step, colours),
    )
  const outline = `stroke="${inks.stroke}" stroke-width="${(2 * strokeEm * text.size).toFixed(1)}" stroke-linejoin="round"`
  const barBox = {
    x: isRightToLeft ? end - bar.length * text.size : start,
    y: top - (bar.above + bar.thickness) * text.size,
    width: bar.length * text.size,
    height: bar.thickness * text.size,
  }
  return [
    svgRect(barBox, inks.emphasis, barBox.height / 2),
    `<g ${outline}>${lines({ ink: inks.stroke, emphasis: inks.stroke }).join('')}</g>`,
    ...lines(inks),
  ].join('')
}

/** Weighted luma, 0 to 1. */
const luminanceOf = ({ red, green, blue }: Colour) => (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255
