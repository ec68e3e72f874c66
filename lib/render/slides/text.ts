/** Text blocks of slides. Each line is a separate element, so that lines can enter one after the other. */

import { alignedLeft, type ContentBlock } from './blocks.ts'
import type { SlideContext, SlideElement } from './slide-context.ts'
import { textLine } from './svg.ts'
import { type TextStyle, type TypesetText, typeset } from './typeset.ts'

type Weight = 'display' | 'text'

interface TextOptions {
  weight: Weight
  /** In units of the slide context. */
  sizeMax: number
  sizeMin?: number
  linesMax?: number
  lineHeight?: number
  /** In pixels; by default the size of the area. */
  width?: number
  height?: number
}

function textStyleOf({ unit, typefaces }: SlideContext, options: TextOptions): TextStyle {
  const { weight, sizeMax, sizeMin = 2.6, linesMax = 20, lineHeight = weight === 'display' ? 1.1 : 1.32 } = options
  // Large type needs tighter tracking.
  const tracking = weight === 'display' ? -0.02 : 0
  const typeface = typefaces[weight]
  return {
    typeface,
    sizeMax: sizeMax * unit,
    sizeMin: Math.min(sizeMin, sizeMax) * unit,
    lineHeight,
    tracking,
    linesMax,
  }
}

export function typesetText(context: SlideContext, text: string, options: TextOptions, emphasis = ''): TypesetText {
  const { width = context.area.width, height = context.area.height } = options
  return typeset(text, emphasis, textStyleOf(context, options), { width, height })
}

export interface Colours {
  ink: string
  emphasis: string
}

/** Overhang of glyphs beyond their advance width and line height, in em. */
const overhang = 0.24

/** One line of a text as an element. */
export function lineElement(
  text: TypesetText,
  index: number,
  x: number,
  y: number,
  colours: Colours,
  timing: Pick<SlideElement, 'entrance' | 'atMs'>,
): SlideElement {
  const { size, style } = text
  const height = style.lineHeight * size
  const extra = overhang * size
  const box = { x: x - extra, y: y - extra, width: text.lines[index]!.width + 2 * extra, height: height + 2 * extra }
  return { box, markup: textLine(text, index, x, y, colours), ...timing }
}

/** A text whose lines enter separately, at `atMs`. */
export function textBlock(
  context: SlideContext,
  text: TypesetText,
  colours: Colours,
  atMs: (lineIndex: number) => number,
  gap: number,
): ContentBlock {
  return {
    height: text.height,
    gap,
    draw: (y) =>
      text.lines.map((row, index) => {
        const x = alignedLeft(context, row.width, text.rightToLeft)
        const top = y + index * text.style.lineHeight * text.size
        return lineElement(text, index, x, top, colours, { atMs: atMs(index), entrance: 'rise' })
      }),
  }
}

/** The markup of a whole text, aligned left at `x` or, for right-to-left text, right at the end of `width`. */
export function paragraph(text: TypesetText, x: number, y: number, width: number, colours: Colours): string {
  return text.lines
    .map((row, index) => {
      const left = text.rightToLeft ? x + width - row.width : x
      return textLine(text, index, left, y + index * text.style.lineHeight * text.size, colours)
    })
    .join('')
}
