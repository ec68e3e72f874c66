/** Template: a headline, with an optional kicker and subtitle. */

import { alignedLeft, type ContentBlock, stackBlocks, stackHeight, verticalAlignment } from '../blocks.ts'
import { badge, pill } from '../components.ts'
import { textField } from '../content.ts'
import type { SlideContext, SlideElement } from '../slide-context.ts'
import { svgGradient, svgRect } from '../svg.ts'
import { textBlock, typesetText } from '../text.ts'

const lineDelayMs = 110

export function heroTitle(context: SlideContext): SlideElement[] {
  const { slide, unit, palette, area, enterMs, isWide } = context
  const kicker = textField(slide, 'kicker', 'eyebrow', 'label')
  const subtitle = textField(slide, 'subtitle', 'detail')
  const above = [...badge(context, 13, enterMs), ...(kicker ? [pill(context, kicker, enterMs)] : [])]
  const width = isWide ? 0.86 * area.width : area.width
  const under: ContentBlock[] = [bar(context)]
  if (subtitle) {
    const text = typesetText(context, subtitle, {
      weight: 'text',
      sizeMax: 4.6,
      linesMax: 4,
      width,
      height: 0.3 * area.height,
    })
    under.push(textBlock(context, text, { ink: palette.soft, emphasis: palette.soft }, () => enterMs + 550, 4 * unit))
  }
  const room = area.height - stackHeight(above) - stackHeight(under) - 11 * unit
  const title = textField(slide, 'title', 'heading') || slide.text
  const text = typesetText(
    context,
    title,
    { weight: 'display', sizeMax: 17, linesMax: 7, width, height: room },
    slide.emphasis,
  )
  const colours = { ink: palette.ink, emphasis: palette.accentText }
  const headline = textBlock(context, text, colours, (index) => enterMs + 80 + index * lineDelayMs, 5 * unit)
  return stackBlocks([...above, headline, ...under], area, verticalAlignment(context))
}

/** A short accent under the headline. */
function bar(context: SlideContext): ContentBlock {
  const { unit, palette, enterMs } = context
  const [width, height] = [12 * unit, 1.1 * unit]
  return {
    height,
    gap: 5 * unit,
    draw: (y) => {
      const box = { x: alignedLeft(context, width), y, width, height }
      const colours = svgGradient('bar', 'linear', [
        [0, palette.accent],
        [1, palette.accentB],
      ])
      return [{ box, markup: colours + svgRect(box, 'url(#bar)', height / 2), atMs: enterMs + 420, entrance: 'left' }]
    },
  }
}
