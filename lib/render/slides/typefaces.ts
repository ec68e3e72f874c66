/** Which fonts slides are set in: a heavy cut of `presentationFontFamily` for what is large, a lighter one for what explains it. */
import type { ThemeConfig } from '../../domain/theme.ts'
import { captionFonts, type FontFile } from '../fonts.ts'
import type { Face } from '../truetype.ts'
import type { Typefaces } from './stage.ts'
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

/** `faceOf` gives what was read from a font's file. */
export function typefacesFor(fonts: ReturnType<typeof slideFonts>, faceOf: (font: FontFile) => Face): Typefaces {
  const typeface = (files: FontFile[]): Typeface => ({
    ...named(files[0]!),
    faces: files.map(faceOf),
    files: files.map(({ file }) => file),
  })
  return { display: typeface(fonts.display), text: typeface(fonts.text) }
}

/** The names of font files end in their weight and cut, as in `Inter_800ExtraBold.ttf`. */
function named({ file, name }: FontFile): Pick<Typeface, 'family' | 'weight'> {
  const [, weight = '400', cut = 'Regular'] = /_(\d+)(\w+)\.ttf$/.exec(file) ?? []
  return { family: name.endsWith(` ${cut}`) ? name.slice(0, -cut.length - 1) : name, weight: Number(weight) }
}
