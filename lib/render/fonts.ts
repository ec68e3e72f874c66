/** Which font file draws captions: the families of the theme, mapped to the fonts that ship with the packages. */
import { fontWeightNames, type ThemeConfig } from '../domain/theme.ts'

/** `file` is a path inside node_modules, `name` the name libass finds the font by. */
export interface FontFile {
  file: string
  name: string
}

/** Folder names of @expo-google-fonts, by weight 100 to 900. */
const cuts = ['Thin', 'ExtraLight', 'Light', 'Regular', 'Medium', 'SemiBold', 'Bold', 'ExtraBold', 'Black']
const allWeights = cuts.map((_, index) => (index + 1) * 100)

/** TheBoldFont is not free. Montserrat Black is the closest free font in weight and shape. */
const theBoldFont = { folder: 'montserrat', family: 'Montserrat', weights: [900] }
const inter = { folder: 'inter', family: 'Inter', weights: allWeights }
const families: ReadonlyMap<string, typeof inter> = new Map([
  ['theboldfont', theBoldFont],
  ['montserrat', { folder: 'montserrat', family: 'Montserrat', weights: allWeights }],
  ['anton', { folder: 'anton', family: 'Anton', weights: [400] }],
  ['inter', inter],
])

/**
 * The font of a theme, then the one for characters it lacks (Inter has Greek and many symbols). A family we do not have
 * becomes TheBoldFont's; a weight a family does not have, the nearest it has.
 */
export function captionFonts(theme: Pick<ThemeConfig, 'captionsFontFamily' | 'captionsFontWeight'>): FontFile[] {
  const wanted = families.get((theme.captionsFontFamily ?? '').toLowerCase().replace(/\s/g, '')) ?? theBoldFont
  const weight = nearest(wanted.weights, weightNumber(theme.captionsFontWeight ?? 'medium'))
  // The families of one weight are heavy whatever the weight is called.
  const fonts = [fontFile(wanted, weight), fontFile(inter, wanted.weights.length === 1 ? 900 : weight)]
  return wanted === inter ? fonts.slice(0, 1) : fonts
}

function weightNumber(weight: string): number {
  const index = fontWeightNames.indexOf(weight as (typeof fontWeightNames)[number])
  return index >= 0 ? (index + 1) * 100 : Number(weight)
}

function nearest(weights: number[], wanted: number): number {
  return weights.toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0]!
}

function fontFile({ folder, family }: typeof inter, weight: number): FontFile {
  const cut = cuts[weight / 100 - 1]!
  return {
    file: `@expo-google-fonts/${folder}/${weight}${cut}/${family}_${weight}${cut}.ttf`,
    name: cut === 'Regular' ? family : `${family} ${cut}`,
  }
}
