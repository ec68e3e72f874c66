import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { captionsWordEffects as allWordEffects, captionsAnimations, type ThemeConfig } from '../../lib/domain/theme.ts'
import { placeWords } from '../../lib/render/caption-layout.ts'
import { captionStyle } from '../../lib/render/caption-style.ts'
import { writeSubtitles } from '../../lib/render/subtitles.ts'
import { facesOf, page } from './support.ts'

const size = { width: 1080, height: 1920 }
const still: ThemeConfig = { captionsAnimation: 'none', captionsWordEffects: '' }

/** Events of a script: layer, times in ms, tags and visible text. */
function events(pages: ReturnType<typeof page>[], theme: ThemeConfig = {}, bt601 = false) {
  const script = writeSubtitles({ ...size, pages, theme }, facesOf(theme), { bt601 })
  const ms = (time: string) =>
    time.split(/[:.]/).reduce((sum, part, i) => sum + Number(part) * [3_600_000, 60_000, 1000, 10][i]!, 0)
  return [...script.matchAll(/^Dialogue: (\d),([^,]+),([^,]+),Cap,,0,0,0,,\{([^}]*)\}(.*)$/gm)].map(
    ([, layer, start, end, tags, text]) => ({
      layer: Number(layer),
      fromMs: ms(start!),
      toMs: ms(end!),
      tags: tags!,
      text: text!,
    }),
  )
}
const place = (text: string, theme: ThemeConfig = {}) =>
  placeWords(page(text), captionStyle(theme, size, false), facesOf(theme))

describe('the words of a page', () => {
  it('are each on screen in one piece from the start of the page to its end', () => {
    for (const captionsAnimation of captionsAnimations.filter((animation) => animation !== 'typewriter')) {
      const drawn = events([page('the first hour', 1000)], { captionsAnimation })
      for (const word of ['THE', 'FIRST', 'HOUR']) {
        const phases = drawn.filter(({ text }) => text === word)
        expect(phases[0]!.fromMs).toBe(1000)
        expect(phases.at(-1)!.toMs).toBe(1900)
        for (const [i, phase] of phases.slice(1).entries()) expect(phase.fromMs).toBe(phases[i]!.toMs)
      }
    }
  })
  it('are active one after the other, above the others and in the primary colour', () => {
    const active = events([page('the first hour')]).filter(({ layer }) => layer === 3)
    expect(active.map(({ text, fromMs, toMs }) => [text, fromMs, toMs])).toEqual([
      ['THE', 0, 300],
      ['FIRST', 300, 600],
      ['HOUR', 600, 900],
    ])
    expect(active.every(({ tags }) => tags.includes('\\1c&H08E539&'))).toBe(true)
  })
  it('never move while another word is spoken', () => {
    const anchors = new Map<string, Set<string>>()
    for (const { text, tags } of events([page('the first hour of')], { captionsAnimation: 'none' })) {
      const anchor = /\\pos\(([^)]*)\)/.exec(tags)![1]!
      anchors.set(text, (anchors.get(text) ?? new Set()).add(anchor))
    }
    expect([...anchors.values()].map((places) => places.size)).toEqual([1, 1, 1, 1])
  })
  it('go on with the entrance where the phase before left it', () => {
    const [before, active] = events([page('a b', 0, 100)]).filter(({ text }) => text === 'B')
    expect(before!.tags).toMatch(/\\move\(.*,0,200\)\\alpha&HFF&\\t\(0,150,\\alpha&H00&\)/)
    expect(active!.tags).toMatch(/\\move\(.*,0,100\).*\\alpha&H55&\\t\(0,50,\\alpha&H00&\)/)
  })
  it('are shown alone in word mode', () => {
    const drawn = events([page('one two')], { ...still, layoutMode: 'word' })
    expect(drawn.map(({ text, fromMs, toMs }) => [text, fromMs, toMs])).toEqual([
      ['ONE', 0, 300],
      ['TWO', 300, 600],
    ])
    expect(new Set(place('one two', { layoutMode: 'word' }).map(({ x }) => Math.round(x)))).toEqual(new Set([540]))
  })
  it('are typed letter by letter by the typewriter, and not seen before', () => {
    const drawn = events([page('ab cd')], { ...still, captionsAnimation: 'typewriter' })
    expect(drawn.map(({ text }) => text)).toEqual(['A{\\alpha&HFF&}B', 'AB', 'AB', 'C{\\alpha&HFF&}D', 'CD'])
  })
  it('are typed several letters at a time where they are so long that a line for each would fill gigabytes', () => {
    const theme = { ...still, captionsAnimation: 'typewriter' as const }
    const drawn = events([page('x'.repeat(10_000))], theme)
    expect(drawn.length).toBeLessThanOrEqual(65)
    expect(drawn[0]!.text).toBe(`${'X'.repeat(157)}{\\alpha&HFF&}${'X'.repeat(9_843)}`)
    expect(drawn.at(-1)!.text).toBe('X'.repeat(10_000))
  })
})

describe('the text', () => {
  it('is changed to the case of the theme', () => {
    const shown = (captionsTextTransform: NonNullable<ThemeConfig['captionsTextTransform']>) =>
      place('“hello straße', { captionsTextTransform }).map(({ text }) => text)
    expect(shown('uppercase')).toEqual(['“HELLO', 'STRASSE'])
    expect(shown('capitalize')).toEqual(['“Hello', 'Straße'])
    expect(shown('none')).toEqual(['“hello', 'straße'])
  })
  it('cannot give orders to libass', () => {
    const hostile = events([page('{\\pos(0,0)}x a\\Nb')], { ...still, captionsTextTransform: 'none' })
    const texts = writeSubtitles({ ...size, pages: [page('{\\fs1}x a\\Nb')], theme: still }, facesOf(), {
      bt601: false,
    })
    expect(texts).not.toMatch(/[^\\]\{\\fs1/)
    expect(texts).not.toContain('\\N')
    expect(hostile.length).toBeGreaterThan(0)
  })
  it('has no line breaks that would end an event', () => {
    const script = writeSubtitles({ ...size, pages: [page('a\nb\rc')], theme: still }, facesOf(), { bt601: false })
    expect(script.trim().split('\n').at(-1)).toMatch(/^Dialogue: .*A B C$/)
  })
  it('takes characters the font lacks from the next font, and leaves out those none has', () => {
    const [plain, tick, decomposed, ...rest] = place('day ✓日 cafe\u0301 日本', { captionsFontFamily: 'Anton' })
    expect([plain!.face.name, tick!.face.name]).toEqual(['Anton', 'Inter Black'])
    expect([tick!.text, decomposed!.text]).toEqual(['✓', 'CAFÉ'])
    expect(rest).toEqual([])
  })
})

describe('the layout', () => {
  const words = fc.array(
    fc.string({ unit: fc.constantFrom('a', 'm', 'W', 'é', '1', '.'), minLength: 1, maxLength: 28 }),
    { minLength: 1, maxLength: 8 },
  )
  it('keeps every word inside the film, even while it bounces', () => {
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
  it('never lets words of a line overlap', () => {
    fc.assert(
      fc.property(words, (texts) => {
        const placed = place(texts.join(' '))
        for (const [i, word] of placed.slice(1).entries()) {
          const previous = placed[i]!
          if (Math.abs(previous.y - word.y) < 1)
            expect(word.x - word.width / 2).toBeGreaterThan(previous.x + previous.width / 2)
        }
      }),
    )
  })
  it('shrinks a page until its longest word fits, and no other page', () => {
    const [long, short] = [place('incomprehensibilities')[0]!, place('fits')[0]!]
    expect(long.width).toBeLessThanOrEqual(0.86 * 1080)
    expect(long.fontPx).toBeLessThan(short.fontPx)
    expect(short.fontPx).toBe(108)
  })
  it('wraps into lines that are even, not into a full line and a last word', () => {
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
})

describe('the theme', () => {
  const fill = (theme: ThemeConfig) => events([page('one two')], { ...still, ...theme })
  it('draws every animation with every effect', () => {
    for (const captionsAnimation of captionsAnimations) {
      for (const captionsWordEffects of allWordEffects) {
        const drawn = events([page('one two')], { captionsAnimation, captionsWordEffects })
        expect(drawn.filter(({ layer }) => layer === 3).length).toBeGreaterThanOrEqual(2)
        for (const { tags } of drawn) expect(tags).not.toMatch(/NaN|undefined|Infinity/)
      }
    }
  })
  it('gives the spoken word a box behind it where it has a background colour', () => {
    const boxes = fill({ captionsHighlightBackground: '#ff000080' }).filter(({ layer }) => layer === 1)
    expect(boxes).toHaveLength(2)
    expect(boxes[0]!.tags).toContain('\\1c&H0000FF&')
    expect(boxes[0]!.tags).toContain('\\1a&H7F&')
  })
  it('colours the words that were spoken in karaoke', () => {
    const after = fill({ captionsWordEffects: 'karaokeWord' }).filter(
      ({ layer, text, fromMs }) => layer === 2 && text === 'ONE' && fromMs > 0,
    )
    expect(after.map(({ tags }) => tags)).toEqual([expect.stringContaining('\\1c&H08E539&')])
  })
  it('lets each state of a word be as translucent as its own colour', () => {
    const [resting, active] = fill({ captionsSecondaryColor: '#ffffff80' }).filter(({ text }) => text === 'TWO')
    expect(resting!.tags).toContain('\\1a&H7F&')
    expect(active!.tags).not.toContain('\\1a')
    expect(
      writeSubtitles({ ...size, pages: [], theme: { captionsSecondaryColor: '#ffffff80' } }, facesOf(), {
        bt601: false,
      }),
    ).toContain(',&H00FFFFFF,')
  })
  it('compensates colours only where ffmpeg needs it', () => {
    const colourOf = (bt601: boolean) => /\\1c&H(\w+)&/.exec(events([page('one')], still, bt601)[0]!.tags)![1]
    expect([colourOf(false), colourOf(true)]).toEqual(['08E539', '10FF46'])
  })
  it('keeps the black outline of the defaults, and takes one that was chosen', () => {
    const outline = (theme: ThemeConfig) =>
      /^Style: (?:[^,]*,){5}&H00(\w+)/m.exec(
        writeSubtitles({ ...size, pages: [], theme }, facesOf(), { bt601: false }),
      )![1]
    expect(outline({ captionsStrokeColor: 'black', captionsSecondaryStrokeColor: '#ffffff' })).toBe('000000')
    expect(outline({ captionsSecondaryStrokeColor: '#ff0000' })).toBe('0000FF')
  })
  it('shows the keyword in the accent colours whatever happens to it, and nothing where they are the defaults', () => {
    const accented = { captionsAccentColor: '#ffd700', captionsAccentStrokeColor: '#800000' }
    const golden = (theme: ThemeConfig) =>
      events([page('the golden hour')], { ...still, ...theme }).filter(({ text }) => text === 'GOLDEN')
    expect(golden(accented)).toHaveLength(3)
    for (const { tags } of golden(accented)) {
      expect(tags).toContain('\\1c&H00D7FF&')
      expect(tags).toContain('\\3c&H000080&')
    }
    for (const { tags } of golden({ captionsAccentColor: '#0000FF' })) expect(tags).not.toContain('FF0000&')
  })
  it('shows the first word in its own colour until and after it is spoken, in word mode always', () => {
    const theme: ThemeConfig = { ...still, captionsFirstWordColor: '#00ffff' }
    const first = (changes: ThemeConfig) =>
      events([page('one two three')], { ...theme, ...changes })
        .filter(({ text }) => text === 'ONE')
        .map(({ tags }) => tags.includes('\\1c&HFFFF00&'))
    expect(first({})).toEqual([false, true])
    expect(first({ layoutMode: 'word' })).toEqual([true])
  })
  it('casts a soft shadow under every phase of a word, and none without a colour', () => {
    const shadows = fill({ captionsShadowColor: '#000000' }).filter(({ layer }) => layer === 0)
    expect(shadows.map(({ text }) => text)).toEqual(['ONE', 'ONE', 'TWO', 'TWO'])
    for (const { tags } of shadows) expect(tags).toMatch(/\\yshad[\d.]+\\blur[\d.]+.*\\4a&H00&/)
    expect(fill({}).some(({ tags }) => tags.includes('shad'))).toBe(false)
  })
  it('spaces letters in every effect and phase', () => {
    for (const captionsWordEffects of allWordEffects) {
      const drawn = events([page('one two')], { captionsWordEffects, captionsLetterSpacing: -10 })
      for (const { tags, layer } of drawn) if (layer > 1) expect(tags).toContain('\\fsp-15')
    }
  })
  it('leaves no gap where a word is shorter than the clock of the script', () => {
    const words = [0, 6, 9, 400].map((startMs) => ({ punctuated_word: `w${startMs}`, startMs, endMs: startMs }))
    const drawn = events([{ startMs: 0, endMs: 600, words }], still)
    for (const { punctuated_word } of words) {
      const phases = drawn.filter(({ text }) => text === punctuated_word.toUpperCase())
      expect([phases[0]!.fromMs, phases.at(-1)!.toMs]).toEqual([0, 600])
      for (const [i, phase] of phases.slice(1).entries()) expect(phase.fromMs).toBe(phases[i]!.toMs)
    }
  })
  it('lets karaoke run the way a word is read', () => {
    const clips = (text: string) =>
      [
        ...writeSubtitles(
          { ...size, pages: [page(text)], theme: { captionsWordEffects: 'karaokeWord' } },
          facesOf({}, text),
          {
            bt601: false,
          },
        ).matchAll(/\\clip\((-?\d+),0,(-?\d+),1920\)\\t\(0,300,\\clip\((-?\d+),0,(-?\d+),1920\)/g),
      ].map((match) => match.slice(1).map(Number))
    const [[latinFrom, latinTo, left, right]] = clips('hello') as [[number, number, number, number]]
    expect([latinFrom, latinTo]).toEqual([left, left])
    expect(right).toBeGreaterThan(left)
    const [[hebrewFrom, hebrewTo, , hebrewRight]] = clips('שלום') as [[number, number, number, number]]
    expect([hebrewFrom, hebrewTo]).toEqual([hebrewRight, hebrewRight])
  })
})
