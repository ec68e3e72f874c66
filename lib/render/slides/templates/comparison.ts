/** Template: two sides of a comparison, stacked in portrait and side by side in landscape. */

import { stackBlocks, stackHeight, verticalAlignment } from '../blocks.ts'
import { heading } from '../components.ts'
import { textField } from '../content.ts'
import { appearanceTimes } from '../entrance-times.ts'
import type { Box } from '../slide.ts'
import type { SlideContext, SlideElement } from '../slide-context.ts'
import { circle, polyline, strokedRect, svgRect } from '../svg.ts'
import { type Colours, paragraph, typesetText } from '../text.ts'

interface Side {
  label: string
  text: string
}

export function comparison(context: SlideContext): SlideElement[] {
  const { slide, unit, area } = context
  const [half = slide.text, rest = ''] = slide.text.split(/(?<=[,;.])\s+/u, 2)
  const left = {
    label: textField(slide, 'leftLabel', 'leftTitle'),
    text: textField(slide, 'left', 'before', 'a') || half,
  }
  const right = {
    label: textField(slide, 'rightLabel', 'rightTitle'),
    text: textField(slide, 'right', 'after', 'b') || rest,
  }
  const above = heading(context)
  const used = stackHeight(above) + (above.length > 0 ? 5 * unit : 0)
  const beside = context.isWide
  const gap = 3 * unit
  const room = area.height - used
  const size = beside
    ? { width: (area.width - gap) / 2, height: Math.min(room, 62 * unit) }
    : { width: area.width, height: Math.min((room - gap) / 2, 52 * unit) }
  const total = used + (beside ? size.height : 2 * size.height + gap)
  const top = area.y + Math.max(0, area.height - total) * verticalAlignment(context)
  const first = { x: area.x, y: top + used, ...size }
  const second = beside ? { ...first, x: first.x + size.width + gap } : { ...first, y: first.y + size.height + gap }
  const [firstMs, secondMs] = appearanceTimes(context, 2)
  const joint = beside
    ? { x: second.x - gap / 2, y: first.y + size.height / 2 }
    : { x: area.x + area.width / 2, y: second.y - gap / 2 }
  return [
    ...stackBlocks(above, { ...area, y: top }, 0),
    card(context, first, left, firstMs!, false),
    ...(right.text || right.label
      ? [card(context, second, right, secondMs!, true), versus(context, joint, secondMs!)]
      : []),
  ]
}

function card(context: SlideContext, box: Box, { label, text }: Side, atMs: number, isLoud: boolean): SlideElement {
  const { unit, palette, slide } = context
  const padding = 5.5 * unit
  const ink = isLoud ? palette.pillText : palette.ink
  const colours: Colours = { ink, emphasis: isLoud ? palette.pillText : palette.accentText }
  const width = box.width - 2 * padding
  const name = label ? typesetText(context, label, { weight: 'text', sizeMax: 4, linesMax: 1, width }) : undefined
  const nameHeight = name ? name.height + 2 * unit : 0
  const height = box.height - 2 * padding - nameHeight
  const body = typesetText(
    context,
    text,
    { weight: 'display', sizeMax: 8.4, linesMax: 7, lineHeight: 1.16, width, height },
    slide.emphasis,
  )
  const top = box.y + (box.height - nameHeight - body.height) / 2
  const soft = isLoud ? palette.pillText : palette.soft
  const radius = 4 * unit
  const surface = isLoud
    ? svgRect(box, palette.accent, radius)
    : svgRect(box, palette.card, radius) + strokedRect(box, palette.line, 0.25 * unit, radius)
  const markup =
    surface +
    (name ? paragraph(name, box.x + padding, top, width, { ink: soft, emphasis: soft }) : '') +
    paragraph(body, box.x + padding, top + nameHeight, width, colours)
  return { box, markup, atMs, entrance: 'rise' }
}

/** A double-headed arrow on the joint of the cards. */
function versus(
  { unit, palette, isWide: beside }: SlideContext,
  { x, y }: { x: number; y: number },
  atMs: number,
): SlideElement {
  const radius = 4.6 * unit
  const box = { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius }
  const reach = 1.7 * unit
  const at = (along: number, across: number): [number, number] =>
    beside ? [x + along, y + across] : [x + across, y + along]
  const head = (sign: number) =>
    polyline(
      [at(sign * (reach - unit), -unit), at(sign * reach, 0), at(sign * (reach - unit), unit)],
      palette.ink,
      0.6 * unit,
    )
  const markup =
    circle(x, y, radius, palette.background) +
    polyline([at(-reach, 0), at(reach, 0)], palette.ink, 0.6 * unit) +
    head(1) +
    head(-1)
  return { box, markup, atMs: atMs + 150, entrance: 'pop' }
}
