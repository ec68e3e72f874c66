/** Template: one number, as large as possible, that counts up when it is spoken. */

import { alignedLeft, type ContentBlock, stackBlocks, stackHeight, verticalAlignment } from '../blocks.ts'
import { textField } from '../content.ts'
import { countUpValues } from '../count-up.ts'
import { appearanceTimes } from '../entrance-times.ts'
import type { SlideContext, SlideElement } from '../slide-context.ts'
import { svgGradient, svgRect } from '../svg.ts'
import { lineElement, textBlock, typesetText } from '../text.ts'

const countSteps = 12
const stepMs = 50
/** A figure that is spoken later than this appears at once: until then there would be nothing but colour. */
const waitMsMax = 1_200
const labelDelayMs = 200

export function bigNumber(context: SlideContext): SlideElement[] {
  const { slide, unit, palette, area, enterMs } = context
  const value = textField(slide, 'value', 'number') || slide.emphasis || slide.text
  const label = textField(slide, 'label', 'text', 'title')
  const width = context.isWide ? 0.8 * area.width : area.width
  const under: ContentBlock[] = [rule(context)]
  const [spokenMs = enterMs] = appearanceTimes(context, 1)
  const atMs = spokenMs - enterMs > waitMsMax ? enterMs : spokenMs
  if (label && label !== value) {
    const options = { weight: 'text', sizeMax: 7, linesMax: 5, width, height: 0.34 * area.height } as const
    const text = typesetText(context, label, options, slide.emphasis)
    const colours = { ink: palette.ink, emphasis: palette.accentText }
    under.push(textBlock(context, text, colours, (index) => atMs + labelDelayMs + index * 110, 4 * unit))
  }
  const room = area.height - stackHeight(under) - 4 * unit
  return stackBlocks([figure(context, value, room, atMs), ...under], area, verticalAlignment(context))
}

/** Twelve intermediate values within 0.6 s, then the value itself. */
function figure(context: SlideContext, value: string, room: number, atMs: number): ContentBlock {
  const { palette, area, unit } = context
  const options = { weight: 'display', sizeMax: 40, sizeMin: 6, linesMax: 2, lineHeight: 1, height: room } as const
  const text = typesetText(context, value, { ...options, width: area.width })
  const colours = { ink: palette.accentText, emphasis: palette.accentText }
  const counted = text.lines.length === 1 ? countUpValues(value, countSteps) : []
  return {
    height: text.height,
    gap: 0,
    draw: (y) => {
      const steps = counted.map((stepValue, step) => {
        const [from, until] = [atMs + step * stepMs, atMs + (step + 1) * stepMs]
        const size = text.size / unit
        const smaller = typesetText(context, stepValue, {
          ...options,
          sizeMax: size,
          sizeMin: size,
          linesMax: 1,
          width: 2 * area.width,
        })
        const x = alignedLeft(context, smaller.width)
        return { ...lineElement(smaller, 0, x, y, colours, { atMs: from, entrance: 'cut' }), untilMs: until }
      })
      const endMs = atMs + counted.length * stepMs
      const finalLines = text.lines.map((row, index) => {
        const top = y + index * text.style.lineHeight * text.size
        const entrance = counted.length > 0 ? 'cut' : 'pop'
        return lineElement(text, index, alignedLeft(context, row.width, text.rightToLeft), top, colours, {
          atMs: endMs,
          entrance,
        })
      })
      return [...steps, ...finalLines]
    },
  }
}

function rule(context: SlideContext): ContentBlock {
  const { unit, palette, enterMs } = context
  const [width, height] = [18 * unit, 1.1 * unit]
  return {
    height,
    gap: 3 * unit,
    draw: (y) => {
      const box = { x: alignedLeft(context, width), y, width, height }
      const colours = svgGradient('rule', 'linear', [
        [0, palette.accent],
        [1, palette.accentB],
      ])
      return [{ box, markup: colours + svgRect(box, 'url(#rule)', height / 2), atMs: enterMs + 80, entrance: 'left' }]
    },
  }
}
