/**
 * The thumbnail as a designed picture: the title, large, in the font and colours of the captions, over a frame of the film that is
 * shaded where the words stand. Pure: containers/media/render/thumbnail.ts puts the two together.
 */
import type { ThemeConfig } from '../domain/records/theme.ts'
import { captionStyle } from './captions/style.ts'
import { directionOf, keywordOf, transformCase } from './captions/text-segmentation.ts'
import { type Colour, toHex } from './colours.ts'
import type { Size } from './framing.ts'
import { svg, svgGradient, svgRect, textLine } from './slides/svg.ts'
import { type Typeface, type TypesetText, typeset } from './slides/typeset.ts'
import type { Drawing } from './sprite.ts'

/** YouTube asks for at least 640 pixels across and shows 1280x720; tall ones are shown smaller. */
const shortSide = 720

/** All of the film in the size of a thumbnail; even in both directions. */
export function thumbnailSize({ width, height }: Size): Size {
  const scale = shortSide / Math.min(width, height)
  const even = (length: number) => 2 * Math.round((length * scale) / 2)
  return { width: even(width), height: even(height) }
}

/** Shares of the size: where the words may stand. */
interface Layout {
  left: number
  right: number
  /** Where the words end, and the highest they may begin. */
  bottom: number
  top: number
  linesMax: number
  /** Of the letters, as a share of the shorter side. */
  sizeMax: number
}

/** Profiles show the middle 4:5 of a tall film, and apps lay their own words over its lower end. */
const tall: Layout = { left: 0.08, right: 0.08, bottom: 0.83, top: 0.42, linesMax: 5, sizeMax: 0.16 }
/** The length of the film is shown in the lower right corner of a wide one. */
const wide: Layout = { left: 0.05, right: 0.13, bottom: 0.9, top: 0.3, linesMax: 3, sizeMax: 0.175 }
const square: Layout = {
  left: 0.07,
  right: 0.07,
  bottom: 0.92,
  top: 0.36,
  linesMax: 4,
  sizeMax: 0.145,
}

const layoutFor = ({ width, height }: Size) => (width > 1.2 * height ? wide : height > 1.5 * width ? tall : square)

/** Letters that are smaller cannot be read in a list. As a share of the shorter side. */
const sizeMin = 0.062
const lineHeight = 1.1
/** Outside the letters, in em. */
const strokeEm = 0.075
/** How far above the words the shade begins, as a share of the height. */
const shadeAbove = 0.22
const bar = { length: 1.3, thickness: 0.14, above: 0.3 }

/** Whoever speaks to the camera is seen down to here, as a share of the height: a title does not cover a face. */
const faceEnd = 0.6
const layoutBelowFace = (layout: Layout): Layout => ({
  ...layout,
  top: faceEnd,
  linesMax: Math.min(layout.linesMax, 3),
})

/** What lies over the frame: the shade and the title; nothing where there is no title. */
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

/** The word that says most, where it is one of several. */
function emphasisOf(text: string): string {
  const [keyword, words] = [keywordOf(text), text.split(/\s+/)]
  return (words.length > 1 && words.find((word) => keywordOf(word) === keyword)) || ''
}

/** Dark enough under the words, and gone above them without an edge to be seen. */
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

/** As seen, 0 to 1. */
const luminanceOf = ({ red, green, blue }: Colour) => (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255
