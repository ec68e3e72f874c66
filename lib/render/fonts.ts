/** Chooses the font files of a text: the family of the theme, and fallback fonts for scripts that it does not cover. */
import { fontWeightNames, type ThemeConfig } from '../domain/records/theme.ts'

export interface FontFile {
  /** What `require.resolve` finds the file by: a path inside a package, or `#fonts/` for those of assets/fonts. */
  file: string
  /** Full name: the family, and the cut unless it is Regular. */
  name: string
  /** Set for complex scripts: words are shaped as a whole, with this family name. */
  shapedAs?: string
}

/** Folder names of @expo-google-fonts, by weight 100 to 900. */
const cuts = ['Thin', 'ExtraLight', 'Light', 'Regular', 'Medium', 'SemiBold', 'Bold', 'ExtraBold', 'Black']
const allWeights = cuts.map((_, index) => (index + 1) * 100)

interface Family {
  /** Base of the folder and file names. */
  family: string
  weights: number[]
}

const inter: Family = { family: 'Inter', weights: allWeights }
/** TheBoldFont is not free. Montserrat Black is the closest free font in weight and shape. */
const theBoldFont: Family = { family: 'Montserrat', weights: [900] }

/** Families by the names that clients use; case, spaces, `_` and `-` are ignored. */
export const captionFamilies: ReadonlyMap<string, Family> = new Map([
  ['TheBoldFont', theBoldFont],
  ['Montserrat', { family: 'Montserrat', weights: allWeights }],
  ['Inter', inter],
  ['Poppins', { family: 'Poppins', weights: allWeights }],
  ['Anton', { family: 'Anton', weights: [400] }],
  ['Bebas Neue', { family: 'Bebas Neue', weights: [400] }],
  ['Luckiest Guy', { family: 'Luckiest Guy', weights: [400] }],
  ['Archivo Black', { family: 'Archivo Black', weights: [400] }],
  ['Playfair Display', { family: 'Playfair Display', weights: allWeights.slice(3) }],
])
const plainName = (family: string) => family.toLowerCase().replace(/[\s_-]/g, '')
const byPlainName = new Map([...captionFamilies].map(([name, family]) => [plainName(name), family]))

const noto = (script: string, letters: RegExp, isShaped = false) => ({
  letters,
  font: {
    file: `#fonts/NotoSans${script}-Bold.ttf`,
    name: `Noto Sans ${script} Bold`,
    ...(isShaped && { shapedAs: `Noto Sans ${script}` }),
  },
})

/**
 * Fonts by script (see assets/fonts/README.md), used when a text has letters of it. Japanese precedes Chinese: in a
 * text with kana, Han characters get their Japanese shapes.
 */
const scripts: readonly { letters: RegExp; font: FontFile }[] = [
  noto('JP', /[\p{Script=Hiragana}\p{Script=Katakana}]/u),
  noto('KR', /\p{Script=Hangul}/u),
  noto('SC', /[\p{Script=Han}\u3000-\u303f\uff00-\uff60]/u),
  noto('Arabic', /\p{Script=Arabic}/u, true),
  noto('Hebrew', /\p{Script=Hebrew}/u, true),
  noto('Devanagari', /\p{Script=Devanagari}/u, true),
  noto('Thai', /\p{Script=Thai}/u, true),
]

/** Every font that a text can be set in. */
export const allFontFiles = (): string[] => [
  ...new Set([
    ...[...captionFamilies.values()].flatMap((family) => family.weights.map((weight) => fontFile(family, weight).file)),
    ...scripts.map(({ font }) => font.file),
  ]),
]

/**
 * The font of a theme, then its fallbacks: Inter, which covers Greek, Cyrillic, Vietnamese and many symbols, and the
 * fonts of the scripts in `text`. An unknown family becomes that of TheBoldFont; a missing weight the nearest one.
 */
export function captionFonts(
  theme: Pick<ThemeConfig, 'captionsFontFamily' | 'captionsFontWeight'>,
  text: string,
): FontFile[] {
  const family = byPlainName.get(plainName(theme.captionsFontFamily ?? '')) ?? theBoldFont
  const weight = nearest(family.weights, weightNumber(theme.captionsFontWeight ?? 'medium'))
  // Families with a single weight are all heavy, whatever their weight is called.
  const latin = [fontFile(family, weight), fontFile(inter, family.weights.length === 1 ? 900 : weight)]
  const others = scripts.filter(({ letters }) => letters.test(text)).map(({ font }) => font)
  return [...(family === inter ? latin.slice(0, 1) : latin), ...others]
}

function weightNumber(weight: string): number {
  const index = fontWeightNames.indexOf(weight as (typeof fontWeightNames)[number])
  return index >= 0 ? (index + 1) * 100 : Number(weight)
}

function nearest(weights: number[], wanted: number): number {
  return weights.toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0]!
}

function fontFile({ family }: Family, weight: number): FontFile {
  const cut = cuts[weight / 100 - 1]!
  const folder = family.toLowerCase().replaceAll(' ', '-')
  return {
    file: `@expo-google-fonts/${folder}/${weight}${cut}/${family.replaceAll(' ', '')}_${weight}${cut}.ttf`,
    name: cut === 'Regular' ? family : `${family} ${cut}`,
  }
}
