/**
 * Reads the font files of captions and adds the sprites of the caption pages to a composition. Layout and SVG markup
 * are pure, in `lib/render/captions/`; `raster.ts` turns the SVG into pixels.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { setImmediate as yieldToEvents } from 'node:timers/promises'
import { captionSprites } from '../../../../lib/render/captions/sprites.ts'
import type { Composition, CompositionPage } from '../../../../lib/render/composition.ts'
import { captionFonts } from '../../../../lib/render/fonts.ts'
import type { Sprite } from '../../../../lib/render/sprite.ts'
import { type FontFace, parseFontFace } from '../../../../lib/render/truetype.ts'
import { mapCompositionErrors } from '../../render-failure.ts'
import { createShaper } from './shaping.ts'

/** The composition with its caption words above all other sprites. */
export async function withCaptionSprites(composition: Composition, signal: AbortSignal): Promise<Composition> {
  const { pages } = composition
  if (pages.length === 0) return composition
  const faces = await captionFaces(composition)
  const sprites: Sprite[] = [...(composition.sprites ?? [])]
  for (const page of pages) {
    // Shaping is slow and synchronous: an abort is observed between pages.
    await yieldToEvents()
    signal.throwIfAborted()
    sprites.push(...mapCompositionErrors(() => captionSprites(page, composition, faces)))
  }
  return { ...composition, sprites }
}

/** The font faces that the captions need, the theme's first. */
export function captionFaces({ theme, pages }: Pick<Composition, 'theme' | 'pages'>): Promise<FontFace[]> {
  const { resolve } = createRequire(import.meta.url)
  return Promise.all(
    captionFonts(theme, textOf(pages)).map(async ({ file, name, shapedAs }) => {
      const path = resolve(file)
      const face = parseFontFace(await readFile(path), name)
      return { ...face, ...(shapedAs && { outline: createShaper(path, shapedAs) }) }
    }),
  )
}

const textOf = (pages: CompositionPage[]) =>
  pages.flatMap(({ words }) => words.map(({ punctuated_word }) => punctuated_word)).join(' ')
