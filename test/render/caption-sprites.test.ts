/** What of a caption page is drawn, when, where and how it moves. */
import { describe, expect, it } from 'vitest'
import { rasterise } from '../../containers/render/drawings.ts'
import { captionsWordEffects as allWordEffects, captionsAnimations, type ThemeConfig } from '../../lib/domain/theme.ts'
import { type PlacedWord, placeWords } from '../../lib/render/caption-layout.ts'
import { captionSprites } from '../../lib/render/caption-sprites.ts'
import { captionStyle } from '../../lib/render/caption-style.ts'
import type { CompositionPage } from '../../lib/render/composition.ts'
import { type Drawing, placementAt, plannedSprite, type Sprite } from '../../lib/render/sprite.ts'
import { facesOf, page } from './support.ts'

const size = { width: 1080, height: 1920 }
const still: ThemeConfig = { captionsAnimation: 'none', captionsWordEffects: '' }

/** A sprite of a page, and what can be read from it. */
interface Drawn {
  sprite: Sprite
  svg: string
  /** What it shows, and of which word. */
  kind: 'shadow' | 'box' | 'letters'
  word: PlacedWord
  text: string
  fromMs: number
  toMs: number
  fill: string
  stroke?: string
  strokeWidth?: number
}

const wordsOf = (shown: CompositionPage, theme: ThemeConfig) =>
  placeWords(shown, captionStyle(theme, size), facesOf(theme, textOf(shown)))
const textOf = ({ words }: CompositionPage) => words.map(({ punctuated_word }) => punctuated_word).join(' ')

/** The sprites of a page in drawing order. */
function drawn(text: string | CompositionPage, theme: ThemeConfig = {}): Drawn[] {
  const shown = typeof text === 'string' ? page(text) : text
  const words = wordsOf(shown, theme)
  return captionSprites(shown, { ...size, theme }, facesOf(theme, textOf(shown))).map((sprite): Drawn => {
    const { fromMs, toMs, picture } = sprite
    const svg = picture.kind === 'drawing' ? picture.svg : ''
    const at = placementAt(sprite, toMs)
    const distance = (word: PlacedWord) => Math.abs(word.x - at.x) + Math.abs(word.y - at.y)
    const word = words
      .filter(({ screen }) => screen.startMs <= fromMs && toMs <= screen.endMs)
      .reduce((best, other) => (distance(other) < distance(best) ? other : best))
    const line = / stroke="(#\w+)" stroke-width="([\d.]+)"/.exec(svg)
    return {
      ...{ sprite, svg, word, text: word.text, fromMs, toMs },
      kind: svg.includes('<filter') ? 'shadow' : svg.includes('<path') ? 'letters' : 'box',
      fill: svg
        .match(/ fill="(#\w+)"/g)!
        .at(-1)!
        .slice(7, -1),
      ...(line && { stroke: line[1]!, strokeWidth: Number(line[2]) }),
    }
  })
}
const lettersOf = (text: string | CompositionPage, theme: ThemeConfig = {}) =>
  drawn(text, theme).filter(({ kind }) => kind === 'letters')
const isActive = ({ word, fromMs, toMs }: Drawn) => fromMs === word.startMs && toMs === word.endMs

/** Where the ink of a sprite is at rest, without its stroke: pixels of the film. */
function inkOf({ sprite, svg }: Drawn): { left: number; right: number; top: number; bottom: number } {
  const [dx, dy] = /translate\((\S+) (\S+)\)/.exec(svg)!.slice(1).map(Number) as [number, number]
  const numbers = / d="([^"]*)"/
    .exec(svg)![1]!
    .match(/-?[\d.]+/g)!
    .map(Number)
  const at = placementAt(sprite, Number.MAX_SAFE_INTEGER)
  const xs = numbers.filter((_, i) => i % 2 === 0).map((x) => at.x - sprite.width / 2 + dx + x)
  const ys = numbers.filter((_, i) => i % 2 === 1).map((y) => at.y - sprite.height / 2 + dy + y)
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }
}

/** Between which columns of the film a sprite is seen at a moment. */
function seenAt({ sprite }: Drawn, ms: number): { from: number; to: number } {
  const { x, from, to } = placementAt(sprite, ms)
  return { from: x + (from - 0.5) * sprite.width, to: x + (to - 0.5) * sprite.width }
}

describe('the words of a page', () => {
  it('are each on screen in one piece from the start of the page to its end', () => {
    for (const captionsAnimation of captionsAnimations.filter((animation) => animation !== 'typewriter')) {
      const letters = lettersOf(page('the first hour', 1000), { captionsAnimation })
      for (const word of ['THE', 'FIRST', 'HOUR']) {
        const phases = letters.filter(({ text }) => text === word).toSorted((a, b) => a.fromMs - b.fromMs)
        expect([phases[0]!.fromMs, phases.at(-1)!.toMs]).toEqual([1000, 1900])
        for (const [i, phase] of phases.slice(1).entries()) expect(phase.fromMs).toBe(phases[i]!.toMs)
      }
    }
  })
  it('are active one after the other, above the others and in the primary colour', () => {
    const letters = lettersOf('the first hour')
    expect(letters.slice(-3).map(({ text, fromMs, toMs, fill }) => [text, fromMs, toMs, fill])).toEqual([
      ['THE', 0, 300, '#39e508'],
      ['FIRST', 300, 600, '#39e508'],
      ['HOUR', 600, 900, '#39e508'],
    ])
    expect(letters.slice(0, -3).map(({ fill }) => fill)).toEqual(Array(4).fill('#ffffff'))
  })
  it('never move while another word is spoken, nor when they are, whatever their strokes', () => {
    const theme: ThemeConfig = { captionsAnimation: 'none', captionsActiveWordStroke: 17 }
    const phases = Map.groupBy(lettersOf('jumping over four gypsies', theme), ({ text }) => text)
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
  it('are drawn where they were measured, letters of one line on one line', () => {
    const letters = lettersOf('the quick boy', { ...still, layoutMode: 'single-line' })
    for (const shown of letters) {
      const { x, y, origin, outline, fontPx } = shown.word
      const { left, right, bottom } = inkOf(shown)
      expect(Math.abs(left - (x + origin.x + fontPx * outline.left))).toBeLessThan(0.05)
      expect(Math.abs(right - (x + origin.x + fontPx * outline.right))).toBeLessThan(0.05)
      expect(Math.abs(bottom - (y + origin.y + fontPx * outline.bottom))).toBeLessThan(0.05)
    }
    expect(new Set(letters.map(({ word }) => word.y + word.origin.y)).size).toBe(1)
  })
  it('rest on whole pixels, of colours too, as sharp as they were drawn', () => {
    for (const { sprite } of drawn('some words that rest', { captionsHighlightBackground: 'red' })) {
      const { x, y } = placementAt(sprite, sprite.toMs)
      for (const edge of [x - sprite.width / 2, y - sprite.height / 2]) expect(Math.abs(edge % 2)).toBe(0)
    }
  })
  it('enter with their page: they rise and appear', () => {
    const [resting] = lettersOf('a b', { captionsAnimation: 'fadeInSlideUp' }).filter(({ text }) => text === 'B')
    const [first, later, last] = [0, 100, 200].map((ms) => placementAt(resting!.sprite, ms))
    expect([first!.opacity, later!.opacity, last!.opacity]).toEqual([0, expect.closeTo(2 / 3), 1])
    expect([first!.y - last!.y, later!.y - last!.y]).toEqual([60, 30])
  })
  it('go on with the entrance where the phase before left it', () => {
    for (const captionsAnimation of captionsAnimations.filter((animation) => animation !== 'typewriter')) {
      const letters = lettersOf(page('a b', 500, 100), { captionsAnimation, captionsWordEffects: '' })
      const [before, active] = letters.filter(({ text }) => text === 'B')
      for (const ms of [600, 630]) {
        const [left, goesOn] = [placementAt(before!.sprite, ms), placementAt(active!.sprite, ms)]
        expect(goesOn).toEqual({ ...left, scale: expect.closeTo(left.scale), y: expect.closeTo(left.y) })
      }
    }
  })
  it('grow while they are spoken, and settle afterwards from where they are', () => {
    const theme: ThemeConfig = { captionsAnimation: 'none', captionsWordEffects: 'scaleWord' }
    const [after, active] = lettersOf('one two', theme).filter(({ text }) => text === 'ONE')
    expect([after!.fromMs, active!.fromMs]).toEqual([300, 0])
    expect(placementAt(active!.sprite, 0).scale).toBe(1)
    const peak = placementAt(active!.sprite, 300).scale
    expect(peak).toBeGreaterThan(1.05)
    expect(placementAt(after!.sprite, 300).scale).toBeCloseTo(peak)
    expect(placementAt(after!.sprite, 400).scale).toBe(1)
  })
  it('are one picture before and after they are spoken, which is made ready once', () => {
    const phases = lettersOf('a few words').filter(({ text }) => text === 'FEW')
    const [before, after] = phases.filter((phase) => !isActive(phase)).map(({ sprite }) => sprite)
    const looks = [before, after].map((sprite) => ({ ...sprite, ...sprite!.scales }))
    expect(looks[0]!.picture).toEqual(looks[1]!.picture)
    expect([looks[0]!.smallest, looks[0]!.largest]).toEqual([looks[1]!.smallest, looks[1]!.largest])
  })
  it('are shown alone in word mode', () => {
    const letters = lettersOf('one two', { ...still, layoutMode: 'word' })
    expect(letters.map(({ text, fromMs, toMs }) => [text, fromMs, toMs])).toEqual([
      ['ONE', 0, 300],
      ['TWO', 300, 600],
    ])
    expect(letters.map(({ word }) => Math.round(word.x))).toEqual([540, 540])
  })
  it('leave no gap where one is shorter than a frame', () => {
    const words = [0, 6, 9, 400].map((startMs) => ({ punctuated_word: `w${startMs}`, startMs, endMs: startMs }))
    const letters = lettersOf({ startMs: 0, endMs: 600, words }, still)
    for (const { punctuated_word } of words) {
      const phases = letters
        .filter(({ text }) => text === punctuated_word.toUpperCase())
        .map(({ sprite }) => plannedSprite(sprite, (ms) => Math.round((ms * 30) / 1000)))
        .filter(({ fromFrame, toFrame }) => toFrame > fromFrame)
        .toSorted((a, b) => a.fromFrame - b.fromFrame)
      expect([phases[0]!.fromFrame, phases.at(-1)!.toFrame]).toEqual([0, 18])
      for (const [i, phase] of phases.slice(1).entries()) expect(phase.fromFrame).toBe(phases[i]!.toFrame)
    }
  })
  it('are paths, never text: no word can say anything to the drawing', () => {
    const theme: ThemeConfig = { ...still, captionsTextTransform: 'none', captionsShadowColor: 'black' }
    for (const captionsSecondaryColor of ['#ffffff', '#ffffff80']) {
      const all = drawn('"/></svg><text>x a&amp;b <!--]]>', { ...theme, captionsSecondaryColor })
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

describe('the typewriter', () => {
  const typewriter: ThemeConfig = { ...still, captionsAnimation: 'typewriter' }
  const timesOf = ({ fromMs, toMs }: Drawn) => [fromMs, toMs]
  /** The steps in which the first word of a page is typed, in their order. */
  const stepsOf = (text: string | CompositionPage, theme: ThemeConfig = {}) =>
    lettersOf(text, { ...typewriter, ...theme })
      .filter(({ word, fromMs }) => word.startMs === 0 && fromMs < word.endMs)
      .toSorted((one, other) => one.fromMs - other.fromMs)

  it.each([0, 40])(
    'shows words letter by letter, each at its place, with %i between letters',
    (captionsLetterSpacing) => {
      const steps = stepsOf('will dim', { captionsLetterSpacing })
      expect(steps.map(timesOf)).toEqual([
        [0, 35],
        [35, 70],
        [70, 105],
        [105, 300],
      ])
      const inks = steps.map(inkOf)
      const whole = inks.at(-1)!
      expect(whole).toEqual(inkOf(lettersOf('will dim', { ...still, captionsLetterSpacing }).find(isActive)!))
      for (const [step, ink] of inks.entries()) {
        expect(ink.left).toBeCloseTo(whole.left)
        if (step > 0) expect(ink.right).toBeGreaterThan(inks[step - 1]!.right + 5)
      }
    },
  )
  it('shows no word before it is spoken, and all of it afterwards', () => {
    const letters = lettersOf('will dim', typewriter)
    expect(Math.min(...letters.flatMap(({ text, fromMs }) => (text === 'DIM' ? fromMs : [])))).toBe(300)
    expect(letters.filter(({ fromMs }) => fromMs === 300).map(({ text }) => text)).toEqual(['WILL', 'DIM'])
  })
  it('types a word that is spoken faster in its time, and shows nothing for less than a frame', () => {
    const halves = [
      [0, 50],
      [50, 100],
    ]
    expect(stepsOf(page('gold', 0, 100)).map(timesOf)).toEqual(halves)
    expect(stepsOf(page('gold', 0, 20)).map(timesOf)).toEqual([[0, 20]])
  })
  it('begins on the right where that is read first', () => {
    const inks = stepsOf('שלום').map(inkOf)
    expect(inks).toHaveLength(4)
    for (const ink of inks) expect(ink.right).toBeCloseTo(inks[0]!.right)
    expect(inks.map(({ left }) => left)).toEqual(inks.map(({ left }) => left).toSorted((a, b) => b - a))
  })
  it('types a shadow with its word, and no colour runs through it', () => {
    const all = drawn('gold', { ...typewriter, captionsShadowColor: 'black', captionsWordEffects: 'karaokeWord' })
    const [shadows, letters] = (['shadow', 'letters'] as const).map((kind) => all.filter((one) => one.kind === kind))
    expect(letters!.map(timesOf)).toEqual(shadows!.map(timesOf))
    expect(letters!.filter(({ sprite }) => sprite.reveal)).toEqual([])
  })
  it('types a word in a few steps where its letters are so many that each would take seconds to draw', () => {
    for (const [text, steps] of [
      ['x'.repeat(64), 64],
      ['x'.repeat(65), 8],
      ['x'.repeat(2000), 8],
      ['ש'.repeat(300), 8],
    ] as const) {
      expect(stepsOf(page(text, 0, 3000))).toHaveLength(steps)
    }
  })
})

describe('karaoke', () => {
  const karaoke: ThemeConfig = { ...still, captionsWordEffects: 'karaokeWord' }
  const sungOf = (text: string, theme: ThemeConfig = {}) =>
    lettersOf(text, { ...karaoke, ...theme }).filter(isActive) as [Drawn, Drawn]
  it('runs through a word the way it is read', () => {
    const [before, active] = sungOf('hello')
    expect([before.fill, active.fill]).toEqual(['#ffffff', '#39e508'])
    const [left, right] = [inkOf(active).left, inkOf(active).right]
    expect(seenAt(active, 0).to).toBeLessThanOrEqual(left)
    expect(seenAt(active, 150).to).toBeCloseTo(active.word.x, 0)
    expect(seenAt(active, 300).to).toBeGreaterThanOrEqual(right)
    const [, hebrew] = sungOf('שלום')
    expect(seenAt(hebrew, 0).from).toBeGreaterThanOrEqual(inkOf(hebrew).right)
    expect(seenAt(hebrew, 300).from).toBeLessThanOrEqual(inkOf(hebrew).left)
  })
  it.each(['hello', 'שלום'])('cuts both colours of %s at one place, however thick their strokes', (text) => {
    const [before, active] = sungOf(text, { captionsActiveWordStroke: 33 })
    for (const ms of [0, 80, 150, 270, 300]) {
      const [unsung, sung] = [seenAt(before, ms), seenAt(active, ms)]
      if (text === 'hello') expect(unsung.from).toBeCloseTo(sung.to)
      else expect(unsung.to).toBeCloseTo(sung.from)
    }
  })
  it('runs from left to right through a number among words that run the other way', () => {
    const theme: ThemeConfig = { ...karaoke, layoutMode: 'single-line' }
    const number = lettersOf('שלום 2024', theme).filter((one) => isActive(one) && one.text === '2024')
    const sung = number.find(({ fill }) => fill === '#39e508')!
    expect(seenAt(sung, 300).to).toBeLessThan(seenAt(sung, 590).to)
    expect(sung.sprite.reveal!.from).toHaveLength(1)
  })
  it('leaves its colour on the words that were spoken', () => {
    const after = lettersOf('one two', karaoke).filter(({ text, fromMs }) => text === 'ONE' && fromMs > 0)
    expect(after.map(({ fill }) => fill)).toEqual(['#39e508'])
  })
})

describe('the theme', () => {
  const one = (theme: ThemeConfig) => drawn('one two', { ...still, ...theme })
  it('draws every animation with every effect', () => {
    for (const captionsAnimation of captionsAnimations) {
      for (const captionsWordEffects of allWordEffects) {
        const letters = lettersOf('one two', { captionsAnimation, captionsWordEffects })
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
      // Capitals are 0.7 em high: as much of the box is over them as under them.
      expect(Math.abs(y - (word.y + word.origin.y - 0.35 * word.fontPx))).toBeLessThanOrEqual(1)
      expect(sprite.width).toBeGreaterThan(word.width + 0.29 * word.fontPx)
    }
  })
  it('lets a box grow with its word', () => {
    const all = drawn('one two', { captionsHighlightBackground: 'red', captionsWordEffects: 'popWord' })
    const [box, letters] = [all.find(({ kind }) => kind === 'box')!, all.findLast(({ text }) => text === 'ONE')!]
    expect(box.sprite.scale).toEqual(letters.sprite.scale)
  })
  it('lets each state of a word be as translucent as its own colour, with no stroke under it', () => {
    const [resting, active] = one({ captionsSecondaryColor: '#ffffff80' }).filter(({ text }) => text === 'TWO')
    expect([resting!.fill, active!.fill]).toEqual(['#ffffff80', '#39e508'])
    expect(resting!.svg).toContain('mask="url(#around)"')
    expect(active!.svg).not.toContain('mask')
  })
  it('keeps the black outline of the defaults, and takes one that was chosen', () => {
    const outline = (theme: ThemeConfig) => one(theme)[0]!.stroke
    expect(outline({ captionsStrokeColor: 'black', captionsSecondaryStrokeColor: '#ffffff' })).toBe('#000000')
    expect(outline({ captionsSecondaryStrokeColor: '#ff0000' })).toBe('#ff0000')
  })
  it('draws a stroke around the letters, not into them, and none of no width', () => {
    const [resting] = one({ captionsTextStroke: 10 })
    // 10 of 720 pixels across, of which 0.55 lie outside; a stroke of SVG lies half inside, where the letters cover it.
    expect(resting!.strokeWidth).toBeCloseTo(2 * 10 * 1.5 * 0.55)
    expect(resting!.svg.indexOf('stroke="')).toBeLessThan(resting!.svg.indexOf('fill="#ffffff"'))
    expect(one({ captionsTextStroke: 0 })[0]!.stroke).toBeUndefined()
  })
  it('leaves no hole where a stroke is wider than what it runs around', async () => {
    const theme: ThemeConfig = { ...still, captionsFontSize: 40, captionsStrokeColor: '#0000ff80' }
    for (const captionsTextStroke of [10, 14, 18, 22, 26]) {
      const [shown] = drawn('8', { ...theme, captionsTextStroke }) as [Drawn]
      const { left, right, top, bottom } = inkOf(shown)
      const { x, y } = placementAt(shown.sprite, 0)
      const { pixels, width, height } = await rasterise(shown.sprite.picture as Drawing, 1)
      const column = Math.floor((left + right) / 2 - x + width / 2)
      const rows = Array.from({ length: Math.floor(bottom - top) }, (_, row) => Math.floor(top - y + height / 2) + row)
      // As translucent as the stroke, not twice that, or as opaque as the letters.
      const opacities = rows.slice(1).map((row) => pixels[4 * (row * width + column) + 3]!)
      expect(Math.min(...opacities), `stroke ${captionsTextStroke}`).toBe(128)
    }
  })
  it('shows the keyword in the accent colours whatever happens to it, and nothing where they are the defaults', () => {
    const golden = (theme: ThemeConfig) =>
      lettersOf('the golden hour', { ...still, ...theme }).filter(({ text }) => text === 'GOLDEN')
    const accented = golden({ captionsAccentColor: '#ffd700', captionsAccentStrokeColor: '#800000' })
    expect(accented.map(({ fill, stroke }) => [fill, stroke])).toEqual(Array(3).fill(['#ffd700', '#800000']))
    for (const { fill } of golden({ captionsAccentColor: '#0000FF' })) expect(fill).not.toBe('#0000ff')
  })
  it('shows the first word in its own colour until and after it is spoken, in word mode always', () => {
    const first = (theme: ThemeConfig) =>
      lettersOf('one two three', { ...still, captionsFirstWordColor: '#00ffff', ...theme })
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
        drawn('one two', { captionsWordEffects, captionsLetterSpacing, captionsShadowColor: 'black' })
          .filter(({ kind }) => kind !== 'box')
          .map((shown) => inkOf(shown).right - inkOf(shown).left)
      const [apart, close] = [widths(0), widths(-10)]
      // Between three letters, 10 of 720 pixels across each.
      for (const [i, width] of apart.entries()) expect(Math.abs(width - close[i]! - 2 * 15)).toBeLessThan(0.05)
    }
  })
})
