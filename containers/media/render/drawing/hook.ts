/** Reads the font files of the hook and adds its sprite to a composition. Its layout is in `lib/render/hook-title.ts`. */
import type { Composition } from '../../../../lib/render/composition.ts'
import { captionFonts } from '../../../../lib/render/fonts.ts'
import { hookSprite } from '../../../../lib/render/hook-title.ts'
import { typefaceOf } from '../../../../lib/render/slides/typefaces.ts'
import { mapCompositionErrors } from '../../render-failure.ts'
import { loadFonts } from './load-fonts.ts'

/** The composition with its hook, beside the sprites that it has: captions and emoji must be among them. */
export async function withHookSprite(composition: Composition): Promise<Composition> {
  const { hook, theme, sprites = [] } = composition
  if (!hook) return composition
  const fonts = captionFonts(theme, hook)
  const typeface = typefaceOf(fonts, await loadFonts(fonts))
  const sprite = mapCompositionErrors(() => hookSprite(hook, composition, typeface, sprites))
  return sprite ? { ...composition, sprites: [...sprites, sprite] } : composition
}
