/** CSS colours to the notation of ASS subtitles. */
import { cssColourNames } from '../domain/css-colours.ts'

/** Channels 0 to 255; `alpha` 255 is opaque. */
export interface Colour {
  red: number
  green: number
  blue: number
  alpha: number
}

/** Reads #rgb, #rgba, #rrggbb, #rrggbbaa and CSS names; themes are checked when they are stored, so others do not occur. */
export function parseColour(text: string): Colour {
  const hex = (cssColourNames.get(text.toLowerCase()) ?? text).slice(1)
  const pairs = hex.length <= 4 ? [...hex].map((digit) => digit + digit) : (hex.match(/../g) ?? [])
  const [red = 0, green = 0, blue = 0, alpha = 255] = pairs.map((pair) => Number.parseInt(pair, 16))
  return { red, green, blue, alpha }
}

/**
 * The colour to ask for so that it comes out right from an ffmpeg that draws captions with BT.601 coefficients into a
 * BT.709 film, as versions up to 5.1 do. The matrix is BT.709 decoding undone by BT.601 encoding; what lies outside RGB
 * is cut, which costs pure green 3 %.
 */
export function compensateBt601({ red, green, blue, alpha }: Colour): Colour {
  const channel = (r: number, g: number, b: number) =>
    Math.max(0, Math.min(255, Math.round(r * red + g * green + b * blue)))
  return {
    red: channel(0.9136, 0.07848, 0.00792),
    green: channel(-0.10504, 1.17217, -0.06713),
    blue: channel(0.00958, 0.03222, 0.9582),
    alpha,
  }
}

/** `BBGGRR`, without alpha. */
export function assColour({ red, green, blue }: Colour): string {
  return hexByte(blue) + hexByte(green) + hexByte(red)
}

/** Transparency of an opacity 0 to 1: ASS counts from 00, opaque, to FF. */
export function assAlpha(opacity: number): string {
  return hexByte(255 - Math.round(255 * opacity))
}

function hexByte(value: number): string {
  return value.toString(16).padStart(2, '0').toUpperCase()
}
