/**
 * Reads the font files of slides and adds the sprites of the slides to a composition. Layout and SVG markup are pure,
 * in `lib/render/slides/`; `raster.ts` turns the SVG into pixels.
 */
import type { Composition } from '../../../../lib/render/composition.ts'
import { drawSlides } from '../../../../lib/render/slides/draw.ts'
import { mapCompositionErrors } from '../../render-failure.ts'
import { loadTypefaces } from './load-fonts.ts'

/** The composition with the sprites of its slides. */
export async function withSlideSprites(composition: Composition): Promise<Composition> {
  const { slides, theme } = composition
  if (!slides) return composition
  const typefaces = await loadTypefaces(theme, JSON.stringify(slides.map(({ text, content }) => [text, content])))
  return mapCompositionErrors(() => drawSlides(composition, typefaces))
}
