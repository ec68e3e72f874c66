/**
 * Lays out lists: a heading above cells that are as high as their text. All items share one font size, the largest at
 * which all fit.
 */

import { stackBlocks, stackHeight, verticalAlignment } from './blocks.ts'
import { heading } from './components.ts'
import type { ListItem } from './content.ts'
import { appearanceTimes } from './entrance-times.ts'
import type { Box } from './slide.ts'
import type { SlideContext, SlideElement } from './slide-context.ts'
import { paragraph, typesetText } from './text.ts'
import type { TypesetText } from './typeset.ts'

/** Lengths are in units of the slide context. */
interface ListShape {
  /** Space for the mark of an item, left of its text or above it. */
  lead: number
  leadAbove: boolean
  /** Between cells, and inside a cell. */
  gap: number
  padding: number
  sizeMax: number
  columns: number
}

interface TypesetItem {
  title: TypesetText
  detail: TypesetText | undefined
  height: number
}

export interface Cell {
  box: Box
  index: number
  row: number
  atMs: number
  /** Centre and largest radius of its mark. */
  mark: { x: number; y: number; radius: number }
  /** The box of its text. */
  text: Box
  item: TypesetItem
}

interface ListLayout {
  above: SlideElement[]
  cells: Cell[]
  /** Between two rows, in pixels. */
  gap: number
}

/** In units: lower rows get tighter spacing. */
const roomyRow = 17
const sizeMin = 2.3
const shrinkStep = 0.94

export function layoutList(context: SlideContext, items: readonly ListItem[], shape: ListShape): ListLayout {
  const { unit, area } = context
  const header = heading(context)
  if (items.length === 0) return { above: stackBlocks(header, area, verticalAlignment(context)), cells: [], gap: 0 }
  const used = stackHeight(header) + (header.length > 0 ? Math.min(6 * unit, 0.07 * area.height) : 0)
  const grid = gridOf(shape, items.length, unit, { width: area.width, height: area.height - used })
  const typesetList = typesetItems(context, items, grid, shape.sizeMax)
  const heights = heightsOf(typesetList, grid)
  const top = area.y + Math.max(0, area.height - used - totalOf(heights, grid)) * verticalAlignment(context)
  const times = appearanceTimes(context, items.length)
  const rightToLeft =
    typesetList.filter(({ title, detail }) => (detail ?? title).rightToLeft).length > typesetList.length / 2
  const cells = typesetList.map((item, index): Cell => {
    const [row, column] = [Math.floor(index / grid.columns), index % grid.columns]
    const y = top + used + totalOf(heights.slice(0, row), grid) + (row > 0 ? grid.gap : 0)
    const visualColumn = rightToLeft ? grid.columns - 1 - column : column
    const box = { x: area.x + visualColumn * (grid.width + grid.gap), y, width: grid.width, height: heights[row]! }
    return { box, index, row, atMs: times[index]!, item, ...cellGeometry(box, item, grid, rightToLeft) }
  })
  return { above: stackBlocks(header, { ...area, y: top, height: stackHeight(header) }, 0), cells, gap: grid.gap }
}

/** The shape of a list in pixels. */
interface Grid extends Omit<ListShape, 'sizeMax'> {
  rows: number
  /** Width of a cell, and of its text. */
  width: number
  textWidth: number
  /** Height available for all rows. */
  height: number
}

/** With little space, spacing shrinks before text does. */
function gridOf(shape: ListShape, count: number, unit: number, room: { width: number; height: number }): Grid {
  const { columns, leadAbove } = shape
  const rows = Math.ceil(count / columns)
  const tight = unit * Math.max(0.4, Math.min(1, room.height / rows / (roomyRow * unit)))
  const [gap, padding, lead] = [shape.gap * tight, shape.padding * tight, shape.lead * tight]
  const width = (room.width - gap * (columns - 1)) / columns
  const textWidth = width - 2 * padding - (leadAbove ? 0 : lead)
  return { columns, leadAbove, rows, gap, padding, lead, width, textWidth, height: room.height }
}

/** Height of a cell without its text. */
const chromeHeight = ({ padding, lead, leadAbove }: Grid) => 2 * padding + (leadAbove ? lead : 0)

function heightsOf(items: readonly TypesetItem[], grid: Grid): number[] {
  const { rows, columns, lead, leadAbove } = grid
  return Array.from({ length: rows }, (_, row) => {
    const highest = Math.max(...items.slice(row * columns, (row + 1) * columns).map(({ height }) => height))
    return Math.max(leadAbove ? chromeHeight(grid) : 0.9 * lead, highest + chromeHeight(grid))
  })
}

/** Total height of the rows with the gaps between them. */
const totalOf = (heights: readonly number[], { gap }: Grid) =>
  heights.reduce((total, height) => total + height, 0) + gap * Math.max(0, heights.length - 1)

/** Positions of mark and text; in right-to-left lists the marks are on the right. */
function cellGeometry(
  box: Box,
  item: TypesetItem,
  { lead, leadAbove, padding, textWidth }: Grid,
  rightToLeft: boolean,
): Pick<Cell, 'mark' | 'text'> {
  const radius = Math.min(0.36 * lead, 0.38 * box.height)
  const x = box.x + padding
  const markX = rightToLeft ? box.x + box.width - padding - radius : x + radius
  const text = { width: textWidth, height: item.height }
  if (leadAbove) {
    const y = box.y + padding
    return { mark: { x: markX, y: y + radius, radius }, text: { x, y: y + lead, ...text } }
  }
  const middle = box.y + box.height / 2
  const textX = rightToLeft ? x : x + lead
  return { mark: { x: markX, y: middle, radius }, text: { x: textX, y: middle - item.height / 2, ...text } }
}

function typesetItems(context: SlideContext, items: readonly ListItem[], grid: Grid, sizeMax: number): TypesetItem[] {
  // The height limit of an item at the smallest size, where its text may be truncated.
  const heightMax = (grid.height - grid.gap * (grid.rows - 1)) / grid.rows - chromeHeight(grid)
  for (let size = sizeMax; ; size *= shrinkStep) {
    const isSmallest = size * shrinkStep < sizeMin
    const typesetList = items.map((item) =>
      typesetItem(context, item, size, grid.textWidth, isSmallest ? heightMax : Number.POSITIVE_INFINITY),
    )
    const isWhole = typesetList.every(({ title, detail }) => title.isWhole && (!detail || detail.isWhole))
    if (isSmallest || (isWhole && totalOf(heightsOf(typesetList, grid), grid) <= grid.height)) return typesetList
  }
}

function typesetItem(
  context: SlideContext,
  { title, detail }: ListItem,
  size: number,
  width: number,
  heightMax: number,
): TypesetItem {
  const height = Math.min(heightMax, 60 * context.unit)
  const fixed = (part: number) => ({ sizeMax: part * size, sizeMin: part * size, width, linesMax: 4 })
  const head = typesetText(
    context,
    title,
    { ...fixed(1), weight: 'display', lineHeight: 1.16, height },
    context.slide.emphasis,
  )
  const gap = title ? 0.25 * size * context.unit : 0
  const room = height - (title ? head.height : 0) - gap
  const hasDetail = detail !== '' && room > size * context.unit
  const body = hasDetail
    ? typesetText(context, detail, { ...fixed(0.74), weight: 'text', lineHeight: 1.3, height: room })
    : undefined
  return { title: head, detail: body, height: head.height + (body ? body.height + gap : 0) }
}

/** Markup of title and detail. */
export function cellText({ palette }: SlideContext, { item, text: { x, y, width } }: Cell): string {
  const colours = { ink: palette.ink, emphasis: palette.accentText }
  const soft = { ink: palette.soft, emphasis: palette.soft }
  const title = paragraph(item.title, x, y, width, colours)
  return item.detail ? title + paragraph(item.detail, x, y + item.height - item.detail.height, width, soft) : title
}
