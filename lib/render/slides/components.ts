/** Components that several templates share: a label in a pill, the client's icon, a heading. */

import { alignedLeft, type ContentBlock } from './blocks.ts'
import { textField } from './content.ts'
import type { SlideContext } from './slide-context.ts'
import { svgRect } from './svg.ts'
import { paragraph, textBlock, typesetText } from './text.ts'

/** A short label on a shape in the accent colour. */
export function pill(context: SlideContext, label: string, atMs: number): ContentBlock {
  const { unit, palette, area } = context
  const padding = 2.6 * unit
  const text = typesetText(context, label, {
    weight: 'display',
    sizeMax: 3.2,
    linesMax: 1,
    width: area.width - 2 * padding,
  })
  const height = 6.2 * unit
  return {
    height,
    gap: 4 * unit,
    draw: (y) => {
      const width = text.width + 2 * padding
      const x = alignedLeft(context, width, text.rightToLeft)
      const box = { x, y, width, height }
      const top = y + (height - text.height) / 2
      const colours = { ink: palette.pillText, emphasis: palette.pillText }
      const letters = paragraph(text, x + padding, top, text.width, colours)
      return [{ box, markup: svgRect(box, palette.accent, height / 2) + letters, atMs, entrance: 'rise' }]
    },
  }
}

/** The client's icon, if there is one. */
export function badge(context: SlideContext, units: number, atMs: number): ContentBlock[] {
  const { icon } = context.brand
  if (!icon) return []
  const side = units * context.unit
  const shrink = side / Math.max(icon.width, icon.height)
  const size = { width: icon.width * shrink, height: icon.height * shrink }
  return [
    {
      height: size.height,
      gap: 4 * context.unit,
      draw: (y) => [
        {
          box: { x: alignedLeft(context, size.width), y, ...size },
          markup: '',
          imageKey: icon.key,
          atMs,
          entrance: 'pop',
        },
      ],
    },
  ]
}

/** The title of a list, if its content has one: left-aligned, and smaller where space is tight. */
export function heading(given: SlideContext): ContentBlock[] {
  const context: SlideContext = { ...given, layout: 'left' }
  const { slide, palette, enterMs, area, unit } = context
  const title = textField(slide, 'title', 'heading')
  if (!title) return []
  const sizeMax = Math.max(5, Math.min(10.4, area.height / unit / 8.5))
  const options = { weight: 'display', sizeMax, sizeMin: 3, linesMax: 3, height: 0.32 * area.height } as const
  // A slightly smaller single line looks better than a second line with one word.
  const oneLine = typesetText(context, title, { ...options, sizeMin: 0.72 * sizeMax, linesMax: 1 }, slide.emphasis)
  const text = oneLine.isWhole ? oneLine : typesetText(context, title, options, slide.emphasis)
  const colours = { ink: palette.ink, emphasis: palette.accentText }
  return [textBlock(context, text, colours, (index) => enterMs + index * 110, 0)]
}
