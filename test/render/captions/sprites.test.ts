/** The sprites of a caption page: which are drawn, when, where and how they move. */
import { describe, expect, it } from 'vitest'
import { rasterise } from '../../../containers/media/render/rasterise.ts'
import {
  captionsWordEffects as allWordEffects,
  captionsAnimations,
  type ThemeConfig,
} from '../../../lib/domain/records/theme.ts'
import { type Drawing, placementAt, planSprite } from '../../../lib/render/sprite.ts'
import { page } from '../compositions.ts'
import { type DrawnSprite, inkOf, isActive, letterSprites, spritesOf, staticTheme } from './caption-sprites.ts'

describe('the words of a page', () => {
  it('are each visible without interruption from the start of the page to its end', () => {
    for (const captionsAnimation of captionsAnimations.filter((animation) => animation !== 'typewriter')) {
      const letters = letterSprites(page('the first hour', 1000), { captionsAnimation })
      for (const word of ['THE', 'FIRST', 'HOUR']) {
        const phases = letters.filter(({ text }) => text === word).toSorted((a, b) => a.fromMs - b.fromMs)
        expect([phases[0]!.fromMs, phases.at(-1)!.toMs]).toEqual([1000, 1900])
        for (const [i, phase] of phases.slice(1).entries()) expect(phase.fromMs).toBe(phases[i]!.toMs)
      }
    }
  })
  it('are active in turn, above the others and in the primary colour', () => {
    const letters = letterSprites('the first hour')
    expect(letters.slice(-3).map(({ text, fromMs, toMs, fill }) => [text, fromMs, toMs, fill])).toEqual([
      ['THE', 0, 300, '#39e508'],
      ['FIRST', 300, 600, '#39e508'],
      ['HOUR', 600, 900, '#39e508'],
    ])
    expect(letters.slice(0, -3).map(({ fill }) => fill)).toEqual(Array(4).fill('#ffffff'))
  })
  it('never move while any word is spoken, for any stroke', () => {
    const theme: ThemeConfig = { captionsAnimation: 'none', captionsActiveWordStroke: 17 }
    const phases = Map.groupBy(letterSprites('jumping over four gypsies', theme), ({ text }) => text)
    expect(phases.size).toBe(4)
    for (const [first, ...others] of phases.values()) {
      const { left, right, top, bottom } = inkOf(first!)
      for (const other of others) {
        const [ink, at] = [inkOf(other), placementAt(other.sprite, other.fromMs)]
        for (const [value, before] of [
          [ink.left, left] as const,
          [ink.right, right],
          [ink.top, top],
          [ink.bottom, bottom],
        ])
          expect(Math.abs(value - before)).toBeLessThan(0.05)
        expect([at.x, at.y]).toEqual([first!.sprite.x[0]![1], first!.sprite.y[0]![1]])
      }
    }
  })
  it('are drawn at their measured positions, letters of one line on one baseline', () => {
    const letters = letterSprites('the quick boy', { ...staticTheme, layoutMode: 'single-line' })
    for (const shown of letters) {
      const { x, y, origin, outline, fontPx } = shown.word
      const { left, right, bottom } = inkOf(shown)
      expect(Math.abs(left - (x + origin.x + fontPx * outline.left))).toBeLessThan(0.05)
      expect(Math.abs(right - (x + origin.x + fontPx * outline.right))).toBeLessThan(0.05)
      expect(Math.abs(bottom - (y + origin.y + fontPx * outline.bottom))).toBeLessThan(0.05)
    }
    expect(new Set(letters.map(({ word }) => word.y + word.origin.y)).size).toBe(1)
  })
  it('rest on whole pixels, also of the chroma planes, as sharp as they were drawn', () => {
    for (const { sprite } of spritesOf('some words that rest', { captionsHighlightBackground: 'red' })) {
      const { x, y } = placementAt(sprite, sprite.toMs)
      for (const edge of [x - sprite.width / 2, y - sprite.height / 2]) expect(Math.abs(edge % 2)).toBe(0)
    }
  })
  it('enter with their page: they rise and appear', () => {
    const [resting] = letterSprites('a b', { captionsAnimation: 'fadeInSlideUp' }).filter(({ text }) => text === 'B')
    const [first, later, last] = [0, 100, 200].map((ms) => placementAt(resting!.sprite, ms))
    expect([first!.opacity, later!.opacity, last!.opacity]).toEqual([0, expect.closeTo(2 / 3), 1])
    expect([first!.y - last!.y, later!.y - last!.y]).toEqual([60, 30])
  })
  it('continue the entrance where the phase before left it', () => {
    for (const captionsAnimation of captionsAnimations.filter((animation) => animation !== 'typewriter')) {
      const letters = letterSprites(page('a b', 500, 100), { captionsAnimation, captionsWordEffects: '' })
      const [before, active] = letters.filter(({ text }) => text === 'B')
      for (const ms of [600, 630]) {
        const [left, goesOn] = [placementAt(before!.sprite, ms), placementAt(active!.sprite, ms)]
        expect(goesOn).toEqual({ ...left, scale: expect.closeTo(left.scale), y: expect.closeTo(left.y) })
      }
    }
  })
  it('grow while they are spoken, and shrink afterwards from their current size', () => {
    const theme: ThemeConfig = { captionsAnimation: 'none', captionsWordEffects: 'scaleWord' }
    const [after, active] = letterSprites('one two', theme).filter(({ text }) => text === 'ONE')
    expect([after!.fromMs, active!.fromMs]).toEqual([300, 0])
    expect(placementAt(active!.sprite, 0).scale).toBe(1)
    const peak = placementAt(active!.sprite, 300).scale
    expect(peak).toBeGreaterThan(1.05)
    expect(placementAt(after!.sprite, 300).scale).toBeCloseTo(peak)
    expect(placementAt(after!.sprite, 400).scale).toBe(1)
  })
  it('are one picture before and after they are spoken, which is prepared once', () => {
    const phases = letterSprites('a few words').filter(({ text }) => text === 'FEW')
    const [before, after] = phases.filter((phase) => !isActive(phase)).map(({ sprite }) => sprite)
    const looks = [before, after].map((sprite) => ({ ...sprite, ...sprite!.scales }))
    expect(looks[0]!.picture).toEqual(looks[1]!.picture)
    expect([looks[0]!.smallest, looks[0]!.largest]).toEqual([looks[1]!.smallest, looks[1]!.largest])
  })
  it('are shown one at a time in word mode', () => {
    const letters = letterSprites('one two', { ...staticTheme, layoutMode: 'word' })
    expect(letters.map(({ text, fromMs, toMs }) => [text, fromMs, toMs])).toEqual([
      ['ONE', 0, 300],
      ['TWO', 300, 600],
    ])
    expect(letters.map(({ word }) => Math.round(word.x))).toEqual([540, 540])
  })
  it('are visible from their first frame and opaque from their second in word mode', () => {
    for (const captionsAnimation of captionsAnimations) {
      for (const { sprite } of letterSprites('it works', { captionsAnimation, layoutMode: 'word' })) {
        expect(placementAt(sprite, sprite.fromMs).opacity).toBeGreaterThan(0.5)
        expect(placementAt(sprite, sprite.fromMs + 34).opacity).toBe(1)
        if (captionsAnimation !== 'typewriter')
          expect(placementAt(sprite, sprite.fromMs + 67).y).toBe(placementAt(sprite, sprite.toMs).y)
      }
    }
  })
  it('hold until the next word that is drawn in word mode', () => {
    const letters = letterSprites('one 🎉 two', { ...staticTheme, layoutMode: 'word' })
    expect(letters.map(({ text, fromMs, toMs }) => [text, fromMs, toMs])).toEqual([
      ['ONE', 0, 600],
      ['TWO', 600, 900],
    ])
  })
  it('leave no gap where one is shorter than a frame', () => {
    const words = [0, 6, 9, 400].map((startMs) => ({ punctuated_word: `w${startMs}`, startMs, endMs: startMs }))
    const letters = letterSprites({ startMs: 0, endMs: 600, words }, staticTheme)
    for (const { punctuated_word } of words) {
      const phases = letters
        .filter(({ text }) => text === punctuated_word.toUpperCase())
        .map(({ sprite }) => planSprite(sprite, (ms) => Math.round((ms * 30) / 1000)))
        .filter(({ fromFrame, toFrame }) => toFrame > fromFrame)
        .toSorted((a, b) => a.fromFrame - b.fromFrame)
      expect([phases[0]!.fromFrame, phases.at(-1)!.toFrame]).toEqual([0, 18])
      for (const [i, phase] of phases.slice(1).entries()) expect(phase.fromFrame).toBe(phases[i]!.toFrame)
    }
  })
  it('are paths, never text: a word cannot inject markup', () => {
    const theme: ThemeConfig = { ...staticTheme, captionsTextTransform: 'none', captionsShadowColor: 'black' }
    for (const captionsSecondaryColor of ['#ffffff', '#ffffff80']) {
      const all = spritesOf('"/></svg><text>x a&amp;b <!--]]>', { ...theme, captionsSecondaryColor })
      expect(all.length).toBeGreaterThan(3)
      for (const { svg } of all) {
        expect(svg).not.toMatch(/>[^<]+</)
        expect(
          svg.match(/<\w+/g)!.filter((tag) => !/^<(svg|g|path|rect|mask|filter|feGaussianBlur)$/.test(tag)),
        ).toEqual([])
        for (const [, path] of svg.matchAll(/ d="([^"]*)"/g)) expect(path).toMatch(/^[MLCZ\d. -]+$/)
      }
    }
  })
})

describe('the theme', () => {
  const one = (theme: ThemeConfig) => spritesOf('one two', { ...staticTheme, ...theme })
  it('draws every animation with every effect', () => {
    for (const captionsAnimation of captionsAnimations) {
      for (const captionsWordEffects of allWordEffects) {
        const letters = letterSprites('one two', { captionsAnimation, captionsWordEffects })
        for (const word of ['ONE', 'TWO']) {
          const spoken = letters.filter(({ word: { text, startMs }, fromMs }) => text === word && fromMs === startMs)
          expect(spoken.length, `${captionsAnimation} ${captionsWordEffects}`).toBeGreaterThanOrEqual(1)
        }
        expect(JSON.stringify(letters.map(({ sprite }) => sprite))).not.toMatch(/NaN|undefined|Infinity|null/)
      }
    }
  })
  it('gives the spoken word a box behind it where it has a background colour', () => {
    const all = one({ captionsHighlightBackground: '#ff000080' })
    const boxes = all.filter(({ kind }) => kind === 'box')
    expect(boxes.map(({ text, fromMs, toMs, fill }) => [text, fromMs, toMs, fill])).toEqual([
      ['ONE', 0, 300, '#ff000080'],
      ['TWO', 300, 600, '#ff000080'],
    ])
    expect(all.slice(0, 2)).toEqual(boxes)
    for (const { sprite, word } of boxes) {
      const { y } = placementAt(sprite, 0)
      // Capitals are 0.7 em high: the box extends equally above and below them.
      expect(Math.abs(y - (word.y + word.origin.y - 0.35 * word.fontPx))).toBeLessThanOrEqual(1)
      expect(sprite.width).toBeGreaterThan(word.width + 0.29 * word.fontPx)
    }
  })
  it('lets a box grow with its word', () => {
    const all = spritesOf('one two', { captionsHighlightBackground: 'red', captionsWordEffects: 'popWord' })
    const [box, letters] = [all.find(({ kind }) => kind === 'box')!, all.findLast(({ text }) => text === 'ONE')!]
    expect(box.sprite.scale).toEqual(letters.sprite.scale)
  })
  it('lets each state of a word be as translucent as its own colour, with no stroke under it', () => {
    const [resting, active] = one({ captionsSecondaryColor: '#ffffff80' }).filter(({ text }) => text === 'TWO')
    expect([resting!.fill, active!.fill]).toEqual(['#ffffff80', '#39e508'])
    expect(resting!.svg).toContain('mask="url(#around)"')
    expect(active!.svg).not.toContain('mask')
  })
  it('keeps the black outline of the defaults, and uses a chosen one', () => {
    const outline = (theme: ThemeConfig) => one(theme)[0]!.stroke
    expect(outline({ captionsStrokeColor: 'black', captionsSecondaryStrokeColor: '#ffffff' })).toBe('#000000')
    expect(outline({ captionsSecondaryStrokeColor: '#ff0000' })).toBe('#ff0000')
  })
  it('draws a stroke around the letters, not into them, and none of width 0', () => {
    const [resting] = one({ captionsTextStroke: 10 })
    // 10 of 720 pixels across, of which 0.55 lie outside; a stroke of SVG lies half inside, where the letters cover it.
    expect(resting!.strokeWidth).toBeCloseTo(2 * 10 * 1.5 * 0.55)
    expect(resting!.svg.indexOf('stroke="')).toBeLessThan(resting!.svg.indexOf('fill="#ffffff"'))
    expect(one({ captionsTextStroke: 0 })[0]!.stroke).toBeUndefined()
  })
  it('leaves no hole if a stroke is wider than its letter', async () => {
    const theme: ThemeConfig = { ...staticTheme, captionsFontSize: 40, captionsStrokeColor: '#0000ff80' }
    for (const captionsTextStroke of [10, 14, 18, 22, 26]) {
      const [shown] = spritesOf('8', { ...theme, captionsTextStroke }) as [DrawnSprite]
      const { left, right, top, bottom } = inkOf(shown)
      const { x, y } = placementAt(shown.sprite, 0)
      const { pixels, width, height } = await rasterise(shown.sprite.picture as Drawing, 1)
      const column = Math.floor((left + right) / 2 - x + width / 2)
      const rows = Array.from({ length: Math.floor(bottom - top) }, (_, row) => Math.floor(top - y + height / 2) + row)
      // As translucent as the stroke, neither twice as much nor as opaque as the letters.
      const opacities = rows.slice(1).map((row) => pixels[4 * (row * width + column) + 3]!)
      expect(Math.min(...opacities), `stroke ${captionsTextStroke}`).toBe(128)
    }
  })
  it('shows the keyword in the accent colours in every phase, and not if they are the defaults', () => {
    const golden = (theme: ThemeConfig) =>
      letterSprites('the golden hour', { ...staticTheme, ...theme }).filter(({ text }) => text === 'GOLDEN')
    const accented = golden({ captionsAccentColor: '#ffd700', captionsAccentStrokeColor: '#800000' })
    expect(accented.map(({ fill, stroke }) => [fill, stroke])).toEqual(Array(3).fill(['#ffd700', '#800000']))
    for (const { fill } of golden({ captionsAccentColor: '#0000FF' })) expect(fill).not.toBe('#0000ff')
  })
  it('shows the first word in its own colour until and after it is spoken, in word mode always', () => {
    const first = (theme: ThemeConfig) =>
      letterSprites('one two three', { ...staticTheme, captionsFirstWordColor: '#00ffff', ...theme })
        .filter(({ text }) => text === 'ONE')
        .toSorted((a, b) => a.fromMs - b.fromMs)
        .map(({ fill }) => fill === '#00ffff')
    expect(first({})).toEqual([false, true])
    expect(first({ layoutMode: 'word' })).toEqual([true])
  })
  it('casts a soft shadow under every phase of a word and under all letters, and none without a colour', () => {
    const all = one({ captionsShadowColor: '#20304080' })
    const shadows = all.filter(({ kind }) => kind === 'shadow')
    expect(shadows.map(({ text, fill }) => [text, fill])).toEqual(
      ['ONE', 'ONE', 'TWO', 'TWO'].map((text) => [text, '#203040']),
    )
    expect(all.slice(0, 4)).toEqual(shadows)
    for (const { svg, sprite, word } of shadows) {
      expect(svg).toMatch(/<feGaussianBlur stdDeviation="[\d.]+"\/>/)
      expect(svg).toContain('opacity="0.5"')
      expect(placementAt(sprite, 0).y).toBeGreaterThan(word.y + 4)
    }
    expect(one({}).some(({ kind }) => kind === 'shadow')).toBe(false)
  })
  it('spaces letters in every effect and phase', () => {
    for (const captionsWordEffects of allWordEffects) {
      const widths = (captionsLetterSpacing: number) =>
        spritesOf('one two', { captionsWordEffects, captionsLetterSpacing, captionsShadowColor: 'black' })
          .filter(({ kind }) => kind !== 'box')
          .map((shown) => inkOf(shown).right - inkOf(shown).left)
      const [apart, close] = [widths(0), widths(-10)]
      // Between three letters, 10 of 720 pixels across each.
      for (const [i, width] of apart.entries()) expect(Math.abs(width - close[i]! - 2 * 15)).toBeLessThan(0.05)
    }
  })
})
