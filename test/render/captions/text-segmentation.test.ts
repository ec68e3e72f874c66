import { describe, expect, it } from 'vitest'
import type { ThemeConfig } from '../../../lib/domain/records/theme.ts'
import { placeWords } from '../../../lib/render/captions/layout.ts'
import { captionStyle } from '../../../lib/render/captions/style.ts'
import { piecesOf } from '../../../lib/render/captions/text-segmentation.ts'
import { facesOf, page } from '../compositions.ts'

const size = { width: 1080, height: 1920 }
const style = (theme: ThemeConfig = {}) => captionStyle(theme, size)
const pieces = (text: string) => piecesOf(page(text), style(), facesOf({}, text))
const place = (text: string, theme: ThemeConfig = {}) => placeWords(page(text), style(theme), facesOf(theme, text))
/** The words of the one line, from left to right. */
const fromTheLeft = (text: string) =>
  place(text, { layoutMode: 'single-line', captionsTextTransform: 'none' })
    .toSorted((a, b) => a.x - b.x)
    .map((word) => word.text)

describe('scripts without spaces', () => {
  it('are split between words, never before a closing mark nor after an opening one', () => {
    expect(pieces('今天我们去「北京」。').map(({ text }) => text)).toEqual(['今天', '我们', '去', '「北京」。'])
    expect(pieces('สวัสดีชาวโลก').length).toBeGreaterThan(1)
  })
  it('wrap within a word', () => {
    const placed = place('今天我们一起去北京看长城')
    expect(new Set(placed.map(({ y }) => y)).size).toBe(2)
    expect(placed.map(({ text }) => text).join('')).toBe('今天我们一起去北京看长城')
  })
  it('give each part its share of the time, without gaps', () => {
    const parts = pieces('今天我们去北京')
    expect([parts[0]!.startMs, parts.at(-1)!.endMs]).toEqual([0, 300])
    for (const [i, part] of parts.slice(1).entries()) expect(part.startMs).toBe(parts[i]!.endMs)
    expect(parts[1]!.startMs).toBe(Math.round((300 * 2) / 7))
  })
  it('are shown in parts if a word is too long for one glance', () => {
    const placed = place('清晨的第一个小时决定了你一整天的状态，所以请不要浪费它，起床以后先喝一杯水。')
    const screens = [...Map.groupBy(placed, ({ screen }) => screen.startMs)]
    expect(screens).toHaveLength(2)
    expect(screens[0]![1].at(-1)!.text).toBe('状态，')
    expect(placed[0]!.screen).toEqual({ startMs: 0, endMs: screens[1]![0] })
    expect(placed.at(-1)!.screen.endMs).toBe(300)
    for (const { screen, startMs, endMs } of placed) {
      expect(startMs).toBeGreaterThanOrEqual(screen.startMs)
      expect(endMs).toBeLessThanOrEqual(screen.endMs)
    }
  })
  it('have no space between words, while other scripts do', () => {
    expect(pieces('今天 我们').map(({ isJoined }) => isJoined)).toEqual([false, true])
    expect(pieces('오늘은 서울').map(({ isJoined }) => isJoined)).toEqual([false, false])
  })
})

describe('pages that run from right to left', () => {
  it('start on the right', () => {
    expect(fromTheLeft('שלום לכולם היום')).toEqual(['היום', 'לכולם', 'שלום'])
  })
  it('keep the order of words that run from left to right, with the numbers that follow them', () => {
    expect(fromTheLeft('اشتر iPhone 15 الآن')).toEqual(['الآن', 'iPhone', '15', 'اشتر'])
    expect(fromTheLeft('see שלום עולם now')).toEqual(['see', 'עולם', 'שלום', 'now'])
  })
})

describe('scripts with contextual letter forms', () => {
  it('are drawn as outlines, in which letters join', () => {
    const [word] = pieces('क्ष')
    const [letters] = [pieces('क')[0]!.advance + pieces('ष')[0]!.advance]
    expect(word!.outline!.commands.length).toBeGreaterThan(5)
    expect(word!.advance).toBeLessThan(0.95 * letters)
  })
  it('have their punctuation in reading order: an exclamation mark on the left of Arabic', () => {
    const left = (text: string) => pieces(text)[0]!.outline!.commands.filter(([, x]) => Number(x) < 0.25)
    expect(left('مرحبا!').length).toBeGreaterThan(left('مرحبا').length / 2)
    expect(pieces('مرحبا!')[0]!.advance).toBeGreaterThan(pieces('مرحبا')[0]!.advance)
  })
})

describe('capitals', () => {
  it('have no accents in Greek', () => {
    expect(pieces('Καλημέρα')[0]!.text).toBe('ΚΑΛΗΜΕΡΑ')
    expect(pieces('café')[0]!.text).toBe('CAFÉ')
  })
})

describe('the keyword of a page', () => {
  const keyword = (text: string) => place(text).flatMap((word) => (word.isKeyword ? [word.text] : []))
  it('is the longest content word', () => {
    expect(keyword('the golden hour')).toEqual(['GOLDEN'])
    expect(keyword('because of you, friend!')).toEqual(['FRIEND!'])
    expect(keyword('यह क्षत्रिय है')).toEqual(['क्षत्रिय'])
  })
  it('is missing if a page has one word, or no content word', () => {
    expect(keyword('gold')).toEqual([])
    expect(keyword('it is the')).toEqual([])
  })
})

describe('unreadably long words', () => {
  it('keep as many letters as can be read, and cost no more', () => {
    expect(pieces('x'.repeat(100_000))[0]!.text).toHaveLength(200)
    expect(
      pieces(`一${'二三四五六七八九十'.repeat(40)}`)
        .map(({ text }) => text)
        .join(''),
    ).toHaveLength(361)
  })
  it('do not crash on characters with hundreds of combining marks', () => {
    for (const word of [`क${'ी'.repeat(300)}`, `क${'्क'.repeat(300)}`, `ก${'่'.repeat(300)}`, `ש${'ָ'.repeat(300)}`]) {
      expect(place(word)[0]!.width).toBeGreaterThan(0)
    }
  })
})
