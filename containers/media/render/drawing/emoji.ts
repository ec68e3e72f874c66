/**
 * Reads the Twemoji drawings of caption pages and adds their sprites to a composition. Their layout is in
 * `lib/render/captions/emoji.ts`.
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { emojiName, emojiSprite } from '../../../../lib/render/captions/emoji.ts'
import type { Composition } from '../../../../lib/render/composition.ts'
import { mapCompositionErrors } from '../../render-failure.ts'
import { captionFaces } from './captions.ts'

/** The composition with a sprite for each page that has an emoji. A character without a drawing is left out. */
export async function withEmojiSprites(composition: Composition): Promise<Composition> {
  const decorated = composition.pages.filter(({ emoji }) => emoji !== undefined)
  if (decorated.length === 0) return composition
  const faces = await captionFaces(composition)
  const sprites = await Promise.all(
    decorated.map(async (page) => {
      const path = pathOf(page.emoji!)
      if (!existsSync(path)) return undefined
      const svg = await readFile(path, 'utf8')
      return mapCompositionErrors(() => emojiSprite(page, svg, composition, faces))
    }),
  )
  return {
    ...composition,
    sprites: [...(composition.sprites ?? []), ...sprites.filter((sprite) => sprite !== undefined)],
  }
}

const drawings = dirname(createRequire(import.meta.url).resolve('@twemoji/svg/package.json'))

const pathOf = (character: string) => join(drawings, `${emojiName(character)}.svg`)
