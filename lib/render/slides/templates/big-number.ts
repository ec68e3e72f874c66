/** One figure, as large as it can be, counted up to when it is spoken. */
import { field } from '../content.ts'
import { figureParts } from '../count-up.ts'
import {
  appearances,
  type Block,
  type Element,
  heightOf,
  leftOf,
  placeOf,
  type Stage,
  stacked,
} from '../slide-context.ts'
import { gradient, rect } from '../svg.ts'
import { lineElement, set, textBlock } from '../text.ts'

const countSteps = 12
const stepMs = 50

export function bigNumber(stage: Stage): Element[] {
  const { slide, unit, palette, area, enterMs } = stage
  const value = field(slide, 'value', 'number') || slide.emphasis || slide.text
  const label = field(slide, 'label', 'text', 'title')
  const width = stage.isWide ? 0.8 * area.width : area.width
  const under: Block[] = [rule(stage)]
  if (label && label !== value) {
    const wish = { weight: 'text', sizeMax: 7, linesMax: 5, width, height: 0.34 * area.height } as const
    const text = set(stage, label, wish, slide.emphasis)
    const colours = { ink: palette.ink, emphasis: palette.accentText }
    under.push(textBlock(stage, text, colours, (index) => enterMs + 200 + index * 110, 4 * unit))
  }
  const room = area.height - heightOf(under) - 4 * unit
  const [atMs] = appearances(stage, 1)
  return stacked([figure(stage, value, room, atMs!), ...under], area, placeOf(stage))
}

/** Twelve smaller values in a little more than half a second, then the value itself. */
function figure(stage: Stage, value: string, room: number, atMs: number): Block {
  const { palette, area, unit } = stage
  const wish = { weight: 'display', sizeMax: 40, sizeMin: 6, linesMax: 2, lineHeight: 1, height: room } as const
  const text = set(stage, value, { ...wish, width: area.width })
  const colours = { ink: palette.accentText, emphasis: palette.accentText }
  const counted = text.lines.length === 1 ? figureParts(value, countSteps) : []
  return {
    height: text.height,
    gap: 0,
    draw: (y) => {
      const shown = counted.map((part, step) => {
        const [from, until] = [atMs + step * stepMs, atMs + (step + 1) * stepMs]
        const size = text.size / unit
        const smaller = set(stage, part, { ...wish, sizeMax: size, sizeMin: size, linesMax: 1, width: 2 * area.width })
        const x = leftOf(stage, smaller.width)
        return { ...lineElement(smaller, 0, x, y, colours, { atMs: from, arrival: 'cut' }), untilMs: until }
      })
      const endMs = atMs + counted.length * stepMs
      const final = text.lines.map((row, index) => {
        const top = y + index * text.style.lineHeight * text.size
        const arrival = counted.length > 0 ? 'cut' : 'pop'
        return lineElement(text, index, leftOf(stage, row.width, text.rightToLeft), top, colours, {
          atMs: endMs,
          arrival,
        })
      })
      return [...shown, ...final]
    },
  }
}

function rule(stage: Stage): Block {
  const { unit, palette, enterMs } = stage
  const [width, height] = [18 * unit, 1.1 * unit]
  return {
    height,
    gap: 3 * unit,
    draw: (y) => {
      const box = { x: leftOf(stage, width), y, width, height }
      const colours = gradient('rule', 'linear', [
        [0, palette.accent],
        [1, palette.accentB],
      ])
      return [{ box, markup: colours + rect(box, 'url(#rule)', height / 2), atMs: enterMs + 80, arrival: 'left' }]
    },
  }
}
