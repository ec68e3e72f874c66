/**
 * Reads font files: metrics, outlines and, for complex scripts, a shaper. Which files are needed is decided in
 * `lib/render/fonts.ts`.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { ThemeConfig } from '../../../../lib/domain/records/theme.ts'
import type { FontFile } from '../../../../lib/render/fonts.ts'
import type { Typefaces } from '../../../../lib/render/slides/slide-context.ts'
import { type LoadedFont, slideFonts, typefacesFor } from '../../../../lib/render/slides/typefaces.ts'
import { parseFontFace } from '../../../../lib/render/truetype.ts'
import { createShaper } from './shaping.ts'

/** `text` is all text that will be set in them: it decides which scripts need a font. */
export async function loadTypefaces(theme: ThemeConfig, text: string): Promise<Typefaces> {
  const fonts = slideFonts(theme, text)
  return typefacesFor(fonts, await loadFonts([...fonts.display, ...fonts.text]))
}

/** Reads the files of these fonts, and returns a look-up by font. */
export async function loadFonts(fonts: readonly FontFile[]): Promise<(font: FontFile) => LoadedFont> {
  const { resolve } = createRequire(import.meta.url)
  const read = async ({ file, name, shapedAs }: FontFile): Promise<[string, LoadedFont]> => {
    const path = resolve(file)
    const bytes = await readFile(path)
    const face = parseFontFace(bytes, name)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    return [file, { sha256, face: shapedAs ? { ...face, outline: createShaper(path, shapedAs) } : face }]
  }
  const known = new Map(await Promise.all(fonts.map(read)))
  return ({ file }) => known.get(file)!
}
