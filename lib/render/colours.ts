/** Parses and formats CSS colours. */
import { cssColourNames } from '../domain/core/css-colours.ts'

/** Channels 0 to 255; `alpha` 255 is opaque. */
export interface Colour {
  red: number
  green: number
  blue: number
  alpha: number
}

/**
 * Parses #rgb, #rgba, #rrggbb, #rrggbbaa and CSS names. Themes are validated when they are stored, so no others occur.
 */
export function parseColour(text: string): Colour {
  const hex = (cssColourNames.get(text.toLowerCase()) ?? text).slice(1)
  const pairs = hex.length <= 4 ? [...hex].map((digit) => digit + digit) : (hex.match(/../g) ?? [])
  const [red = 0, green = 0, blue = 0, alpha = 255] = pairs.map((pair) => Number.parseInt(pair, 16))
  return { red, green, blue, alpha }
}

/** `#rrggbb`, or `#rrggbbaa` for translucent colours. */
export function toHex({ red, green, blue, alpha }: Colour): string {
  const channels = alpha === 255 ? [red, green, blue] : [red, green, blue, alpha]
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}
