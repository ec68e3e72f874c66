/**
 * The colours of a slide. Colours of the client's theme are used unchanged; ours are adjusted until text reaches the
 * contrast of 4.5 that WCAG 2.2 requires (success criterion 1.4.3).
 */

import type { Tone } from '../../domain/generation/scenes/presentation-scenes.ts'
import type { ThemeConfig } from '../../domain/records/theme.ts'
import { parseColour, toHex } from '../colours.ts'

/**
 * All are `#rrggbb`, or `#rrggbbaa` for translucent theme colours: themes may use colour names that SVG does not know.
 */
export interface SlidePalette {
  background: string
  /** Text, and secondary text. */
  ink: string
  soft: string
  /** Shapes, and emphasised text. */
  accent: string
  accentB: string
  accentText: string
  /** Text on shapes in the accent colour. */
  pillText: string
  /** Surfaces on the background, and their outline. */
  card: string
  line: string
}

const contrastMin = 4.5

const paletteDefaults = {
  background: '#FBFAF7',
  ink: '#16152B',
  soft: '#5C5B73',
  accent: '#5B4BFF',
  accentB: '#FF7A59',
  /** Emphasised text on an accent background, where the contrast of coral on violet is too low. */
  onAccent: '#FFE08A',
} as const

type Colours = Pick<
  ThemeConfig,
  | 'presentationAccentColor'
  | 'presentationAccentColorB'
  | 'presentationInkColor'
  | 'presentationInkSoftColor'
  | 'presentationBackgroundColor'
  | 'presentationPillTextColor'
>

/**
 * A dark slide swaps ink and background. An accent slide has the accent as its background, with the more legible of the
 * two as ink.
 */
export function paletteOf(theme: Colours, tone: Tone): SlidePalette {
  const themed = (field: keyof Colours) => theme[field] && toHex(parseColour(theme[field]))
  const themedBackground = opaque(themed('presentationBackgroundColor') ?? paletteDefaults.background)
  const ink = themed('presentationInkColor') ?? ensureContrast(paletteDefaults.ink, themedBackground)
  const accent = themed('presentationAccentColor') ?? paletteDefaults.accent
  const accentB =
    themed('presentationAccentColorB') ?? (themed('presentationAccentColor') ? accent : paletteDefaults.accentB)
  const pillText = themed('presentationPillTextColor') ?? higherContrast('#FFFFFF', paletteDefaults.ink, accent)
  if (tone === 'accent') {
    const background = opaque(accent)
    const text = ensureContrast(higherContrast(themedBackground, ink, background), background)
    const bright = themed('presentationAccentColorB') ?? ensureContrast(paletteDefaults.onAccent, background)
    const pill = mixColours(background, text, 0.94)
    return {
      ...surfaces(background, text),
      ...{ background, ink: text, soft: ensureContrast(mixColours(background, text, 0.78), background) },
      ...{ accent: pill, accentB: bright, accentText: bright, pillText: ensureContrast(background, pill) },
    }
  }
  const background = tone === 'dark' ? opaque(ink) : themedBackground
  const text = tone === 'dark' ? themedBackground : ink
  const ownSoft = tone === 'light' ? themed('presentationInkSoftColor') : undefined
  return {
    ...surfaces(background, text),
    ...{ background, ink: text, soft: ownSoft ?? ensureContrast(mixColours(background, text, 0.66), background) },
    ...{
      accent,
      accentB,
      accentText: themed('presentationAccentColor') ?? ensureContrast(accent, background),
      pillText,
    },
  }
}

/** Cards are lighter than any background. */
const surfaces = (background: string, ink: string) => ({
  card: luminance(background) > 0.4 ? mixColours(background, '#FFFFFF', 0.75) : mixColours(background, '#FFFFFF', 0.07),
  line: mixColours(background, ink, 0.14),
})

/** Contrast of two colours, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (light! + 0.05) / (dark! + 0.05)
}

/** The colour, darkened or lightened step by step until its contrast to the background suffices. */
function ensureContrast(colour: string, background: string): string {
  const towards = contrast('#FFFFFF', background) > contrast('#000000', background) ? '#FFFFFF' : '#000000'
  for (let part = 0; part < 1; part += 0.04) {
    const mixed = mixColours(colour, towards, part)
    if (contrast(mixed, background) >= contrastMin) return mixed
  }
  return towards
}

const higherContrast = (a: string, b: string, background: string) =>
  contrast(a, background) >= contrast(b, background) ? a : b

/** Linear mix of two colours, opaque; `part` 0 is `from`, 1 is `to`. */
export function mixColours(from: string, to: string, part: number): string {
  const [a, b] = [parseColour(from), parseColour(to)]
  const channel = (name: 'red' | 'green' | 'blue') => Math.round(a[name] + (b[name] - a[name]) * part)
  return toHex({ red: channel('red'), green: channel('green'), blue: channel('blue'), alpha: 255 })
}

const opaque = (colour: string) => mixColours(colour, colour, 0)

/** Relative luminance by WCAG 2.2. */
function luminance(colour: string): number {
  const { red, green, blue } = parseColour(colour)
  const linear = (value: number) =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}
