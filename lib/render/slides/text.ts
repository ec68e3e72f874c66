/** Text as blocks of a slide: each line is a piece of its own, so that lines can come one after the other. */

import { alignedLeft, type ContentBlock, type SlideContext, type SlideElement } from './slide-context.ts'
import { textLine } from './svg.ts'
import { type TextStyle, type TypesetText, typeset } from './typeset.ts'

type Weight = 'display' | 'text'

interface TextOptions {
  weight: Weight
  /** In units. */
  sizeMax: number
  sizeMin?: number
  linesMax?: number
  lineHeight?: number
  /** In pixels; the area's where it is absent. */
  width?: number
  height?: number
}

export function textStyleOf({ unit, typefaces }: SlideContext, options: TextOptions): TextStyle {
  const { weight, sizeMax, sizeMin = 2.6, linesMax = 20, lineHeight = weight === 'display' ? 1.1 : 1.32 } = options
  // Large type is set tighter.
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

/** Overhang of letters beyond the width and the line that they are counted with, in em. */
const overhang = 0.24

/** One line at its place. */
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

/** The lines of a text one after the other; `atMs` says when each comes. */
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

/** A whole text as one piece, with its lines from `x` on (or, read from right to left, up to the end of `width`). */
export function paragraph(text: TypesetText, x: number, y: number, width: number, colours: Colours): string {
  return text.lines
    .map((row, index) => {
      const left = text.rightToLeft ? x + width - row.width : x
      return textLine(text, index, left, y + index * text.style.lineHeight * text.size, colours)
    })
    .join('')
}
