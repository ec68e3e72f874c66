/** The positions of the words of a caption page, and their text. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ThemeConfig } from '../../../lib/domain/records/theme.ts'
import { placeWords } from '../../../lib/render/captions/layout.ts'
import { captionStyle } from '../../../lib/render/captions/style.ts'
import { presentationDefaults } from '../../../lib/render/slides/slides-from-scenes.ts'
import { facesOf, page } from '../compositions.ts'

const size = { width: 1080, height: 1920 }
const place = (text: string, theme: ThemeConfig = {}) =>
  placeWords(page(text), captionStyle(theme, size), facesOf(theme))

describe('the text', () => {
  it('is in the case of the theme', () => {
    const shown = (captionsTextTransform: NonNullable<ThemeConfig['captionsTextTransform']>) =>
      place('“hello straße', { captionsTextTransform }).map(({ text }) => text)
    expect(shown('uppercase')).toEqual(['“HELLO', 'STRASSE'])
    expect(shown('capitalize')).toEqual(['“Hello', 'Straße'])
    expect(shown('none')).toEqual(['“hello', 'straße'])
  })
  it('has no line breaks within a word', () => {
    expect(place('a\nb\rc').map(({ text }) => text)).toEqual(['A B C'])
  })
  it('uses the next font for characters that a font lacks, and omits those that no font has', () => {
    const theme: ThemeConfig = { captionsFontFamily: 'Anton' }
    const faces = facesOf(theme)
    const placed = placeWords(page('day ✓日 cafe\u0301 日本'), captionStyle(theme, size), faces)
    expect(placed.map(({ text, face }) => [text, faces.indexOf(face)])).toEqual([
      ['DAY', 0],
      ['✓', 1],
      ['CAFÉ', 0],
    ])
    for (const { outline } of placed) expect(outline.commands).not.toEqual([])
  })
})

describe('the layout', () => {
  const words = fc.array(
    fc.string({ unit: fc.constantFrom('a', 'm', 'W', 'é', '1', '.'), minLength: 1, maxLength: 28 }),
    { minLength: 1, maxLength: 8 },
  )
  it('keeps every word inside the frame, even during a bounce', () => {
    fc.assert(
      fc.property(
        words,
        fc.constantFrom('wrap', 'single-line', 'word'),
        fc.integer({ min: 0, max: 100 }),
        (texts, layoutMode, position) => {
          for (const { x, y, width, fontPx } of place(texts.join(' '), {
            layoutMode,
            captionsVerticalPosition: position,
          })) {
            expect(x - (1.16 * width) / 2).toBeGreaterThan(0)
            expect(x + (1.16 * width) / 2).toBeLessThan(1080)
            expect(y - fontPx / 2).toBeGreaterThan(0)
            expect(y + fontPx / 2).toBeLessThan(1920)
          }
        },
      ),
    )
  })
  it('keeps words clear of the controls of apps: x 80 to 920, y 250 to 1480 of an upright frame', () => {
    fc.assert(
      fc.property(words, fc.constantFrom('wrap', 'single-line', 'word'), (texts, layoutMode) => {
        for (const { x, y, width, fontPx } of place(texts.join(' '), { layoutMode })) {
          expect(x - width / 2).toBeGreaterThanOrEqual(80)
          expect(x + width / 2).toBeLessThanOrEqual(920)
          expect(y - fontPx / 2).toBeGreaterThan(250)
          expect(y + fontPx / 2).toBeLessThan(1480)
        }
      }),
    )
  })
  it('is in the middle of the frame where the controls of apps leave space', () => {
    expect(place('fits')[0]!.x).toBeCloseTo(540)
    expect(place('incomprehensibilities')[0]!.x).toBeCloseTo(500)
  })
  it('keeps the vertical position that a client chose', () => {
    expect(place('fits', { captionsVerticalPosition: 90 })[0]!.y).toBeCloseTo(0.9 * 1920, -1)
    expect(place('fits', { captionsVerticalPosition: 5 })[0]!.y).toBeLessThan(250)
  })
  it('is low over slides, and above the texts of apps in an upright frame', () => {
    const theme = { ...presentationDefaults }
    const [upright] = place('fits', theme)
    expect(upright!.y).toBeGreaterThan(1400)
    expect(upright!.y + upright!.fontPx / 2).toBeLessThan(1480)
    const wide = placeWords(page('fits'), captionStyle(theme, { width: 1920, height: 1080 }), facesOf({}))
    expect(wide[0]!.y).toBeCloseTo(0.865 * 1080, -1)
  })
  it('draws one word smaller that is too long, at the size of its page the others', () => {
    const [visit, long] = place('visit incomprehensibilities')
    expect(visit!.fontPx).toBe(108)
    expect(long!.fontPx).toBeLessThan(100)
  })
  it('breaks an address that is too long for a line at its dots, and keeps the size of its page', () => {
    const placed = place('visit www.example-shop.com, now')
    expect(placed.map(({ text }) => text)).toEqual(['VISIT', 'WWW.', 'EXAMPLE-SHOP.', 'COM,', 'NOW'])
    expect(placed[0]!.fontPx).toBeGreaterThan(85)
    expect(place('see a.co').map(({ text }) => text)).toEqual(['SEE', 'A.CO'])
  })
  it('never lets words of a line overlap', () => {
    fc.assert(
      fc.property(words, (texts) => {
        const placed = place(texts.join(' '))
        for (const [i, word] of placed.slice(1).entries()) {
          const previous = placed[i]!
          // Lines of two screens may have one height.
          if (previous.screen === word.screen && Math.abs(previous.y - word.y) < 1)
            // Parts of one word touch.
            expect(word.x - word.width / 2).toBeGreaterThan(previous.x + previous.width / 2 - 0.01)
        }
      }),
      { examples: [[['aaaaaaaaa', 'aaa.aaaaaaaa', 'aaaaaaWaa']]] },
    )
  })
  it('shrinks a page until its longest word fits, and no other page', () => {
    const [long, short] = [place('incomprehensibilities')[0]!, place('fits')[0]!]
    expect(long.width).toBeLessThanOrEqual(0.86 * 1080)
    expect(long.fontPx).toBeLessThan(short.fontPx)
    expect(short.fontPx).toBe(108)
  })
  it('wraps into even lines, not into a full line and a last word', () => {
    const lines = Map.groupBy(place('then they write down'), ({ y }) => y)
    expect([...lines.values()].map((line) => line.map(({ text }) => text).join(' '))).toEqual([
      'THEN THEY',
      'WRITE DOWN',
    ])
  })
  it('stays on one line in single-line mode', () => {
    expect(new Set(place('then they write down one goal', { layoutMode: 'single-line' }).map(({ y }) => y)).size).toBe(
      1,
    )
  })
  it('places the letters of a word at their advances, centred in its width', () => {
    const [word] = place('wow', { captionsLetterSpacing: 20, captionsTextTransform: 'none' })
    const { face, fontPx, origin, outline, x, width } = word!
    const [w, o] = ['w', 'o'].map((letter) => ({
      ...face.letter(letter.codePointAt(0)!),
      advance: face.advance(letter.codePointAt(0)!)!,
    }))
    const begins = x - width / 2
    expect(x + origin.x).toBeCloseTo(begins)
    expect(width).toBeCloseTo(fontPx * (2 * w!.advance + o!.advance) + 2 * 30)
    expect(x + origin.x + fontPx * outline.left).toBeCloseTo(begins + fontPx * w!.left)
    expect(x + origin.x + fontPx * outline.right).toBeCloseTo(begins + width - fontPx * (w!.advance - w!.right))
  })
})
