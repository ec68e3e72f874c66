import { describe, expect, it } from 'vitest'
import { installedAssets } from '../../../containers/media/render/drawing-assets.ts'
import { emojiName } from '../../../lib/render/captions/emoji.ts'
import { withEmojiSprites } from '../../../lib/render/drawing/draw-sprites.ts'
import { placementAt } from '../../../lib/render/sprite.ts'
import { composition, page } from '../compositions.ts'

const decorated = (emoji: string, theme = {}) =>
  withEmojiSprites(
    composition({ width: 1080, height: 1920, pages: [{ ...page('this is fire', 1000), emoji }], theme }),
    installedAssets,
  )

describe('the emoji of a page', () => {
  it('is found by its code points, with or without a variation selector', () => {
    expect(['🔥', '❤️', '❤', '👨‍👩‍👧', '🇫🇷', '❤️‍🔥'].map(emojiName)).toEqual([
      '1f525',
      '2764',
      '2764',
      '1f468-200d-1f469-200d-1f467',
      '1f1eb-1f1f7',
      '2764-fe0f-200d-1f525',
    ])
  })
  it('is a drawing that is visible as long as its page', async () => {
    const { sprites } = await decorated('🔥')
    expect(sprites).toMatchObject([{ fromMs: 1000, toMs: 1900, width: 162, height: 162 }])
    expect(sprites![0]!.picture).toMatchObject({
      kind: 'drawing',
      svg: expect.stringContaining('width="162" height="162"'),
    })
  })
  it('enters with its page', async () => {
    const [sprite] = (await decorated('🔥', { captionsAnimation: 'fadeInSlideUp' })).sprites!
    const [first, last] = [placementAt(sprite!, 1000), placementAt(sprite!, 1300)]
    expect([first.opacity, last.opacity]).toEqual([0, 1])
    expect(first.y - last.y).toBeCloseTo(60)
  })
  it('is above the words, or below them if there is no space', async () => {
    const y = async (captionsVerticalPosition: number) =>
      placementAt((await decorated('🔥', { captionsVerticalPosition })).sprites![0]!, 1500).y
    expect(await y(70)).toBeLessThan(0.7 * 1920 - 81)
    expect(await y(0)).toBeGreaterThan(150)
  })
  it('is below the words of a presenter, off the face', async () => {
    const pages = [{ ...page('this is fire', 1000), emoji: '🔥' }]
    const presented = composition({ width: 1080, height: 1920, pages, theme: {}, isPresented: true })
    expect(placementAt((await withEmojiSprites(presented, installedAssets)).sprites![0]!, 1500).y).toBeGreaterThan(
      0.7 * 1920 + 81,
    )
  })
  it('is missing if the character is not an emoji', async () => {
    for (const other of ['x', '../package', '🔥🔥']) expect((await decorated(other)).sprites).toEqual([])
  })
})
