import { createRequire } from 'node:module'
import { Resvg } from '@resvg/resvg-js'
import { describe, expect, it } from 'vitest'
import { installedAssets } from '../../../containers/media/render/drawing-assets.ts'
import { templates as names, type Template } from '../../../lib/domain/generation/scenes/presentation-scenes.ts'
import { frameSizes } from '../../../lib/domain/records/brief.ts'
import { loadTypefaces } from '../../../lib/render/drawing/load-fonts.ts'
import type { Box, Slide } from '../../../lib/render/slides/slide.ts'
import { type SlideElement, slideContext, type Typefaces } from '../../../lib/render/slides/slide-context.ts'
import { templateRenderers } from '../../../lib/render/slides/templates.ts'
import { typeset } from '../../../lib/render/slides/typeset.ts'
import { volume } from '../../support/fuzz/volume.ts'

const { resolve } = createRequire(import.meta.url)

function slide(template: Template, changes: Partial<Slide> = {}): Slide {
  const text = 'Calm mornings begin the night before'
  return {
    ...{ startMs: 1000, endMs: 6000, template, tone: 'light', text, emphasis: 'night', content: {}, anchors: [] },
    ...{ params: {}, direction: {}, captioned: false, words: [] },
    ...changes,
  }
}

const draw = (drawn: Slide, film: { width: number; height: number }, typefaces: Typefaces, brand = {}) =>
  templateRenderers[drawn.template](
    slideContext(drawn, film, { captionsFontSize: 38, captionsVerticalPosition: 86 }, typefaces, brand),
  )

/** The drawn area, in pixels of the video. */
function ink({ markup, box }: SlideElement, { display, text }: Typefaces): Box | undefined {
  const around = { x: box.x - 400, y: box.y - 400, width: box.width + 800, height: box.height + 800 }
  const view = `width="${around.width}" height="${around.height}" viewBox="${around.x} ${around.y} ${around.width} ${around.height}"`
  const fontFiles = [...display.files, ...text.files].map(({ file }) => resolve(file))
  const font = { loadSystemFonts: false, fontFiles }
  const found = new Resvg(`<svg xmlns="http://www.w3.org/2000/svg" ${view}>${markup}</svg>`, { font }).getBBox()
  return found && { x: found.x, y: found.y, width: found.width, height: found.height }
}

const overlap = (a: Box, b: Box) =>
  Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x) > 1 &&
  Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y) > 1

const long = 'Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstelle'
const sentence = `${'The quick brown fox jumps over the lazy dog and then rests in the shade of an old tree. '.repeat(4)}`
const list = (count: number, item: unknown) => ({
  steps: Array(count).fill(item),
  points: Array(count).fill(item),
  events: Array(count).fill(item),
})
const both = (text: string) => ({
  title: text,
  quote: text,
  author: text,
  value: text,
  label: text,
  left: text,
  right: text,
  caption: text,
  line: text,
  button: text,
  kicker: text,
  subtitle: text,
})

const cases: [name: string, changes: Partial<Slide>][] = [
  ['little', {}],
  ['no text at all', { text: '', emphasis: '' }],
  ['words that no line can hold', { text: long, content: { ...both(long), ...list(4, long) } }],
  [
    'far too much text',
    { text: sentence, content: { ...both(sentence), ...list(8, { title: sentence, detail: sentence }) } },
  ],
  ['one item', { content: list(1, 'Light') }],
  [
    'eight items with details',
    { content: { title: 'All of it', ...list(8, { title: 'Step outside', detail: 'Ten minutes are enough' }) } },
  ],
  [
    'nonsense from a client',
    { content: { title: 7, steps: [null, 3, {}, { title: { a: 1 } }], value: -1, left: [], points: 'none' } },
  ],
  ['Arabic', { text: 'ابدأ صباحك بهدوء وابتسم', content: list(3, 'خطوة أولى') }],
  ['Chinese', { text: '早晨的第一个小时属于你，不要浪费在手机上。', content: list(5, '走到外面去') }],
]

const ratios = Object.keys(frameSizes) as (keyof typeof frameSizes)[]

describe.each(ratios)('in %s', (ratio) => {
  const film = frameSizes[ratio]
  // Each case in every other frame, and each frame with every other case.
  const tried = cases.filter((_case, place) => (place + ratios.indexOf(ratio)) % volume(2, 1) === 0)
  it.each(tried)(
    'nothing leaves the frame or covers other text: %s',
    async (_, changes) => {
      const typefaces = await loadTypefaces({}, JSON.stringify(changes), installedAssets)
      for (const template of names) {
        for (const captioned of [false, true]) {
          for (const layout of captioned ? ['center'] : ['left', 'lowerThird']) {
            const elements = draw(slide(template, { ...changes, captioned, params: { layout } }), film, typefaces)
            const texts: Box[] = []
            for (const element of elements) {
              const drawn = ink(element, typefaces)
              if (!drawn || element.untilMs !== undefined) continue
              const place = `${template} ${layout} ${captioned} ${element.markup.slice(0, 300)}`
              expect(Math.min(drawn.x, drawn.y), place).toBeGreaterThanOrEqual(-1)
              expect(drawn.x + drawn.width, place).toBeLessThanOrEqual(film.width + 1)
              expect(drawn.y + drawn.height, place).toBeLessThanOrEqual(film.height + 1)
              const inside = {
                x: element.box.x - 2,
                y: element.box.y - 2,
                width: element.box.width + 4,
                height: element.box.height + 4,
              }
              expect(drawn.x >= inside.x && drawn.y >= inside.y, place).toBe(true)
              expect(drawn.x + drawn.width <= inside.x + inside.width, place).toBe(true)
              expect(drawn.y + drawn.height <= inside.y + inside.height, place).toBe(true)
              if (!element.markup.includes('<text')) continue
              for (const other of texts) expect(overlap(drawn, other), place).toBe(false)
              texts.push(drawn)
              // Captions of one or two lines stand at 86 % of the height.
              if (captioned) expect(drawn.y + drawn.height, place).toBeLessThan(0.86 * film.height)
            }
          }
        }
      }
    },
    60_000,
  )
})

it('a text of characters that no face has, which have no width, is still laid out', async () => {
  const { display: typeface } = await loadTypefaces({}, '', installedAssets)
  const style = { typeface, sizeMax: 100, sizeMin: 30, lineHeight: 1.1, tracking: 0, linesMax: 6 }
  const { lines } = typeset('\u{20000}'.repeat(20_000), '', style, { width: 900, height: 1500 })
  expect(lines.length).toBeLessThanOrEqual(6)
})

it('lines are balanced: no word is alone without need', async () => {
  const { display: typeface } = await loadTypefaces({}, '', installedAssets)
  const style = { typeface, sizeMax: 100, sizeMin: 100, lineHeight: 1.1, tracking: 0, linesMax: 9 }
  const { lines, isWhole } = typeset('We are what we repeatedly do', 'repeatedly', style, { width: 720, height: 900 })
  expect(lines.map(({ words }) => words.map(({ text }) => text).join(' '))).toEqual([
    'We are',
    'what we',
    'repeatedly do',
  ])
  expect(lines[2]!.words.map(({ emphasised }) => emphasised)).toEqual([true, false])
  expect(isWhole).toBe(true)
})
