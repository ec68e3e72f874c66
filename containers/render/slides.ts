/** Draws what stands on the slides of a film, with the fonts that it is set in. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { ThemeConfig } from '../../lib/domain/theme.ts'
import type { Composition } from '../../lib/render/composition.ts'
import { drawSlides } from '../../lib/render/slides/draw.ts'
import type { Typefaces } from '../../lib/render/slides/stage.ts'
import { slideFonts, typefacesFor } from '../../lib/render/slides/typefaces.ts'
import { readFace } from '../../lib/render/truetype.ts'
import { outlinesOf } from './shaping.ts'

/** The composition with the sprites of its slides. */
export async function withSlides(composition: Composition): Promise<Composition> {
  const { slides, theme } = composition
  if (!slides) return composition
  const typefaces = await loadTypefaces(theme, JSON.stringify(slides.map(({ text, content }) => [text, content])))
  return drawSlides(composition, typefaces)
}

/** `text` is all that will be set in them. */
export async function loadTypefaces(theme: ThemeConfig, text: string): Promise<Typefaces> {
  const fonts = slideFonts(theme, text)
  const { resolve } = createRequire(import.meta.url)
  const load = async ({ file, name, shapedAs }: (typeof fonts.text)[number]) => {
    const path = resolve(file)
    const face = readFace(await readFile(path), name)
    return [file, shapedAs ? { ...face, outline: outlinesOf(path, shapedAs) } : face] as const
  }
  const faces = new Map(await Promise.all([...fonts.display, ...fonts.text].map(load)))
  return typefacesFor(fonts, ({ file }) => faces.get(file)!)
}
