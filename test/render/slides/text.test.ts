/** Any text of a client can be drawn; a composition that cannot is reported, and not retried. */
import { describe, expect, it } from 'vitest'
import { installedAssets } from '../../../containers/media/render/drawing-assets.ts'
import { rasterise } from '../../../containers/media/render/rasterise.ts'
import { renderComposition } from '../../../containers/media/render/render-composition.ts'
import { captionSprites } from '../../../lib/render/captions/sprites.ts'
import { withSlideSprites } from '../../../lib/render/drawing/draw-sprites.ts'
import { loadTypefaces } from '../../../lib/render/drawing/load-fonts.ts'
import { backgroundShots } from '../../../lib/render/slides/background-shots.ts'
import { paletteOf } from '../../../lib/render/slides/palette.ts'
import type { Slide } from '../../../lib/render/slides/slide.ts'
import { slideContext } from '../../../lib/render/slides/slide-context.ts'
import { escapeXml } from '../../../lib/render/slides/svg.ts'
import { typeset } from '../../../lib/render/slides/typeset.ts'
import { composition, facesOf, newRenderDirectory, page } from '../compositions.ts'

const size = { width: 270, height: 480 }
const slide = (changes: Partial<Slide>): Slide => ({
  ...{ startMs: 0, endMs: 2000, template: 'heroTitle', tone: 'light', text: 'a', emphasis: '', captioned: false },
  ...{ content: {}, params: {}, direction: {}, anchors: [], words: [] },
  ...changes,
})
const filmOf = (only: Slide) => composition({ ...size, slides: [only], shots: backgroundShots([only], size, {}) })

/** Escaped, so that no editor hides them. */
const strange = ['\u0000', '\u0001', '\u000b', '\u0085', '\ud800', '\ufdd0', '\ufffe', '\uffff', '\u{1ffff}', ']]>']

describe('the text of a slide', () => {
  it.each(strange.map((text) => [JSON.stringify(text), text]))('may contain %s', async (_, text) => {
    for (const words of [`one ${text} two${text}`, `אחד ${text} שתיים${text}`]) {
      const points = [words, { title: words, detail: words }]
      for (const only of [slide({ text: words }), slide({ template: 'bulletList', content: { points } })]) {
        const { sprites = [] } = await withSlideSprites(filmOf(only), installedAssets)
        expect(sprites.length).toBeGreaterThan(0)
        for (const { picture } of sprites) if (picture.kind === 'drawing') await rasterise(picture, 0.5)
      }
    }
  })
  it('is laid out without invalid characters', async () => {
    const { display: typeface } = await loadTypefaces({}, '', installedAssets)
    const style = { typeface, sizeMax: 20, sizeMin: 20, lineHeight: 1, tracking: 0, linesMax: 1 }
    const { lines } = typeset('one\uffff two \ufffe three\u0007', '', style, { width: 900, height: 40 })
    expect(lines.flatMap(({ words }) => words.map(({ text }) => text))).toEqual(['one', 'two', 'three'])
  })
  it('is escaped for XML, which cannot contain some characters at all', () => {
    expect(escapeXml('a\u0000\ufffe\uffff\ud800<b>&"]]>\t\u{1f600}')).toBe('a&lt;b&gt;&amp;&quot;]]&gt;\t\u{1f600}')
  })
})

describe('captions in scripts that are shaped', () => {
  it.each(['שלום]]>שלום', 'مرحبا]]>', 'नमस्ते]]>', 'สวัสดี]]>', 'של<ום&>'])(
    'may contain marks of XML: %s',
    async (text) => {
      const [sprite] = captionSprites(page(text), composition(), facesOf({}, text))
      const { picture } = sprite!
      if (picture.kind !== 'drawing') throw new TypeError('A word is a drawing')
      const { pixels } = await rasterise(picture, 1)
      expect(pixels.some((value) => value > 0)).toBe(true)
    },
  )
})

describe('a render of an invalid drawing', () => {
  const render = (film: ReturnType<typeof composition>) =>
    renderComposition({
      ...{
        composition: film,
        files: new Map(),
        directory: newRenderDirectory(),
        onProgress: () => {},
        timeoutMs: 60_000,
      },
      signal: new AbortController().signal,
    })
  it('bad-composition: an invalid slide', async () => {
    await expect(render(filmOf(slide({ content: null as never })))).rejects.toMatchObject({ code: 'bad-composition' })
  })
  it('bad-composition: an invalid caption', async () => {
    const pages = [{ ...page('a'), words: [{ startMs: 0, endMs: 9, punctuated_word: 7 as never }] }]
    await expect(render({ ...composition(), pages })).rejects.toMatchObject({ code: 'bad-composition' })
  })
  it('bad-composition: an invalid drawing', async () => {
    await expect(rasterise({ svg: '<svg' }, 1)).rejects.toMatchObject({ code: 'bad-composition' })
  })
})

describe('the colours of slides', () => {
  it('are passed to SVG as numbers, because it does not know every name', () => {
    const theme = {
      ...{ presentationInkColor: 'RebeccaPurple', presentationInkSoftColor: '#abc8', presentationAccentColor: '#f0f' },
      ...{ presentationAccentColorB: 'transparent', presentationPillTextColor: 'rebeccapurple' },
      presentationBackgroundColor: 'White',
    }
    expect(paletteOf(theme, 'light')).toMatchObject({
      ...{ background: '#ffffff', ink: '#663399', soft: '#aabbcc88', accent: '#ff00ff', accentText: '#ff00ff' },
      ...{ accentB: '#00000000', pillText: '#663399' },
    })
    for (const tone of ['light', 'dark', 'accent'] as const)
      for (const colour of Object.values(paletteOf(theme, tone)))
        expect(colour).toMatch(/^#([0-9a-f]{6}|[0-9a-f]{8})$/i)
  })
})

describe('the space next to captions', () => {
  it('is as high in landscape as captions of that size leave it', async () => {
    const typefaces = await loadTypefaces({}, '', installedAssets)
    const theme = { captionsFontSize: 72, captionsVerticalPosition: 86 }
    const height = (width: number, high: number) =>
      slideContext(slide({ captioned: true }), { width, height: high }, theme, typefaces, {}).area.height
    // Captions of 72 are 108 pixels high in both: two lines and a distance take the same from each.
    const taken = (width: number, high: number) => Math.round(0.86 * high - 0.09 * high - height(width, high))
    expect(taken(1920, 1080)).toBe(taken(1080, 1080))
  })
})
