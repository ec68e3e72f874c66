/** A theme turned into the sizes and colours captions are drawn with, in pixels of the film. */
import { editorDefaults, type ThemeConfig } from '../../domain/records/theme.ts'
import { type Colour, parseColour } from '../colours.ts'
import type { Size } from '../framing.ts'

/** Fill and outline of a word. */
export interface Paint {
  fill: Colour
  stroke: Colour
  strokePx: number
}

export interface CaptionStyle {
  size: Size
  fontPx: number
  letterSpacingPx: number
  /** Pixels of the film per pixel of a 1080-wide one, which the entrances are designed for. */
  unit: number
  centreY: number
  resting: Paint
  active: Paint
  /** What the keyword of a page has of its own. */
  accent: { fill?: Colour; stroke?: Colour }
  firstWordFill?: Colour
  shadow?: Colour
  highlight?: Colour
  animation: NonNullable<ThemeConfig['captionsAnimation']>
  wordEffect: NonNullable<ThemeConfig['captionsWordEffects']>
  textTransform: NonNullable<ThemeConfig['captionsTextTransform']>
  layoutMode: NonNullable<ThemeConfig['layoutMode']>
}

/** A theme with the editor's defaults for all that it leaves open. */
type FullTheme = { [Field in keyof typeof editorDefaults]: NonNullable<ThemeConfig[Field]> }

/** The editor's sizes are those of a screen 720 pixels across. */
const editorWidth = 720
/** The editor draws half of a stroke under the letters; here all of it lies outside. By eye against the editor. */
const strokeOutside = 0.55
/** In em. Closer letters could not be told apart, and narrow ones would run backwards. */
const letterSpacingMin = -0.2

export function captionStyle(theme: ThemeConfig, size: Size): CaptionStyle {
  const full = { ...editorDefaults, ...theme } as FullTheme
  const optional = (text: string | undefined) => (text === undefined ? undefined : parseColour(text))
  // Wide films are as tall as tall films are wide, and their captions should be as large.
  const scale = Math.min(size.width, size.height) / editorWidth
  const stroke = (width: number) => width * scale * strokeOutside
  const [primary, secondary] = [parseColour(full.captionsPrimaryColor), parseColour(full.captionsSecondaryColor)]
  const highlighted = full.captionsWordEffects === 'highlightWord'
  const highlight = optional(theme.captionsHighlightBackground) ?? (highlighted ? primary : undefined)
  // The defaults are stored in every reset theme, where blue would be seen on every page: like white around white, they mean unset.
  const chosen = (field: 'captionsAccentColor' | 'captionsAccentStrokeColor') =>
    full[field].toLowerCase() === editorDefaults[field] ? undefined : parseColour(full[field])
  const [accentFill, accentStroke] = [chosen('captionsAccentColor'), chosen('captionsAccentStrokeColor')]
  const fontPx = full.captionsFontSize * scale
  const [firstWordFill, shadow] = [optional(theme.captionsFirstWordColor), optional(theme.captionsShadowColor)]
  return {
    size,
    fontPx,
    letterSpacingPx: Math.max(letterSpacingMin * fontPx, (theme.captionsLetterSpacing ?? 0) * scale),
    unit: (scale * editorWidth) / 1080,
    centreY: (size.height * full.captionsVerticalPosition) / 100,
    resting: {
      fill: secondary,
      // The default, white, is stored in every reset theme, yet white around white letters is no outline: it means unset.
      stroke: parseColour(
        full.captionsSecondaryStrokeColor.toLowerCase() === editorDefaults.captionsSecondaryStrokeColor
          ? full.captionsStrokeColor
          : full.captionsSecondaryStrokeColor,
      ),
      strokePx: stroke(full.captionsTextStroke),
    },
    active: {
      // On a background of its own colour a word could not be read.
      fill: highlighted && theme.captionsHighlightBackground === undefined ? secondary : primary,
      stroke: parseColour(full.captionsStrokeColor),
      strokePx: stroke(theme.captionsActiveWordStroke ?? full.captionsTextStroke),
    },
    accent: { ...(accentFill && { fill: accentFill }), ...(accentStroke && { stroke: accentStroke }) },
    ...(firstWordFill && { firstWordFill }),
    ...(shadow && { shadow }),
    ...(highlight && { highlight }),
    animation: full.captionsAnimation,
    wordEffect: full.captionsWordEffects,
    textTransform: full.captionsTextTransform,
    layoutMode: full.layoutMode,
  }
}
