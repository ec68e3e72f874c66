/** Resolves a theme to the sizes and colours of captions, in pixels of the video. */
import { editorDefaults, type ThemeConfig } from '../../domain/records/theme.ts'
import { type Colour, parseColour } from '../colours.ts'
import type { Size } from '../framing.ts'

/** Fill and stroke of a word. */
export interface Paint {
  fill: Colour
  stroke: Colour
  strokePx: number
}

export interface CaptionStyle {
  size: Size
  fontPx: number
  letterSpacingPx: number
  /** Pixels of the video per pixel of a 1080-wide one, for which the entrances are designed. */
  unit: number
  centreY: number
  /** The client chose the position. */
  isPlaced: boolean
  resting: Paint
  active: Paint
  /** Overrides for the keyword of a page. */
  accent: { fill?: Colour; stroke?: Colour }
  firstWordFill?: Colour
  shadow?: Colour
  highlight?: Colour
  animation: NonNullable<ThemeConfig['captionsAnimation']>
  wordEffect: NonNullable<ThemeConfig['captionsWordEffects']>
  textTransform: NonNullable<ThemeConfig['captionsTextTransform']>
  layoutMode: NonNullable<ThemeConfig['layoutMode']>
}

/** A theme completed with the editor's defaults. */
type FullTheme = { [Field in keyof typeof editorDefaults]: NonNullable<ThemeConfig[Field]> }

/** The editor's sizes are for a 720-wide preview. */
const editorWidth = 720
/** The editor draws half of a stroke under the letters; here all of it is outside. Matched to the editor by eye. */
const strokeOutside = 0.55
/** In em. Closer letters would overlap, and narrow ones would swap order. */
const letterSpacingMin = -0.2

/** Default vertical position over slides, in percent: low, and lifted out of the texts of apps in upright frames. */
export const presentationPosition = 86.5
/** Every reset theme stores the default: a default value means unset. */
const unsetPositions: readonly number[] = [editorDefaults.captionsVerticalPosition, presentationPosition]

export function captionStyle(theme: ThemeConfig, size: Size): CaptionStyle {
  const full = { ...editorDefaults, ...theme } as FullTheme
  const optional = (text: string | undefined) => (text === undefined ? undefined : parseColour(text))
  // By the shorter side, so that captions have the same size in landscape and portrait.
  const scale = Math.min(size.width, size.height) / editorWidth
  const stroke = (width: number) => width * scale * strokeOutside
  const [primary, secondary] = [parseColour(full.captionsPrimaryColor), parseColour(full.captionsSecondaryColor)]
  const highlighted = full.captionsWordEffects === 'highlightWord'
  const highlight = optional(theme.captionsHighlightBackground) ?? (highlighted ? primary : undefined)
  // Every reset theme stores the defaults, and their blue would show on every page: the default value means unset.
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
    isPlaced: !unsetPositions.includes(full.captionsVerticalPosition),
    resting: {
      fill: secondary,
      // Every reset theme stores the default, white, which is no outline around white letters: the default value means
      // unset.
      stroke: parseColour(
        full.captionsSecondaryStrokeColor.toLowerCase() === editorDefaults.captionsSecondaryStrokeColor
          ? full.captionsStrokeColor
          : full.captionsSecondaryStrokeColor,
      ),
      strokePx: stroke(full.captionsTextStroke),
    },
    active: {
      // A word in the colour of its highlight would be illegible.
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
