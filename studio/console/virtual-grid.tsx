/** A grid of many items that keeps only the visible rows in the document. */
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Items of a page of the list: a multiple of every number of columns, so that pages consist of whole rows. */
export const pageSize = 60
const columnsMax = 6
const gap = 20
/** Rows in the document before and after the visible ones. */
const overscan = 1

export interface GridLayout {
  columns: number
  rowHeight: number
  firstRow: number
  lastRow: number
}

interface VirtualGridProps {
  total: number
  label: string
  columnWidthMin: number
  /** The height of an item of this width. */
  itemHeight: (width: number) => number
  /** Renders a page of items; `cells` are the visible ones of it. */
  page: (index: number, cells: Cell[]) => ComponentChildren
}

export interface Cell {
  /** Position in the whole list. */
  index: number
  style: { left: string; top: string; width: string; height: string }
}

export function VirtualGrid({ total, label, columnWidthMin, itemHeight, page }: VirtualGridProps) {
  const list = useRef<HTMLUListElement>(null)
  const [width, setWidth] = useState(0)
  const [view, setView] = useState({ top: 0, bottom: 0 })
  useLayoutEffect(() => {
    const measure = () => {
      const box = list.current!.getBoundingClientRect()
      setWidth(box.width)
      setView({ top: -box.top, bottom: innerHeight - box.top })
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(list.current!)
    addEventListener('scroll', measure, { passive: true })
    addEventListener('resize', measure)
    return () => {
      observer.disconnect()
      removeEventListener('scroll', measure)
      removeEventListener('resize', measure)
    }
  }, [])
  // A longer list may be scrolled further than the browser could restore before.
  const hasItems = total > 0
  useEffect(() => {
    dispatchEvent(new Event('scroll'))
  }, [hasItems])

  const columns = Math.max(2, Math.min(columnsMax, Math.floor((width + gap) / (columnWidthMin + gap))))
  const itemWidth = (width - gap * (columns - 1)) / columns
  const height = Math.round(itemHeight(itemWidth))
  const rowHeight = height + gap
  const rows = Math.ceil(total / columns)
  const first = Math.max(0, Math.floor(view.top / rowHeight) - overscan)
  const last = Math.min(rows - 1, Math.floor(view.bottom / rowHeight) + overscan)
  const cells = new Map<number, Cell[]>()
  if (width > 0)
    for (let index = first * columns; index < Math.min(total, (last + 1) * columns); index++) {
      const number = Math.floor(index / pageSize)
      const style = {
        left: `${(index % columns) * (itemWidth + gap)}px`,
        top: `${Math.floor(index / columns) * rowHeight}px`,
        width: `${itemWidth}px`,
        height: `${height}px`,
      }
      cells.set(number, [...(cells.get(number) ?? []), { index, style }])
    }
  return (
    <ul ref={list} class="grid" aria-label={label} style={{ height: `${Math.max(0, rows * rowHeight - gap)}px` }}>
      {[...cells].map(([number, visible]) => page(number, visible))}
    </ul>
  )
}
