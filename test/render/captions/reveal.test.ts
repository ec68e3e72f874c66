/** Words that appear gradually: typed letter by letter, or filled by karaoke. */
import { describe, expect, it } from 'vitest'
import type { ThemeConfig } from '../../../lib/domain/records/theme.ts'
import type { CompositionPage } from '../../../lib/render/composition.ts'
import { page } from '../compositions.ts'
import { type DrawnSprite, inkOf, isActive, letterSprites, seenAt, spritesOf, staticTheme } from './caption-sprites.ts'

describe('the typewriter', () => {
  const typewriter: ThemeConfig = { ...staticTheme, captionsAnimation: 'typewriter' }
  const timesOf = ({ fromMs, toMs }: DrawnSprite) => [fromMs, toMs]
  /** The steps in which the first word of a page is typed, in their order. */
  const stepsOf = (text: string | CompositionPage, theme: ThemeConfig = {}) =>
    letterSprites(text, { ...typewriter, ...theme })
      .filter(({ word, fromMs }) => word.startMs === 0 && fromMs < word.endMs)
      .toSorted((one, other) => one.fromMs - other.fromMs)

  it.each([0, 40])(
    'shows words letter by letter, each in its final position, with %i between letters',
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
      expect(whole).toEqual(inkOf(letterSprites('will dim', { ...staticTheme, captionsLetterSpacing }).find(isActive)!))
      for (const [step, ink] of inks.entries()) {
        expect(ink.left).toBeCloseTo(whole.left)
        if (step > 0) expect(ink.right).toBeGreaterThan(inks[step - 1]!.right + 5)
      }
    },
  )
  it('shows no word before it is spoken, and all of it afterwards', () => {
    const letters = letterSprites('will dim', typewriter)
    expect(Math.min(...letters.flatMap(({ text, fromMs }) => (text === 'DIM' ? fromMs : [])))).toBe(300)
    expect(letters.filter(({ fromMs }) => fromMs === 300).map(({ text }) => text)).toEqual(['WILL', 'DIM'])
  })
  it('types a fast word within its duration, and shows nothing for less than a frame', () => {
    const halves = [
      [0, 50],
      [50, 100],
    ]
    expect(stepsOf(page('gold', 0, 100)).map(timesOf)).toEqual(halves)
    expect(stepsOf(page('gold', 0, 20)).map(timesOf)).toEqual([[0, 20]])
  })
  it('starts on the right for right-to-left scripts', () => {
    const inks = stepsOf('שלום').map(inkOf)
    expect(inks).toHaveLength(4)
    for (const ink of inks) expect(ink.right).toBeCloseTo(inks[0]!.right)
    expect(inks.map(({ left }) => left)).toEqual(inks.map(({ left }) => left).toSorted((a, b) => b - a))
  })
  it('types a shadow with its word, without a colour fill', () => {
    const all = spritesOf('gold', { ...typewriter, captionsShadowColor: 'black', captionsWordEffects: 'karaokeWord' })
    const [shadows, letters] = (['shadow', 'letters'] as const).map((kind) => all.filter((one) => one.kind === kind))
    expect(letters!.map(timesOf)).toEqual(shadows!.map(timesOf))
    expect(letters!.filter(({ sprite }) => sprite.reveal)).toEqual([])
  })
  it('types a word in a few steps if it has so many letters that each would take seconds to draw', () => {
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
  const karaoke: ThemeConfig = { ...staticTheme, captionsWordEffects: 'karaokeWord' }
  const sungOf = (text: string, theme: ThemeConfig = {}) =>
    letterSprites(text, { ...karaoke, ...theme }).filter(isActive) as [DrawnSprite, DrawnSprite]
  it('fills a word in reading direction', () => {
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
  it.each(['hello', 'שלום'])('cuts both colours of %s at one position, for any stroke width', (text) => {
    const [before, active] = sungOf(text, { captionsActiveWordStroke: 33 })
    for (const ms of [0, 80, 150, 270, 300]) {
      const [unsung, sung] = [seenAt(before, ms), seenAt(active, ms)]
      if (text === 'hello') expect(unsung.from).toBeCloseTo(sung.to)
      else expect(unsung.to).toBeCloseTo(sung.from)
    }
  })
  it('fills a number from left to right among right-to-left words', () => {
    const theme: ThemeConfig = { ...karaoke, layoutMode: 'single-line' }
    const number = letterSprites('שלום 2024', theme).filter((one) => isActive(one) && one.text === '2024')
    const sung = number.find(({ fill }) => fill === '#39e508')!
    expect(seenAt(sung, 300).to).toBeLessThan(seenAt(sung, 590).to)
    expect(sung.sprite.reveal!.from).toHaveLength(1)
  })
  it('keeps its colour on the words that were spoken', () => {
    const after = letterSprites('one two', karaoke).filter(({ text, fromMs }) => text === 'ONE' && fromMs > 0)
    expect(after.map(({ fill }) => fill)).toEqual(['#39e508'])
  })
})
