import { describe, expect, it } from 'vitest'
import { frameSizes } from '../../lib/domain/records/brief.ts'
import type { ThemeConfig } from '../../lib/domain/records/theme.ts'
import { captionSprites } from '../../lib/render/captions/sprites.ts'
import type { Composition } from '../../lib/render/composition.ts'
import { captionFonts } from '../../lib/render/fonts.ts'
import { hookSprite } from '../../lib/render/hook-title.ts'
import { typefaceOf } from '../../lib/render/slides/typefaces.ts'
import { placementAt } from '../../lib/render/sprite.ts'
import { composition, faceOf, facesOf, page } from './compositions.ts'

function layOut(theme: ThemeConfig, changes: Partial<Composition> = {}, hook = 'Why the sea is salty') {
  const shown = composition({
    ...frameSizes['9:16'],
    durationMs: 10_000,
    theme,
    pages: [page('Rivers carry')],
    ...changes,
  })
  const captions = shown.pages.flatMap((caption) => captionSprites(caption, shown, facesOf(theme)))
  const fonts = captionFonts(theme, hook)
  const typeface = typefaceOf(fonts, (font) => ({ face: faceOf(font), sha256: font.name }))
  return { shown, captions, sprite: hookSprite(hook, shown, typeface, captions) }
}

describe('the hook', () => {
  it('is opaque in the first frame and gone after 2.5 s', () => {
    const { sprite } = layOut({})
    expect(sprite).toMatchObject({ fromMs: 0, toMs: 2_500 })
    expect(placementAt(sprite!, 0).opacity).toBe(1)
    expect(placementAt(sprite!, 2_499).opacity).toBeLessThan(0.01)
  })

  const positions = Array.from({ length: 21 }, (_, index) => 5 * index)
  it.each(Object.keys(frameSizes) as (keyof typeof frameSizes)[])(
    'touches no caption at any position in %s',
    (ratio) => {
      let drawn = 0
      for (const captionsVerticalPosition of positions) {
        const { sprite, captions } = layOut({ captionsVerticalPosition }, frameSizes[ratio])
        if (!sprite) continue
        drawn++
        const top = sprite.y[0]![1] - sprite.height / 2
        for (const caption of captions) {
          const middle = placementAt(caption, caption.toMs - 1).y
          expect(top > middle + caption.height / 2 || top + sprite.height < middle - caption.height / 2).toBe(true)
        }
      }
      expect(drawn).toBeGreaterThan(positions.length / 2)
    },
  )

  it('stays within the frame, and is left out where it would be illegible', () => {
    const { sprite, shown } = layOut({}, {}, 'The surprising reason why rivers made the oceans salty')
    expect(sprite!.width).toBeLessThan(0.95 * shown.width)
    expect(layOut({}, {}, 'so many words '.repeat(40)).sprite).toBeUndefined()
  })

  it('stays above the face of a presenter', () => {
    const { sprite, shown } = layOut({}, { isPresented: true }, 'Three Small Habits That Make Mornings Calm')
    expect(sprite!.y[0]![1] + sprite!.height / 2).toBeLessThanOrEqual(0.285 * shown.height)
  })
})
