import { describe, expect, it } from 'vitest'
import { installedAssets } from '../../../containers/media/render/drawing-assets.ts'
import type { PresentationScene } from '../../../lib/domain/generation/scenes/presentation-scenes.ts'
import { tones } from '../../../lib/domain/generation/scenes/presentation-scenes.ts'
import { loadTypefaces } from '../../../lib/render/drawing/load-fonts.ts'
import { planRender } from '../../../lib/render/segments/render-plan.ts'
import { backgroundShots, overlayShots } from '../../../lib/render/slides/background-shots.ts'
import { countUpValues } from '../../../lib/render/slides/count-up.ts'
import { drawSlides } from '../../../lib/render/slides/draw.ts'
import { contrast, paletteOf } from '../../../lib/render/slides/palette.ts'
import { type Slide, slideEntrances } from '../../../lib/render/slides/slide.ts'
import { pagesOutsideSlides, slidesOf } from '../../../lib/render/slides/slides-from-scenes.ts'
import { placementAt } from '../../../lib/render/sprite.ts'
import { composition, page, shot } from '../compositions.ts'

function scene(startMs: number, endMs: number, changes: Partial<PresentationScene> = {}): PresentationScene {
  return {
    ...{ id: `psc_${startMs}`, startMs, endMs, text: 'Walk home', emphasis: '', template: 'heroTitle', tone: 'light' },
    ...{ caption: 'show', hidden: false, visual: { type: 'title', items: 0, anchors: [] } },
    ...{ content: {}, params: {}, direction: {}, composed: {} },
    ...changes,
  }
}
const around = { captions: [], bRolls: [], pictures: {}, durationMs: 10_000, captioned: true, hasOther: false }
const spans = (scenes: PresentationScene[], changes: Partial<Parameters<typeof slidesOf>[1]> = {}) =>
  slidesOf(scenes, { ...around, ...changes }).map(({ startMs, endMs }) => [startMs, endMs])

describe('the slides of a video', () => {
  it('leave no gap if there is nothing else to show', () => {
    expect(spans([scene(3000, 4000), scene(6000, 8000)])).toEqual([
      [0, 6000],
      [6000, 10_000],
    ])
  })
  it('let other pictures through, but not for a moment only', () => {
    expect(spans([scene(500, 3000), scene(3900, 5000)], { hasOther: true })).toEqual([
      [0, 3900],
      [3900, 5000],
    ])
  })
  it('are not made of hidden scenes, nor of those past the end', () => {
    expect(spans([scene(0, 3000), scene(3000, 6000, { hidden: true }), scene(11_000, 12_000)])).toEqual([[0, 10_000]])
  })
  it('end where the next one begins', () => {
    expect(spans([scene(0, 5000), scene(4000, 10_000)])).toEqual([
      [0, 4000],
      [4000, 10_000],
    ])
  })
  it('show the text of an editor instead of the generated one', () => {
    const [slide] = slidesOf(
      [scene(0, 3000, { content: { title: 'a', kicker: 'k' }, composed: { title: 'b' } })],
      around,
    )
    expect(slide!.content).toEqual({ title: 'b', kicker: 'k' })
  })
  it('show the named picture, otherwise the b-roll with the longest overlap', () => {
    const wish = scene(0, 10_000, { template: 'imageFull', content: { imageUrl: 'https://x.test/a.png' } })
    const bRoll = (id: string, startMs: number, endMs: number) => ({
      ...{ id, startMs, endMs, text: '', prompt: '', keywords: [], mediaType: 'ai_image' as const, hidden: false },
      media: { kind: 'still' as const, key: id },
    })
    const bRolls = [bRoll('one', 0, 2000), bRoll('two', 2000, 10_000)]
    const pictures = { 'https://x.test/a.png': { key: 'fetched', width: 10, height: 10 } }
    expect(slidesOf([wish], { ...around, bRolls, pictures })[0]!.picture).toEqual({ kind: 'still', key: 'fetched' })
    expect(slidesOf([wish], { ...around, bRolls })[0]!.picture).toEqual({ kind: 'still', key: 'two' })
    expect(slidesOf([wish], around)[0]!.picture).toBeUndefined()
    for (const imageUrl of ['constructor', '__proto__'])
      expect(slidesOf([{ ...wish, content: { imageUrl } }], around)[0]!.picture).toBeUndefined()
  })
  it('hide captions that they cover, including the end of a page from before', () => {
    const slides = slidesOf([scene(0, 1000), scene(1000, 2000, { caption: 'hide' }), scene(2000, 3000)], around)
    const pages = pagesOutsideSlides([page('one two three', 700), page('four five', 1650), page('six', 2100)], slides)
    expect(pages.map(({ startMs, endMs, words }) => [startMs, endMs, words.length])).toEqual([
      [700, 1000, 1],
      [2100, 2400, 1],
    ])
  })
})

describe('the backgrounds of slides', () => {
  it('cover other shots, which continue where they would have been', () => {
    const clip = { ...shot('clip', 0, 9000, 'clip'), offsetMs: 100 }
    const shots = overlayShots([clip], [shot('slide', 2000, 4000)])
    expect(shots.map(({ startMs, endMs, offsetMs }) => [startMs, endMs, offsetMs])).toEqual([
      [0, 2000, 100],
      [2000, 4000, undefined],
      [4000, 9000, 4100],
    ])
  })
  it.each(slideEntrances)('contain every frame once, for every entrance of the next slide: %s', async (enter) => {
    const slides = slidesOf([scene(0, 4000), scene(4000, 10_000, { direction: { enter } })], around)
    const film = { width: 270, height: 480 }
    const shots = backgroundShots(slides, film, {})
    expect(shots[0]!.endMs).toBe(shots[1]!.startMs)
    const drawn = drawSlides(
      composition({ durationMs: 10_000, shots, slides }),
      await loadTypefaces({}, 'Walk home', installedAssets),
    )
    const { segments, frames } = planRender(drawn)
    expect([segments[0]!.fromFrame, segments.at(-1)!.toFrame, frames]).toEqual([0, 300, 300])
    const covered = enter === 'slide' || enter === 'push' || enter === 'wipe'
    expect(segments.some(({ fade }) => fade !== undefined)).toBe(!covered)
  })
})

describe('the content of slides', () => {
  const listed = (changes: Partial<Slide> = {}): Slide => ({
    ...{ startMs: 0, endMs: 6000, template: 'bulletList', tone: 'light', text: '', emphasis: '', captioned: false },
    ...{
      content: { points: ['Water', 'Light', 'A plan'] },
      anchors: ['water', 'light', 'plan'],
      params: {},
      direction: {},
    },
    words: ['Take', 'water,', 'then', 'light', 'and', 'a', 'plan.'].map((text, i) => ({
      text,
      startMs: 300 + 600 * i,
    })),
    ...changes,
  })
  const spritesOf = async (...slides: Slide[]) => {
    const film = { width: 1080, height: 1920 }
    const durationMs = slides.at(-1)!.endMs
    const given = composition({ ...film, durationMs, shots: backgroundShots(slides, film, {}), slides })
    return drawSlides(given, await loadTypefaces({}, JSON.stringify(slides), installedAssets)).sprites!
  }
  const withText = (text: string) => (sprite: { picture: object }) =>
    'svg' in sprite.picture && String(sprite.picture.svg).includes(`>${text}<`)

  it('appears with its anchor words', async () => {
    const sprites = await spritesOf(listed())
    expect(['Water', 'Light', 'plan'].map((text) => sprites.find(withText(text))!.fromMs)).toEqual([750, 1950, 3750])
  })
  it('appears evenly spaced without anchors, early enough to be read', async () => {
    const sprites = await spritesOf(listed({ anchors: [], words: [] }))
    const times = ['Water', 'Light', 'plan'].map((text) => sprites.find(withText(text))!.fromMs)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(times.at(-1)).toBeLessThan(5000)
  })
  it('comes to rest on whole pixels, fully visible', async () => {
    for (const sprite of await spritesOf(listed())) {
      const { x, y, scale, opacity } = placementAt(sprite, 5900)
      expect([x % 1, y % 1, scale, opacity]).toEqual([0, 0, 1, 1])
    }
  })
  it('is gone when the next slide has arrived', async () => {
    const next = listed({ startMs: 6000, endMs: 9000, template: 'heroTitle', text: 'Done', content: {} })
    for (const enter of slideEntrances) {
      const sprites = await spritesOf(listed(), { ...next, direction: { enter } })
      expect(sprites.find(withText('Water'))!.toMs).toBeLessThanOrEqual(6500)
      expect(sprites.find(withText('Done'))!.toMs).toBe(9000)
    }
  })
  it('moves in and out with slides that push one another', async () => {
    const first = listed({ endMs: 3000 })
    const second = listed({ startMs: 3000, endMs: 6000, direction: { enter: 'push' }, words: [], anchors: [] })
    const third = listed({ startMs: 6000, endMs: 9000, direction: { enter: 'push' }, words: [], anchors: [] })
    const water = (await spritesOf(first, second, third)).filter(withText('Water'))[1]!
    const rest = placementAt(water, 5000).x
    expect(placementAt(water, 3000).x).toBe(rest + 1080)
    expect(placementAt(water, 3480).x).toBe(rest)
    expect(placementAt(water, 6480).x).toBe(rest - 1080)
  })
  it('shows one figure at a time while counting, also while its slide enters', async () => {
    const number = listed({ template: 'bigNumber', content: { value: '73%' }, anchors: [], startMs: 3000, endMs: 6000 })
    for (const enter of slideEntrances) {
      const sprites = await spritesOf(listed({ endMs: 3000 }), { ...number, direction: { enter } })
      const figures = sprites.filter(({ picture }) => 'svg' in picture && />\d+%</.test(picture.svg))
      for (let ms = 3000; ms < 6000; ms += 10)
        expect(figures.filter(({ fromMs, toMs }) => fromMs <= ms && ms < toMs).length, `${enter} ${ms}`).toBeLessThan(2)
    }
  })
  it('shows a figure at once that is spoken late, and its label with it', async () => {
    const words = [
      { text: 'a', startMs: 0 },
      { text: '52', startMs: 5000 },
    ]
    const number = listed({ template: 'bigNumber', content: { value: '52', label: 'Weeks' }, anchors: ['52'], words })
    const sprites = await spritesOf(number)
    for (const text of ['52', 'Weeks']) expect(sprites.find(withText(text))!.fromMs).toBeLessThan(1_500)
  })
  it('counts up to a figure as it is written', () => {
    expect(countUpValues('$3,500', 3)).toEqual(['$1,531', '$2,625', '$3,281'])
    expect(countUpValues('1.5 million', 2)).toEqual(['0.8 million', '1.3 million'])
    expect(countUpValues('no figure', 3)).toEqual([])
  })
})

describe('the colours of slides', () => {
  const texts = ({
    background: ground,
    card,
    ink,
    soft,
    accentText,
    pillText,
    accent,
  }: ReturnType<typeof paletteOf>) => [
    contrast(ink, ground),
    contrast(ink, card),
    contrast(soft, ground),
    contrast(accentText, ground),
    contrast(pillText, accent),
  ]
  it.each(tones)('are readable if the client has chosen none: %s', (tone) => {
    for (const ratio of texts(paletteOf({}, tone))) expect(ratio).toBeGreaterThanOrEqual(4.5)
  })
  it('are readable next to any colours of the client, as far as they are ours', () => {
    for (const presentationBackgroundColor of ['#000', '#777777', 'yellow', '#7a7aff', 'white']) {
      const { ink, soft, accentText, background } = paletteOf({ presentationBackgroundColor }, 'light')
      for (const ours of [ink, soft, accentText])
        expect(contrast(ours, background), presentationBackgroundColor).toBeGreaterThanOrEqual(4.5)
    }
  })
  it('are those of the client if chosen, readable or not', () => {
    const theme = {
      ...{ presentationInkColor: '#cccccc', presentationInkSoftColor: '#dddddd', presentationAccentColor: '#eeeeee' },
      ...{
        presentationBackgroundColor: '#ffffff',
        presentationPillTextColor: '#fafafa',
        presentationAccentColorB: '#abcdef',
      },
    }
    expect(paletteOf(theme, 'light')).toMatchObject({
      ...{ ink: '#cccccc', soft: '#dddddd', accent: '#eeeeee', accentText: '#eeeeee', background: '#ffffff' },
      ...{ pillText: '#fafafa', accentB: '#abcdef' },
    })
    expect(paletteOf(theme, 'dark')).toMatchObject({ background: '#cccccc', ink: '#ffffff' })
    expect(paletteOf(theme, 'accent')).toMatchObject({ background: '#eeeeee', accentText: '#abcdef' })
  })
})
