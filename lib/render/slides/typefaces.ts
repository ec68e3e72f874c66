/** Chooses the fonts of slides: a heavy cut of `presentationFontFamily` for headlines, a lighter one for text. */
import type { ThemeConfig } from '../../domain/records/theme.ts'
import { captionFonts, type FontFile } from '../fonts.ts'
import type { DrawingFont } from '../sprite.ts'
import type { FontFace } from '../truetype.ts'
import type { Typefaces } from './slide-context.ts'
import type { Typeface } from './typeset.ts'

const standard = 'Inter'

/** `text` is all text of the slides: each script in it adds its font. */
export function slideFonts(
  { presentationFontFamily = standard }: ThemeConfig,
  text: string,
): { display: FontFile[]; text: FontFile[] } {
  const display = captionFonts({ captionsFontFamily: presentationFontFamily, captionsFontWeight: 'extrabold' }, text)
  const lighter = captionFonts({ captionsFontFamily: presentationFontFamily, captionsFontWeight: 'medium' }, text)
  // A family with a single weight has no lighter cut.
  const isSingle = lighter[0]!.file === display[0]!.file
  const quiet = isSingle ? captionFonts({ captionsFontFamily: standard, captionsFontWeight: 'medium' }, text) : lighter
  return { display, text: quiet }
}

/** A font file that was read: its face, and the hash of its bytes. */
export interface LoadedFont {
  face: FontFace
  sha256: string
}

export function typefacesFor(fonts: ReturnType<typeof slideFonts>, read: (font: FontFile) => LoadedFont): Typefaces {
  return { display: typefaceOf(fonts.display, read), text: typefaceOf(fonts.text, read) }
}

/** The first file is the typeface's own; the others are fallbacks for missing characters. */
export const typefaceOf = (files: readonly FontFile[], read: (font: FontFile) => LoadedFont): Typeface => ({
  ...named(files[0]!),
  faces: files.map((font) => read(font).face),
  files: files.map((font) => ({ file: font.file, sha256: read(font).sha256 })),
})

/** The fonts that a text needs, so that a script on one slide does not change the keys of the others. */
export function fontsForText(text: string, { display, text: quiet }: Typefaces): DrawingFont[] {
  const fonts = [display, quiet].flatMap((typeface) => filesFor(text, typeface))
  return [...new Map(fonts.map((font) => [font.file, font])).values()]
}

/** The typeface's own file, and those fallbacks that are used. */
function filesFor(text: string, { faces, files }: Typeface): DrawingFont[] {
  const writes = (character: string) => (face: FontFace) => face.advance(character.codePointAt(0)!) !== undefined
  const used = new Set([...new Set(text)].map((character) => faces.findIndex(writes(character))))
  return files.filter((_, index) => index === 0 || used.has(index))
}

/** Parses weight and cut from the file name, as in `Inter_800ExtraBold.ttf`. */
function named({ file, name }: FontFile): Pick<Typeface, 'family' | 'weight'> {
  const [, weight = '400', cut = 'Regular'] = /_(\d+)(\w+)\.ttf$/.exec(file) ?? []
  return { family: name.endsWith(` ${cut}`) ? name.slice(0, -cut.length - 1) : name, weight: Number(weight) }
}
