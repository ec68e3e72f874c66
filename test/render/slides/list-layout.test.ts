/** Right-to-left lists are mirrored: marks before the words, the first card on the right. */
import { describe, expect, it } from 'vitest'
import { installedAssets } from '../../../containers/media/render/drawing-assets.ts'
import { loadTypefaces } from '../../../lib/render/drawing/load-fonts.ts'
import { type Cell, layoutList } from '../../../lib/render/slides/list-layout.ts'
import { slideContext } from '../../../lib/render/slides/slide-context.ts'
import { flowSteps } from '../../../lib/render/slides/templates/lists.ts'
import { slide } from '../../../scripts/pictures/slide-frames.ts'

const film = { width: 1920, height: 1080 }
const wide = { lead: 10, leadAbove: true, gap: 3, padding: 2, sizeMax: 8, columns: 3 }
const tall = { ...wide, leadAbove: false, columns: 1 }

async function cellsOf(titles: string[], shape: typeof wide): Promise<Cell[]> {
  const drawn = slide('bulletList', 0, 5_000, {})
  const stage = slideContext(drawn, film, {}, await loadTypefaces({}, titles.join(' '), installedAssets), {})
  const items = titles.map((title) => ({ title, detail: '' }))
  return layoutList(stage, items, shape).cells
}
async function numbersOf(content: Record<string, unknown>): Promise<string[]> {
  const drawn = slide('flowSteps', 0, 5_000, { content: { steps: english, ...content } })
  const stage = slideContext(drawn, film, {}, await loadTypefaces({}, english.join(' '), installedAssets), {})
  return flowSteps(stage).flatMap(({ markup }) => [...markup.matchAll(/>(\d+)</g)].map(([, digits]) => digits!))
}
const english = ['one', 'two', 'three']
const hebrew = ['אחת', 'שתיים', 'שלוש']
const arabic = ['أولا', 'ثانيا', 'ثالثا']

describe('a list', () => {
  it('of steps continues the numbering of the slide before', async () => {
    expect(await numbersOf({})).toEqual(['1', '2', '3'])
    expect(await numbersOf({ from: 4 })).toEqual(['4', '5', '6'])
    expect(await numbersOf({ from: 'x' })).toEqual(['1', '2', '3'])
  })

  it('has its marks at the start of its lines', async () => {
    for (const { mark, text } of await cellsOf(english, tall)) expect(mark.x + mark.radius).toBeLessThan(text.x)
    for (const titles of [hebrew, arabic]) {
      for (const { mark, text, box } of await cellsOf(titles, tall)) {
        expect(mark.x - mark.radius).toBeGreaterThan(text.x + text.width)
        expect(mark.x + mark.radius).toBeLessThan(box.x + box.width)
      }
    }
  })

  it('has its cards in reading order, with equal space', async () => {
    const [fromLeft, fromRight] = [await cellsOf(english, wide), await cellsOf(hebrew, wide)]
    const places = (cells: Cell[]) => cells.map(({ box }) => box.x)
    expect(places(fromLeft)).toEqual(places(fromLeft).toSorted((a, b) => a - b))
    expect(places(fromRight)).toEqual(places(fromLeft).toReversed())
  })
})
