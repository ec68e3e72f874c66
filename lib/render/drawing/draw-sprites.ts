/**
 * Adds the sprites of slides, emoji, captions and hook to a composition. Their layout and SVG markup are pure; the fonts
 * and drawings that they need are handed in. A rasteriser turns the SVG into pixels.
 */
import { emojiName, emojiSprite } from '../captions/emoji.ts'
import { captionSprites } from '../captions/sprites.ts'
import type { Composition } from '../composition.ts'
import { captionFonts } from '../fonts.ts'
import { hookSprite } from '../hook-title.ts'
import { drawSlides } from '../slides/draw.ts'
import { typefaceOf } from '../slides/typefaces.ts'
import type { Sprite } from '../sprite.ts'
import type { FontFace } from '../truetype.ts'
import type { DrawingAssets } from './assets.ts'
import { loadFaces, loadFonts, loadTypefaces } from './load-fonts.ts'

/** `pause` is called between caption pages, whose shaping is slow: it may let others work, or throw to cancel. */
export async function drawSprites(
  composition: Composition,
  assets: DrawingAssets,
  pause: () => Promise<void> = async () => {},
): Promise<Composition> {
  const slides = await withSlideSprites(composition, assets)
  const captions = await withCaptionSprites(await withEmojiSprites(slides, assets), assets, pause)
  return withHookSprite(captions, assets)
}

/** The composition with the sprites of its slides. */
export async function withSlideSprites(composition: Composition, assets: DrawingAssets): Promise<Composition> {
  const { slides, theme } = composition
  if (!slides) return composition
  const text = JSON.stringify(slides.map(({ text, content }) => [text, content]))
  return drawSlides(composition, await loadTypefaces(theme, text, assets))
}

/** The composition with a sprite for each page that has an emoji. A character without a drawing is left out. */
export async function withEmojiSprites(composition: Composition, assets: DrawingAssets): Promise<Composition> {
  const decorated = composition.pages.filter(({ emoji }) => emoji !== undefined)
  if (decorated.length === 0) return composition
  const faces = await captionFaces(composition, assets)
  const sprites = await Promise.all(
    decorated.map(async (page) => {
      const svg = await assets.readEmoji(emojiName(page.emoji!))
      return svg === undefined ? undefined : emojiSprite(page, svg, composition, faces)
    }),
  )
  return {
    ...composition,
    sprites: [...(composition.sprites ?? []), ...sprites.filter((sprite) => sprite !== undefined)],
  }
}

/** The composition with its caption words above all other sprites. */
async function withCaptionSprites(
  composition: Composition,
  assets: DrawingAssets,
  pause: () => Promise<void>,
): Promise<Composition> {
  const { pages } = composition
  if (pages.length === 0) return composition
  const faces = await captionFaces(composition, assets)
  const { remember = (_, make) => make() } = assets
  const { width, height, theme } = composition
  const look = JSON.stringify([width, height, theme, captionFontsOf(composition)])
  const sprites: Sprite[] = [...(composition.sprites ?? [])]
  for (const page of pages) {
    await pause()
    sprites.push(...remember(look + JSON.stringify(page), () => captionSprites(page, composition, faces)))
  }
  return { ...composition, sprites }
}

/** The font faces that the captions need, the theme's first. */
const captionFaces = (composition: Composition, assets: DrawingAssets): Promise<FontFace[]> =>
  loadFaces(captionFontsOf(composition), assets)

const captionFontsOf = ({ theme, pages }: Composition) =>
  captionFonts(theme, pages.flatMap(({ words }) => words.map(({ punctuated_word }) => punctuated_word)).join(' '))

/** The composition with its hook, beside the sprites that it has: captions and emoji must be among them. */
async function withHookSprite(composition: Composition, assets: DrawingAssets): Promise<Composition> {
  const { hook, theme, sprites = [] } = composition
  if (!hook) return composition
  const fonts = captionFonts(theme, hook)
  const typeface = typefaceOf(fonts, await loadFonts(fonts, assets))
  const sprite = hookSprite(hook, composition, typeface, sprites)
  return sprite ? { ...composition, sprites: [...sprites, sprite] } : composition
}
