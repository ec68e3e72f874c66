/** A sentence that somebody has said: its lines come as they are spoken. */
import { field } from '../content.ts'
import {
  type Block,
  type Element,
  heightOf,
  leftOf,
  lineTimes,
  placeOf,
  type Stage,
  stacked,
} from '../slide-context.ts'
import { quoteMark, rect } from '../svg.ts'
import { set, textBlock } from '../text.ts'

export function quote(stage: Stage): Element[] {
  const { slide, unit, palette, area, enterMs, isWide } = stage
  const width = isWide ? 0.82 * area.width : area.width
  const by = author(stage, width)
  const room = area.height - 16 * unit - heightOf(by) - 4 * unit
  const words = field(slide, 'quote', 'text') || slide.text
  const text = set(
    stage,
    words,
    { weight: 'display', sizeMax: 11, linesMax: 10, lineHeight: 1.18, width, height: room },
    slide.emphasis,
  )
  const times = lineTimes(stage, text)
  const colours = { ink: palette.ink, emphasis: palette.accentText }
  const mark: Block = {
    height: 11 * unit,
    gap: 0,
    draw: (y) => {
      const box = { x: leftOf(stage, 14.5 * unit), y, width: 14.5 * unit, height: 11 * unit }
      return [{ box, markup: quoteMark(box, palette.accent), atMs: enterMs, arrival: 'pop' }]
    },
  }
  return stacked(
    [mark, textBlock(stage, text, colours, (index) => times[index]!, 5 * unit), ...by],
    area,
    placeOf(stage),
  )
}

function author(stage: Stage, width: number): Block[] {
  const { slide, unit, palette, enterMs } = stage
  const name = field(slide, 'author', 'by', 'source')
  if (!name) return []
  const text = set(stage, name, { weight: 'text', sizeMax: 4.4, linesMax: 2, width })
  const rule: Block = {
    height: 0.6 * unit,
    gap: 5 * unit,
    draw: (y) => {
      const box = { x: leftOf(stage, 8 * unit), y, width: 8 * unit, height: 0.6 * unit }
      return [{ box, markup: rect(box, palette.accent, 0.3 * unit), atMs: enterMs + 400, arrival: 'left' }]
    },
  }
  const colours = { ink: palette.soft, emphasis: palette.soft }
  return [rule, textBlock(stage, text, colours, () => enterMs + 500, 2.5 * unit)]
}
