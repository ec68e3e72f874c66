/**
 * Reads fonts: metrics, outlines and, for complex scripts, a shaper. Which files are needed is decided in
 * `lib/render/fonts.ts`.
 */
import type { ThemeConfig } from '../../domain/records/theme.ts'
import type { FontFile } from '../fonts.ts'
import type { Typefaces } from '../slides/slide-context.ts'
import { type LoadedFont, slideFonts, typefacesFor } from '../slides/typefaces.ts'
import { type FontFace, parseFontFace } from '../truetype.ts'
import type { DrawingAssets } from './assets.ts'
import { createShaper } from './shaping.ts'

type FontAssets = Pick<DrawingAssets, 'readFont' | 'textToPaths' | 'sha256'>

/** `text` is all text that will be set in them: it decides which scripts need a font. */
export async function loadTypefaces(theme: ThemeConfig, text: string, assets: FontAssets): Promise<Typefaces> {
  const fonts = slideFonts(theme, text)
  return typefacesFor(fonts, await loadFonts([...fonts.display, ...fonts.text], assets))
}

/** Reads the files of these fonts, and returns a look-up by font. */
export async function loadFonts(
  fonts: readonly FontFile[],
  assets: FontAssets,
): Promise<(font: FontFile) => LoadedFont> {
  const read = async (font: FontFile): Promise<[string, LoadedFont]> => {
    const bytes = await assets.readFont(font.file)
    return [font.file, { sha256: await assets.sha256(bytes), face: faceOf(font, bytes, assets) }]
  }
  const known = new Map(await Promise.all(fonts.map(read)))
  return ({ file }) => known.get(file)!
}

/** The faces of these fonts, in their order. */
export const loadFaces = (fonts: readonly FontFile[], assets: FontAssets): Promise<FontFace[]> =>
  Promise.all(fonts.map(async (font) => faceOf(font, await assets.readFont(font.file), assets)))

/** Faces remember the outlines of their letters. A face lives as long as its bytes. */
const faces = new WeakMap<Uint8Array, FontFace>()

function faceOf({ file, name, shapedAs }: FontFile, bytes: Uint8Array, { textToPaths }: FontAssets): FontFace {
  const known = faces.get(bytes)
  if (known) return known
  const parsed = parseFontFace(bytes, name)
  const shaper = shapedAs && createShaper((svg) => textToPaths(svg, { file, bytes }), shapedAs)
  const face = shaper ? { ...parsed, outline: shaper } : parsed
  faces.set(bytes, face)
  return face
}
