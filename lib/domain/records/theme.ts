/**
 * The theme config of a video: the look of captions and slides, and the mood of the music. Values outside an enum or a range
 * are refused, unknown keys are dropped.
 */
import * as v from 'valibot'
import { boundedText } from '../core/bounded.ts'
import { cssColourNames } from '../core/css-colours.ts'
import { webUrl } from './brief.ts'

export const trackMoods = ['calm', 'inspiring', 'energetic', 'dramatic', 'playful'] as const
export type MusicMood = (typeof trackMoods)[number]

/** Values of `musicMood`; `auto` follows the mood of the video. */
export const musicMoodSettings = ['none', 'auto', ...trackMoods] as const

const colour = v.pipe(
  boundedText(100),
  v.check(
    (value) =>
      /^#([0-9a-f]{3}|[0-9a-f]{4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(value) || cssColourNames.has(value.toLowerCase()),
    'must be #rgb, #rgba, #rrggbb, #rrggbbaa or a CSS colour name',
  ),
)
const between = (minimum: number, maximum: number) => v.pipe(v.number(), v.minValue(minimum), v.maxValue(maximum))
const shortText = v.pipe(boundedText(100), v.minLength(1, 'must not be empty'))

export const captionsAnimations = [
  'none',
  'fadeIn',
  'fadeInSlideUp',
  'slideUp',
  'popIn',
  'scaleIn',
  'typewriter',
] as const

export const captionsWordEffects = ['', 'bounceWord', 'highlightWord', 'karaokeWord', 'popWord', 'scaleWord'] as const

export const captionsTextTransforms = ['none', 'uppercase', 'lowercase', 'capitalize'] as const

export const layoutModes = ['wrap', 'single-line', 'word'] as const

/** Named weights in rising order: index 0 is 100, each step adds 100. */
export const fontWeightNames = [
  'thin',
  'extralight',
  'light',
  'normal',
  'medium',
  'semibold',
  'bold',
  'extrabold',
  'black',
] as const
const fontWeights = [...fontWeightNames, ...fontWeightNames.map((_, index) => String((index + 1) * 100))]

export const themeConfig = v.partial(
  v.object({
    captionsFontFamily: shortText,
    captionsFontWeight: v.picklist(fontWeights),
    captionsAnimation: v.picklist(captionsAnimations),
    captionsWordEffects: v.picklist(captionsWordEffects),
    captionsTextTransform: v.picklist(captionsTextTransforms),
    layoutMode: v.picklist(layoutModes),
    captionsPrimaryColor: colour,
    captionsSecondaryColor: colour,
    captionsAccentColor: colour,
    captionsStrokeColor: colour,
    captionsSecondaryStrokeColor: colour,
    captionsAccentStrokeColor: colour,
    captionsShadowColor: colour,
    captionsFirstWordColor: colour,
    captionsHighlightBackground: colour,
    captionsFontSize: between(12, 200),
    captionsVerticalPosition: between(0, 100),
    captionsTextStroke: between(0, 40),
    captionsActiveWordStroke: between(0, 40),
    captionsLetterSpacing: between(-20, 50),
    presentationAccentColor: colour,
    presentationAccentColorB: colour,
    presentationInkColor: colour,
    presentationInkSoftColor: colour,
    presentationBackgroundColor: colour,
    presentationPillTextColor: colour,
    presentationFontFamily: shortText,
    presentationBackground: shortText,
    presentationLogoUrl: webUrl,
    presentationIconUrl: webUrl,
    musicMood: v.picklist(musicMoodSettings),
  }),
)

export type ThemeConfig = v.InferOutput<typeof themeConfig>

/** Stored by DELETE /videos/{id}/config, and used to render a video without a config (specification, "Editor defaults"). */
export const editorDefaults = {
  captionsFontFamily: 'TheBoldFont',
  captionsFontWeight: 'medium',
  captionsPrimaryColor: '#39E508',
  captionsFontSize: 72,
  captionsVerticalPosition: 70,
  captionsAnimation: 'fadeInSlideUp',
  captionsWordEffects: 'bounceWord',
  captionsSecondaryColor: '#ffffff',
  captionsAccentColor: '#0000ff',
  captionsTextStroke: 10,
  captionsStrokeColor: 'black',
  captionsSecondaryStrokeColor: '#ffffff',
  captionsAccentStrokeColor: '#0000ff',
  layoutMode: 'wrap',
  captionsTextTransform: 'uppercase',
} as const satisfies ThemeConfig
