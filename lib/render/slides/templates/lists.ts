/** Templates for lists: steps, points and events. Each item enters with its anchor word. */
import { listItems, textField } from '../content.ts'
import { type Cell, cellText, layoutList } from '../list-layout.ts'
import type { Box } from '../slide.ts'
import type { SlideContext, SlideElement } from '../slide-context.ts'
import { checkMark, circle, ring, strokedRect, svgRect } from '../svg.ts'
import { paragraph, typesetText } from '../text.ts'

/** In landscape, items are in one or two rows. */
const columnsFor = ({ isWide }: SlideContext, count: number) => {
  if (!isWide) return 1
  return count <= 4 ? Math.max(1, count) : Math.ceil(count / 2)
}

/** Numbered cards. The field `from` continues the numbers of an earlier slide. */
export function flowSteps(context: SlideContext): SlideElement[] {
  const { slide, unit, palette } = context
  const steps = listItems(slide, 'steps', 'items', 'points')
  const from = Math.trunc(Number(textField(slide, 'from'))) || 1
  const columns = columnsFor(context, steps.length)
  const shape = { lead: 12.5, leadAbove: columns > 1, gap: 3, padding: 2.8, sizeMax: 8, columns }
  const { above, cells } = layoutList(context, steps, shape)
  const cards = cells.map((cell): SlideElement => {
    const { box, index, atMs, mark } = cell
    const corner = Math.min(3 * unit, 0.2 * box.height)
    const number = typesetText(context, String(from + index), {
      weight: 'display',
      sizeMax: mark.radius / unit,
      sizeMin: 1,
      linesMax: 1,
    })
    const colours = { ink: palette.pillText, emphasis: palette.pillText }
    const markup =
      svgRect(box, palette.card, corner) +
      strokedRect(box, palette.line, 0.25 * unit, corner) +
      circle(mark.x, mark.y, mark.radius, palette.accent) +
      paragraph(number, mark.x - number.width / 2, mark.y - number.height / 2, number.width, colours) +
      cellText(context, cell)
    return { box, markup, atMs, entrance: 'rise' }
  })
  return [...above, ...cards]
}

/** Points with check marks, separated by fine lines. */
export function bulletList(context: SlideContext): SlideElement[] {
  const { slide, unit, palette, enterMs } = context
  const points = listItems(slide, 'points', 'items', 'bullets')
  const columns = context.isWide && points.length > 4 ? 2 : 1
  const shape = { lead: 10, leadAbove: false, gap: 3.4, padding: 1.8, sizeMax: 9.6, columns }
  const { above, cells, gap } = layoutList(context, points, shape)
  const drawn = cells.flatMap((cell): SlideElement[] => {
    const { box, atMs, row, mark } = cell
    const radius = 0.8 * mark.radius
    const sign =
      circle(mark.x, mark.y, radius, palette.accent) +
      checkMark(mark.x, mark.y, 0.42 * radius, palette.pillText, 0.2 * radius)
    const line = { x: box.x, y: box.y - gap / 2, width: box.width, height: 0.25 * unit }
    const rule: SlideElement = { box: line, markup: svgRect(line, palette.line), atMs: enterMs, entrance: 'fade' }
    return [...(row > 0 ? [rule] : []), { box, markup: sign + cellText(context, cell), atMs, entrance: 'rise' }]
  })
  return [...above, ...drawn]
}

/** Events along a line: vertical in portrait, horizontal in landscape. */
export function timeline(context: SlideContext): SlideElement[] {
  const { slide, unit, palette, enterMs } = context
  const events = listItems(slide, 'events', 'items', 'points')
  const columns = columnsFor(context, events.length)
  const shape = { lead: 9, leadAbove: columns > 1, gap: 4.5, padding: 1.2, sizeMax: 8, columns }
  const { above, cells } = layoutList(context, events, shape)
  if (cells.length === 0) return above
  const rows =
    columns > 1
      ? [...new Set(cells.map(({ row }) => row))].map((row) => cells.filter((cell) => cell.row === row))
      : [cells]
  const axes = rows.map((row): SlideElement => {
    const box = axisOf(row[0]!, row.at(-1)!, 0.5 * unit)
    return { box, markup: svgRect(box, palette.line, 0.25 * unit), atMs: enterMs, entrance: 'fade' }
  })
  const drawn = cells.flatMap((cell): SlideElement[] => {
    const { atMs, text, mark } = cell
    const { x, y } = mark
    const radius = 0.6 * mark.radius
    const dotBox = { x: x - 1.4 * radius, y: y - 1.4 * radius, width: 2.8 * radius, height: 2.8 * radius }
    const dot =
      circle(x, y, 1.3 * radius, palette.background) +
      circle(x, y, 0.55 * radius, palette.accent) +
      ring(x, y, radius, palette.accent, 0.25 * radius)
    return [
      { box: dotBox, markup: dot, atMs, entrance: 'pop' },
      { box: text, markup: cellText(context, cell), atMs: atMs + 60, entrance: 'left' },
    ]
  })
  return [...above, ...axes, ...drawn]
}

/** The line from the first mark to the last. */
function axisOf({ mark: first }: Cell, { mark: last }: Cell, thickness: number): Box {
  return {
    x: Math.min(first.x, last.x) - thickness / 2,
    y: first.y - thickness / 2,
    width: Math.abs(last.x - first.x) + thickness,
    height: last.y - first.y + thickness,
  }
}
