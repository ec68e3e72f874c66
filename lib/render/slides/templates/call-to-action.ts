/** Template: a call to action, with a button that enters when it is spoken. */

import { alignedLeft, type ContentBlock, stackBlocks, stackHeight, verticalAlignment } from '../blocks.ts'
import { badge } from '../components.ts'
import { normaliseWord, textField } from '../content.ts'
import { appearanceTimes } from '../entrance-times.ts'
import type { SlideContext, SlideElement } from '../slide-context.ts'
import { arrow, circle, svgRect } from '../svg.ts'
import { paragraph, textBlock, typesetText } from '../text.ts'

export function callToAction(context: SlideContext): SlideElement[] {
  const { slide, unit, palette, area, enterMs, isWide } = context
  const label = textField(slide, 'button', 'action')
  const line = textField(slide, 'line', 'title', 'text') || slide.text
  const above = badge(context, 15, enterMs)
  // A label that repeats the line is dropped: then the button shows only an arrow.
  const button = label && normaliseWord(label) !== normaliseWord(line) ? labelled(context, label) : plain(context)
  const width = isWide ? 0.82 * area.width : area.width
  const room = area.height - stackHeight(above) - button.height - 12 * unit
  const text = typesetText(
    context,
    line,
    { weight: 'display', sizeMax: 14, linesMax: 7, width, height: room },
    slide.emphasis,
  )
  const colours = { ink: palette.ink, emphasis: palette.accentText }
  const words = textBlock(context, text, colours, (index) => enterMs + 80 + index * 110, 5 * unit)
  return stackBlocks([...above, words, button], area, verticalAlignment(context))
}

const buttonMs = (context: SlideContext) =>
  Math.max(appearanceTimes({ ...context, slide: { ...context.slide, anchors: [] } }, 3)[1]!, context.enterMs + 500)

function labelled(context: SlideContext, label: string): ContentBlock {
  const { unit, palette, area } = context
  const [padding, height, arrowRoom] = [4.6 * unit, 12 * unit, 8 * unit]
  const room = area.width - 2 * padding - arrowRoom
  const text = typesetText(context, label, {
    weight: 'display',
    sizeMax: 4.8,
    sizeMin: 2.4,
    linesMax: 2,
    width: room,
    height: 0.86 * height,
  })
  return {
    height,
    gap: 7 * unit,
    draw: (y) => {
      const width = text.width + 2 * padding + arrowRoom
      const x = alignedLeft(context, width)
      const box = { x, y, width, height }
      const colours = { ink: palette.pillText, emphasis: palette.pillText }
      const letters = paragraph(text, x + padding, y + (height - text.height) / 2, text.width, colours)
      const pointer = arrow(x + width - padding - 2 * unit, y + height / 2, 2 * unit, palette.pillText, 0.75 * unit)
      const markup = svgRect(box, palette.accent, height / 2) + letters + pointer
      return [{ box, markup, atMs: buttonMs(context), entrance: 'pop' }]
    },
  }
}

function plain(context: SlideContext): ContentBlock {
  const { unit, palette } = context
  const side = 13 * unit
  return {
    height: side,
    gap: 7 * unit,
    draw: (y) => {
      const box = { x: alignedLeft(context, side), y, width: side, height: side }
      const [x, middle] = [box.x + side / 2, y + side / 2]
      const markup =
        circle(x, middle, side / 2, palette.accent) + arrow(x, middle, 2.6 * unit, palette.pillText, 0.95 * unit)
      return [{ box, markup, atMs: buttonMs(context), entrance: 'pop' }]
    },
  }
}
