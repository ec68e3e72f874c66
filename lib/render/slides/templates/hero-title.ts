/** A headline: what the film or its part is about. */

import { badge, pill } from '../components.ts'
import { field } from '../content.ts'
import { type Block, type Element, heightOf, leftOf, placeOf, type Stage, stacked } from '../slide-context.ts'
import { gradient, rect } from '../svg.ts'
import { set, textBlock } from '../text.ts'

const lineDelayMs = 110

export function heroTitle(stage: Stage): Element[] {
  const { slide, unit, palette, area, enterMs, isWide } = stage
  const kicker = field(slide, 'kicker', 'eyebrow', 'label')
  const subtitle = field(slide, 'subtitle', 'detail')
  const above = [...badge(stage, 13, enterMs), ...(kicker ? [pill(stage, kicker, enterMs)] : [])]
  const width = isWide ? 0.86 * area.width : area.width
  const under: Block[] = [bar(stage)]
  if (subtitle) {
    const text = set(stage, subtitle, { weight: 'text', sizeMax: 4.6, linesMax: 4, width, height: 0.3 * area.height })
    under.push(textBlock(stage, text, { ink: palette.soft, emphasis: palette.soft }, () => enterMs + 550, 4 * unit))
  }
  const room = area.height - heightOf(above) - heightOf(under) - 11 * unit
  const title = field(slide, 'title', 'heading') || slide.text
  const text = set(stage, title, { weight: 'display', sizeMax: 17, linesMax: 7, width, height: room }, slide.emphasis)
  const colours = { ink: palette.ink, emphasis: palette.accentText }
  const headline = textBlock(stage, text, colours, (index) => enterMs + 80 + index * lineDelayMs, 5 * unit)
  return stacked([...above, headline, ...under], area, placeOf(stage))
}

/** A short accent under the headline. */
function bar(stage: Stage): Block {
  const { unit, palette, enterMs } = stage
  const [width, height] = [12 * unit, 1.1 * unit]
  return {
    height,
    gap: 5 * unit,
    draw: (y) => {
      const box = { x: leftOf(stage, width), y, width, height }
      const colours = gradient('bar', 'linear', [
        [0, palette.accent],
        [1, palette.accentB],
      ])
      return [{ box, markup: colours + rect(box, 'url(#bar)', height / 2), atMs: enterMs + 420, arrival: 'left' }]
    },
  }
}
