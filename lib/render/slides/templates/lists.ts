/** What is told one after the other: steps, points and events. Each comes with the word that it begins with. */
import { field, items } from '../content.ts'
import { type Cell, listOf, words } from '../list-layout.ts'
import type { Box } from '../slide.ts'
import type { Element, Stage } from '../slide-context.ts'
import { disc, outline, rect, ring, tick } from '../svg.ts'
import { paragraph, set } from '../text.ts'

/** In landscape cards stand beside one another, in one row or in two. */
const columnsFor = ({ isWide }: Stage, count: number) => {
  if (!isWide) return 1
  return count <= 4 ? Math.max(1, count) : Math.ceil(count / 2)
}

/** Cards with numbers, which go on from those of a slide before where the content says so. */
export function flowSteps(stage: Stage): Element[] {
  const { slide, unit, palette } = stage
  const steps = items(slide, 'steps', 'items', 'points')
  const from = Math.trunc(Number(field(slide, 'from'))) || 1
  const columns = columnsFor(stage, steps.length)
  const shape = { lead: 12.5, leadAbove: columns > 1, gap: 3, padding: 2.8, sizeMax: 8, columns }
  const { above, cells } = listOf(stage, steps, shape)
  const cards = cells.map((cell): Element => {
    const { box, index, atMs, mark } = cell
    const corner = Math.min(3 * unit, 0.2 * box.height)
    const number = set(stage, String(from + index), {
      weight: 'display',
      sizeMax: mark.radius / unit,
      sizeMin: 1,
      linesMax: 1,
    })
    const colours = { ink: palette.pillText, emphasis: palette.pillText }
    const markup =
      rect(box, palette.card, corner) +
      outline(box, palette.line, 0.25 * unit, corner) +
      disc(mark.x, mark.y, mark.radius, palette.accent) +
      paragraph(number, mark.x - number.width / 2, mark.y - number.height / 2, number.width, colours) +
      words(stage, cell)
    return { box, markup, atMs, arrival: 'rise' }
  })
  return [...above, ...cards]
}

/** Points with ticks, and fine lines between them. */
export function bulletList(stage: Stage): Element[] {
  const { slide, unit, palette, enterMs } = stage
  const points = items(slide, 'points', 'items', 'bullets')
  const columns = stage.isWide && points.length > 4 ? 2 : 1
  const shape = { lead: 10, leadAbove: false, gap: 3.4, padding: 1.8, sizeMax: 9.6, columns }
  const { above, cells, gap } = listOf(stage, points, shape)
  const drawn = cells.flatMap((cell): Element[] => {
    const { box, atMs, row, mark } = cell
    const radius = 0.8 * mark.radius
    const sign =
      disc(mark.x, mark.y, radius, palette.accent) + tick(mark.x, mark.y, 0.42 * radius, palette.pillText, 0.2 * radius)
    const line = { x: box.x, y: box.y - gap / 2, width: box.width, height: 0.25 * unit }
    const rule: Element = { box: line, markup: rect(line, palette.line), atMs: enterMs, arrival: 'fade' }
    return [...(row > 0 ? [rule] : []), { box, markup: sign + words(stage, cell), atMs, arrival: 'rise' }]
  })
  return [...above, ...drawn]
}

/** Events along a line, which stands in portrait and lies in landscape. */
export function timeline(stage: Stage): Element[] {
  const { slide, unit, palette, enterMs } = stage
  const events = items(slide, 'events', 'items', 'points')
  const columns = columnsFor(stage, events.length)
  const shape = { lead: 9, leadAbove: columns > 1, gap: 4.5, padding: 1.2, sizeMax: 8, columns }
  const { above, cells } = listOf(stage, events, shape)
  if (cells.length === 0) return above
  const rows =
    columns > 1
      ? [...new Set(cells.map(({ row }) => row))].map((row) => cells.filter((cell) => cell.row === row))
      : [cells]
  const axes = rows.map((row): Element => {
    const box = axisOf(row[0]!, row.at(-1)!, 0.5 * unit)
    return { box, markup: rect(box, palette.line, 0.25 * unit), atMs: enterMs, arrival: 'fade' }
  })
  const drawn = cells.flatMap((cell): Element[] => {
    const { atMs, text, mark } = cell
    const { x, y } = mark
    const radius = 0.6 * mark.radius
    const place = { x: x - 1.4 * radius, y: y - 1.4 * radius, width: 2.8 * radius, height: 2.8 * radius }
    const dot =
      disc(x, y, 1.3 * radius, palette.ground) +
      disc(x, y, 0.55 * radius, palette.accent) +
      ring(x, y, radius, palette.accent, 0.25 * radius)
    return [
      { box: place, markup: dot, atMs, arrival: 'pop' },
      { box: text, markup: words(stage, cell), atMs: atMs + 60, arrival: 'left' },
    ]
  })
  return [...above, ...axes, ...drawn]
}

/** From the first mark to the last. */
function axisOf({ mark: first }: Cell, { mark: last }: Cell, thickness: number): Box {
  return {
    x: Math.min(first.x, last.x) - thickness / 2,
    y: first.y - thickness / 2,
    width: Math.abs(last.x - first.x) + thickness,
    height: last.y - first.y + thickness,
  }
}
