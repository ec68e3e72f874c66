/** Layout of blocks in a column: vertical stacking and horizontal alignment. */

import type { Box } from './slide.ts'
import type { SlideContext, SlideElement } from './slide-context.ts'

/** A block in a column. */
export interface ContentBlock {
  height: number
  /** Space above it, unless it is the first. */
  gap: number
  draw: (y: number) => SlideElement[]
}

export const stackHeight = (blocks: readonly ContentBlock[]) =>
  blocks.reduce((sum, { height, gap }, index) => sum + height + (index > 0 ? gap : 0), 0)

/** Stacks blocks vertically in an area: `alignment` 0 is the top, 0.5 the middle, 1 the bottom. */
export function stackBlocks(blocks: readonly ContentBlock[], area: Box, alignment: number): SlideElement[] {
  let y = area.y + Math.max(0, area.height - stackHeight(blocks)) * alignment
  return blocks.flatMap(({ height, gap, draw }, index) => {
    if (index > 0) y += gap
    const drawn = draw(y)
    y += height
    return drawn
  })
}

/** The alignment of a column: `lowerThird` is at the bottom, all others in the middle. */
export const verticalAlignment = ({ layout }: SlideContext): number => (layout === 'lowerThird' ? 1 : 0.5)

/** Left edge of a block of this width. */
export const alignedLeft = ({ layout, area }: SlideContext, width: number, rightToLeft = false): number => {
  if (layout === 'center') return area.x + (area.width - width) / 2
  return rightToLeft ? area.x + area.width - width : area.x
}
