/** Which fonts slides are set in: a heavy cut of `presentationFontFamily` for what is large, a lighter one for what explains it. */
import type { ThemeConfig } from '../../domain/records/theme.ts'
import { captionFonts, type FontFile } from '../fonts.ts'
import type { DrawingFont } from '../sprite.ts'
import type { FontFace } from '../truetype.ts'
import type { Typefaces } from './slide-context.ts'
import type { Typeface } from './typeset.ts'

const standard = 'Inter'

/** `text` is all that stands on the slides: each script brings its font. */
export function slideFonts(
  { presentationFontFamily = standard }: ThemeConfig,
  text: string,
): { display: FontFile[]; text: FontFile[] } {
  const display = captionFonts({ captionsFontFamily: presentationFontFamily, captionsFontWeight: 'extrabold' }, text)
  const lighter = captionFonts({ captionsFontFamily: presentationFontFamily, captionsFontWeight: 'medium' }, text)
  // A family of one weight has nothing quieter than its headlines.
  const isSingle = lighter[0]!.file === display[0]!.file
  const quiet = isSingle ? captionFonts({ captionsFontFamily: standard, captionsFontWeight: 'medium' }, text) : lighter
  return { display, text: quiet }
}

/** What was read from the file of a font: its face, and the hash of its bytes. */
export interface LoadedFont {
  face: FontFace
  sha256: string
}

export function typefacesFor(fonts: ReturnType<typeof slideFonts>, read: (font: FontFile) => LoadedFont): Typefaces {
  return { display: typefaceOf(fonts.display, read), text: typefaceOf(fonts.text, read) }
}

/** The first file is the typeface's own; the others stand in for characters that it lacks. */
export const typefaceOf = (files: readonly FontFile[], read: (font: FontFile) => LoadedFont): Typeface => ({
  ...named(files[0]!),
  faces: files.map((font) => read(font).face),
  files: files.map((font) => ({ file: font.file, sha256: read(font).sha256 })),
})

/** The fonts that a text needs, so that a script on one slide is nothing to the others. */
export function fontsForText(text: string, { display, text: quiet }: Typefaces): DrawingFont[] {
  const fonts = [display, quiet].flatMap((typeface) => filesFor(text, typeface))
  return [...new Map(fonts.map((font) => [font.file, font])).values()]
}

/** The typeface's own, and of the others those that write what all before them lack. */
function filesFor(text: string, { faces, files }: Typeface): DrawingFont[] {
  const writes = (character: string) => (face: FontFace) => face.advance(character.codePointAt(0)!) !== undefined
  const used = new Set([...new Set(text)].map((character) => faces.findIndex(writes(character))))
  return files.filter((_, index) => index === 0 || used.has(index))
}

/** The names of font files end in their weight and cut, as in `Inter_800ExtraBold.ttf`. */
function named({ file, name }: FontFile): Pick<Typeface, 'family' | 'weight'> {
  const [, weight = '400', cut = 'Regular'] = /_(\d+)(\w+)\.ttf$/.exec(file) ?? []
  return { family: name.endsWith(` ${cut}`) ? name.slice(0, -cut.length - 1) : name, weight: Number(weight) }
}
