/**
 * The colours of a slide. What a client has chosen is drawn as it is; our own colours give way until text on them can be read,
 * with the contrast of 4.5 that WCAG 2.2 asks for (success criterion 1.4.3).
 */

import type { Tone } from '../../domain/generation/scenes/presentation-scenes.ts'
import type { ThemeConfig } from '../../domain/records/theme.ts'
import { parseColour, toHex } from '../colours.ts'

/** All are `#rrggbb`, or `#rrggbbaa` where a client wants to see through: themes may name colours that SVG does not know. */
export interface SlidePalette {
  background: string
  /** Text, and text that steps back. */
  ink: string
  soft: string
  /** Shapes, and text that stands out. */
  accent: string
  accentB: string
  accentText: string
  /** Text on shapes of the accent. */
  pillText: string
  /** Surfaces that lie on the ground, and their edge. */
  card: string
  line: string
}

const contrastMin = 4.5

export const paletteDefaults = {
  background: '#FBFAF7',
  ink: '#16152B',
  soft: '#5C5B73',
  accent: '#5B4BFF',
  accentB: '#FF7A59',
  /** Text that stands out on a ground of the accent, where coral and violet are too close. */
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

/** A dark slide has ink and ground exchanged; one in the accent has it as its ground, and of both the one that can be read better on it. */
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

/** Cards are lighter than their ground, whatever that is. */
const surfaces = (ground: string, ink: string) => ({
  card: luminance(ground) > 0.4 ? mixColours(ground, '#FFFFFF', 0.75) : mixColours(ground, '#FFFFFF', 0.07),
  line: mixColours(ground, ink, 0.14),
})

/** Contrast of two colours, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (light! + 0.05) / (dark! + 0.05)
}

/** The colour itself or, step by step, a darker or lighter one until it can be read on the ground. */
function ensureContrast(colour: string, ground: string): string {
  const towards = contrast('#FFFFFF', ground) > contrast('#000000', ground) ? '#FFFFFF' : '#000000'
  for (let part = 0; part < 1; part += 0.04) {
    const mixed = mixColours(colour, towards, part)
    if (contrast(mixed, ground) >= contrastMin) return mixed
  }
  return towards
}

const higherContrast = (a: string, b: string, ground: string) => (contrast(a, ground) >= contrast(b, ground) ? a : b)

/** The colour `part` of the way from one to the other; opaque. */
export function mixColours(from: string, to: string, part: number): string {
  const [a, b] = [parseColour(from), parseColour(to)]
  const channel = (name: 'red' | 'green' | 'blue') => Math.round(a[name] + (b[name] - a[name]) * part)
  return toHex({ red: channel('red'), green: channel('green'), blue: channel('blue'), alpha: 255 })
}

const opaque = (colour: string) => mixColours(colour, colour, 0)

/** Relative luminance as WCAG 2.2 defines it. */
function luminance(colour: string): number {
  const { red, green, blue } = parseColour(colour)
  const linear = (value: number) =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}
