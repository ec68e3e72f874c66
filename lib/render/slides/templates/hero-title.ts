/** A headline: what the film or its part is about. */

import { badge, pill } from '../components.ts'
import { textField } from '../content.ts'
import {
  alignedLeft,
  type ContentBlock,
  type SlideContext,
  type SlideElement,
  stackBlocks,
  stackHeight,
  verticalAlignment,
} from '../slide-context.ts'
import { svgGradient, svgRect } from '../svg.ts'
import { textBlock, typesetText } from '../text.ts'

const lineDelayMs = 110

export function heroTitle(stage: SlideContext): SlideElement[] {
  const { slide, unit, palette, area, enterMs, isWide } = stage
  const kicker = textField(slide, 'kicker', 'eyebrow', 'label')
  const subtitle = textField(slide, 'subtitle', 'detail')
  const above = [...badge(stage, 13, enterMs), ...(kicker ? [pill(stage, kicker, enterMs)] : [])]
  const width = isWide ? 0.86 * area.width : area.width
  const under: ContentBlock[] = [bar(stage)]
  if (subtitle) {
    const text = typesetText(stage, subtitle, {
      weight: 'text',
      sizeMax: 4.6,
      linesMax: 4,
      width,
      height: 0.3 * area.height,
    })
    under.push(textBlock(stage, text, { ink: palette.soft, emphasis: palette.soft }, () => enterMs + 550, 4 * unit))
  }
  const room = area.height - stackHeight(above) - stackHeight(under) - 11 * unit
  const title = textField(slide, 'title', 'heading') || slide.text
  const text = typesetText(
    stage,
    title,
    { weight: 'display', sizeMax: 17, linesMax: 7, width, height: room },
    slide.emphasis,
  )
  const colours = { ink: palette.ink, emphasis: palette.accentText }
  const headline = textBlock(stage, text, colours, (index) => enterMs + 80 + index * lineDelayMs, 5 * unit)
  return stackBlocks([...above, headline, ...under], area, verticalAlignment(stage))
}

/** A short accent under the headline. */
function bar(stage: SlideContext): ContentBlock {
  const { unit, palette, enterMs } = stage
  const [width, height] = [12 * unit, 1.1 * unit]
  return {
    height,
    gap: 5 * unit,
    draw: (y) => {
      const box = { x: alignedLeft(stage, width), y, width, height }
      const colours = svgGradient('bar', 'linear', [
        [0, palette.accent],
        [1, palette.accentB],
      ])
      return [{ box, markup: colours + svgRect(box, 'url(#bar)', height / 2), atMs: enterMs + 420, entrance: 'left' }]
    },
  }
}
