/**
 * SVG markup of the shapes and text lines on slides, in pixels of the video. Any change of a number changes segment
 * keys.
 */
import { pathOf } from '../outline.ts'
import type { Box } from './slide.ts'
import { outlineIn, type TypesetText, type TypesetWord } from './typeset.ts'

const round = (value: number) => Math.round(value * 100) / 100

/** Characters that XML cannot contain, not even escaped (https://www.w3.org/TR/xml/#charsets). */
const invalidXmlCharacters = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

/** Escapes any text for the content of an element. */
export const escapeXml = (text: string): string =>
  text
    .replace(invalidXmlCharacters, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

export const svgRect = ({ x, y, width, height }: Box, fill: string, radius = 0, more = '') =>
  `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="${round(radius)}" fill="${fill}"${more && ` ${more}`}/>`

export const strokedRect = (box: Box, stroke: string, thickness: number, radius = 0) =>
  svgRect(
    inset(box, thickness / 2),
    'none',
    radius - thickness / 2,
    `stroke="${stroke}" stroke-width="${round(thickness)}"`,
  )

export const circle = (x: number, y: number, radius: number, fill: string, more = '') =>
  `<circle cx="${round(x)}" cy="${round(y)}" r="${round(radius)}" fill="${fill}"${more && ` ${more}`}/>`

export const ring = (x: number, y: number, radius: number, stroke: string, thickness: number) =>
  circle(x, y, radius, 'none', `stroke="${stroke}" stroke-width="${round(thickness)}"`)

/** A line through points, with round caps and joins. */
export const polyline = (points: readonly (readonly [number, number])[], colour: string, thickness: number) =>
  `<path d="M${points.map(([x, y]) => `${round(x)} ${round(y)}`).join('L')}" fill="none" stroke="${colour}" stroke-width="${round(thickness)}" stroke-linecap="round" stroke-linejoin="round"/>`

export const arrow = (x: number, y: number, size: number, colour: string, thickness: number) =>
  polyline(
    [
      [x - size, y],
      [x + size, y],
    ],
    colour,
    thickness,
  ) +
  polyline(
    [
      [x + 0.25 * size, y - 0.7 * size],
      [x + size, y],
      [x + 0.25 * size, y + 0.7 * size],
    ],
    colour,
    thickness,
  )

export const checkMark = (x: number, y: number, size: number, colour: string, thickness: number) =>
  polyline(
    [
      [x - 0.9 * size, y],
      [x - 0.25 * size, y + 0.65 * size],
      [x + 0.95 * size, y - 0.7 * size],
    ],
    colour,
    thickness,
  )

/** A pair of opening quotation marks that fills a box with the aspect ratio 29:22. */
export function quoteMark({ x, y, width, height }: Box, fill: string): string {
  const [w, h] = [width * 0.44, height]
  const mark = (left: number) =>
    `<path d="M${round(left)} ${round(y + 0.56 * h)}C${round(left)} ${round(y + 0.2 * h)} ${round(left + 0.36 * w)} ${round(y)} ${round(left + w)} ${round(y)}` +
    `V${round(y + 0.2 * h)}C${round(left + 0.68 * w)} ${round(y + 0.2 * h)} ${round(left + 0.5 * w)} ${round(y + 0.3 * h)} ${round(left + 0.48 * w)} ${round(y + 0.46 * h)}` +
    `H${round(left + w)}V${round(y + h)}H${round(left)}Z" fill="${fill}"/>`
  return mark(x) + mark(x + width - w)
}

/** A gradient: diagonal from the top left, radial or downwards. Stops are `[offset, colour, opacity]`. */
export function svgGradient(
  id: string,
  kind: 'linear' | 'radial' | 'down',
  stops: readonly (readonly [number, string, number?])[],
) {
  const listed = stops.map(
    ([at, colour, opacity = 1]) => `<stop offset="${at}" stop-color="${colour}" stop-opacity="${opacity}"/>`,
  )
  const direction = { linear: ' x1="0" y1="0" x2="1" y2="1"', down: ' x1="0" y1="0" x2="0" y2="1"', radial: '' }[kind]
  const name = kind === 'radial' ? 'radialGradient' : 'linearGradient'
  return `<defs><${name} id="${id}"${direction}>${listed.join('')}</${name}></defs>`
}

/** How far under the middle of a line the letters stand, so that capitals are centred in it. */
const baseline = 0.36

/** One line of a set text; `x` is where it begins and `y` the top of the line. */
export function textLine(
  text: TypesetText,
  index: number,
  x: number,
  y: number,
  colours: { ink: string; emphasis: string },
): string {
  const { style, size } = text
  const down = round(y + (style.lineHeight / 2 + baseline) * size)
  const word = ({ text: letters, x: right, emphasised }: TypesetWord) => {
    const fill = emphasised ? colours.emphasis : colours.ink
    const outline = outlineIn(style.typeface, letters)
    if (outline)
      return `<path d="${pathOf(outline, x + right - Math.min(0, outline.left) * size, down, size)}" fill="${fill}"/>`
    return `<text x="${round(x + right)}" y="${down}" fill="${fill}">${escapeXml(letters)}</text>`
  }
  const { family, weight } = style.typeface
  const font = `font-family="${family}" font-weight="${weight}" font-size="${round(size)}" letter-spacing="${round(style.tracking * size)}"`
  return `<g ${font}>${text.lines[index]!.words.map(word).join('')}</g>`
}

/** The text in markup, still escaped. */
export const textContent = (markup: string): string =>
  [...markup.matchAll(/<text[^<>]*>([^<]*)/g)].map(([, letters]) => letters).join('')

const inset = ({ x, y, width, height }: Box, by: number): Box => ({
  x: x + by,
  y: y + by,
  width: width - 2 * by,
  height: height - 2 * by,
})

/**
 * The smallest enclosing box with integer edges and even size, so that its drawing aligns with the pixels of the video.
 */
export function snapToPixels({ x, y, width, height }: Box): Box {
  const [left, top] = [Math.floor(x), Math.floor(y)]
  const even = (length: number) => 2 * Math.ceil(length / 2)
  return { x: left, y: top, width: even(x + width - left), height: even(y + height - top) }
}

/** An SVG document that shows the part of the markup inside a box. */
export const svg = (box: Box, markup: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${box.width}" height="${box.height}" viewBox="${box.x} ${box.y} ${box.width} ${box.height}">${markup}</svg>`
