/** Template: a full-screen image with a short text at the bottom. */

import { stackBlocks, stackHeight } from '../blocks.ts'
import { textField } from '../content.ts'
import type { Box } from '../slide.ts'
import type { SlideContext, SlideElement } from '../slide-context.ts'
import { svgGradient, svgRect } from '../svg.ts'
import { textBlock, typesetText } from '../text.ts'

/** Dark enough for white text on any image. */
const shade = '#0A0914'

const capitalised = (text: string) => text.replace(/^\p{L}/u, (letter) => letter.toLocaleUpperCase())

export function imageFull(context: SlideContext): SlideElement[] {
  const { slide, unit, palette, area, frame, enterMs, isWide } = context
  // Captions show the words already: then the emphasis suffices.
  const words =
    textField(slide, 'title') ||
    (slide.captioned ? capitalised(slide.emphasis) : textField(slide, 'caption') || slide.text)
  if (!words) return []
  const left: SlideContext = { ...context, layout: slide.params.layout === 'center' ? 'center' : 'left' }
  const width = isWide ? 0.75 * area.width : area.width
  const text = typesetText(
    context,
    words,
    { weight: 'display', sizeMax: 9, linesMax: 5, width, height: 0.45 * area.height },
    slide.emphasis,
  )
  const colours = { ink: '#FFFFFF', emphasis: '#FFFFFF' }
  const mark = { width: 10 * unit, height: 1.1 * unit }
  const bar = {
    height: mark.height,
    gap: 0,
    draw: (y: number): SlideElement[] => {
      const box = { x: left.layout === 'center' ? area.x + (area.width - mark.width) / 2 : area.x, y, ...mark }
      return [{ box, markup: svgRect(box, palette.accent, mark.height / 2), atMs: enterMs + 200, entrance: 'left' }]
    },
  }
  const blocks = [bar, textBlock(left, text, colours, (index) => enterMs + 300 + index * 110, 4 * unit)]
  return [foot(frame, area, stackHeight(blocks), slide.startMs), ...stackBlocks(blocks, area, 1)]
}

/** A shade from above the text down to the edge. */
function foot(frame: SlideContext['frame'], area: Box, height: number, atMs: number): SlideElement {
  const top = Math.max(0, area.y + area.height - height - 0.22 * frame.height)
  const box = { x: 0, y: top, width: frame.width, height: frame.height - top }
  const fade = svgGradient('foot', 'down', [
    [0, shade, 0],
    [0.45, shade, 0.62],
    [1, shade, 0.86],
  ])
  return { box, markup: fade + svgRect(box, 'url(#foot)'), atMs, entrance: 'fade' }
}
