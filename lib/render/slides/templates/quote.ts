/** Template: a quotation, whose lines enter as they are spoken. */

import { alignedLeft, type ContentBlock, stackBlocks, stackHeight, verticalAlignment } from '../blocks.ts'
import { textField } from '../content.ts'
import { lineTimes } from '../entrance-times.ts'
import type { SlideContext, SlideElement } from '../slide-context.ts'
import { quoteMark, svgRect } from '../svg.ts'
import { textBlock, typesetText } from '../text.ts'

export function quote(context: SlideContext): SlideElement[] {
  const { slide, unit, palette, area, enterMs, isWide } = context
  const width = isWide ? 0.82 * area.width : area.width
  const by = author(context, width)
  const room = area.height - 16 * unit - stackHeight(by) - 4 * unit
  const words = textField(slide, 'quote', 'text') || slide.text
  const text = typesetText(
    context,
    words,
    { weight: 'display', sizeMax: 11, linesMax: 10, lineHeight: 1.18, width, height: room },
    slide.emphasis,
  )
  const times = lineTimes(context, text)
  const colours = { ink: palette.ink, emphasis: palette.accentText }
  const mark: ContentBlock = {
    height: 11 * unit,
    gap: 0,
    draw: (y) => {
      const box = { x: alignedLeft(context, 14.5 * unit), y, width: 14.5 * unit, height: 11 * unit }
      return [{ box, markup: quoteMark(box, palette.accent), atMs: enterMs, entrance: 'pop' }]
    },
  }
  return stackBlocks(
    [mark, textBlock(context, text, colours, (index) => times[index]!, 5 * unit), ...by],
    area,
    verticalAlignment(context),
  )
}

function author(context: SlideContext, width: number): ContentBlock[] {
  const { slide, unit, palette, enterMs } = context
  const name = textField(slide, 'author', 'by', 'source')
  if (!name) return []
  const text = typesetText(context, name, { weight: 'text', sizeMax: 4.4, linesMax: 2, width })
  const rule: ContentBlock = {
    height: 0.6 * unit,
    gap: 5 * unit,
    draw: (y) => {
      const box = { x: alignedLeft(context, 8 * unit), y, width: 8 * unit, height: 0.6 * unit }
      return [{ box, markup: svgRect(box, palette.accent, 0.3 * unit), atMs: enterMs + 400, entrance: 'left' }]
    },
  }
  const colours = { ink: palette.soft, emphasis: palette.soft }
  return [rule, textBlock(context, text, colours, () => enterMs + 500, 2.5 * unit)]
}
