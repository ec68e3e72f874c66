/** Draws a rotated and scaled picture over a frame, one plane at a time, with a precision of 1/256 pixel. */
import type { Size } from '../../render/framing.ts'
import type { LayerPlanes } from '../footage/planes.ts'

/** Maps a point of the frame to a point of the picture, both in luma pixels: rows `(xx, xy, x)` and `(yx, yy, y)`. */
export interface InverseTransform {
  xx: number
  xy: number
  x: number
  yx: number
  yy: number
  y: number
}

type Plane = LayerPlanes['luma']

/**
 * A run of target pixels. `x`, `y` is the source point of the first one, `stepX`, `stepY` the step to the next: in
 * 1/65536 pixel.
 */
interface Span {
  from: number
  to: number
  x: number
  y: number
  stepX: number
  stepY: number
}

const one = 65_536

/** `step` is the width of a plane's pixel in luma pixels. */
export function drawTransformed(
  plane: Plane,
  target: Uint8Array,
  { width, height }: Size,
  inverse: InverseTransform,
  step: 1 | 2,
): void {
  const [stepX, stepY] = [Math.round(inverse.xx * one), Math.round(inverse.yx * one)]
  for (let row = 0; row < height; row++) {
    const [pointX, pointY] = [step * 0.5, step * (row + 0.5)]
    const startX = Math.round(((inverse.xx * pointX + inverse.xy * pointY + inverse.x) / step - 0.5) * one)
    const startY = Math.round(((inverse.yx * pointX + inverse.yy * pointY + inverse.y) / step - 0.5) * one)
    const [fromX, toX] = within(startX, stepX, plane.width, width)
    const [fromY, toY] = within(startY, stepY, plane.height, width)
    const [first, end] = [Math.max(fromX, fromY), Math.min(toX, toY)]
    if (first >= end) continue
    const [x, y] = [startX + stepX * first, startY + stepY * first]
    const span = { from: row * width + first, to: row * width + end, x, y, stepX, stepY }
    if (isOpaque(plane, y, startY + stepY * (end - 1))) mix(plane, target, span)
    else blend(plane, target, span)
  }
}

/** Whether all rows between the two, and the row below them, are opaque. */
function isOpaque({ opaqueRows }: Plane, y: number, otherY: number): boolean {
  const last = (Math.max(y, otherY) >> 16) + 1
  for (let row = Math.min(y, otherY) >> 16; row <= last; row++) if (!opaqueRows[row]) return false
  return true
}

/** Opaque pixels: the same bytes as `blend`, in half the time. */
function mix({ colour, width }: Plane, target: Uint8Array, { from, to, x, y, stepX, stepY }: Span): void {
  for (let at = from; at < to; at++, x += stepX, y += stepY) {
    const source = (y >> 16) * width + (x >> 16)
    const below = source + width
    const right = (x >> 8) & 255
    const down = (y >> 8) & 255
    const upper = colour[source]! * (256 - right) + colour[source + 1]! * right
    const lower = colour[below]! * (256 - right) + colour[below + 1]! * right
    target[at] = (upper * (256 - down) + lower * down + 32_768) >> 16
  }
}

function blend({ colour, alpha, width }: Plane, target: Uint8Array, { from, to, x, y, stepX, stepY }: Span): void {
  for (let at = from; at < to; at++, x += stepX, y += stepY) {
    const source = (y >> 16) * width + (x >> 16)
    const below = source + width
    const right = (x >> 8) & 255
    const down = (y >> 8) & 255
    const upper = colour[source]! * (256 - right) + colour[source + 1]! * right
    const lower = colour[below]! * (256 - right) + colour[below + 1]! * right
    const mixed = upper * (256 - down) + lower * down
    if (alpha[source]! + alpha[source + 1]! + alpha[below]! + alpha[below + 1]! === 1020) {
      target[at] = (mixed + 32_768) >> 16
      continue
    }
    const upperAlpha = alpha[source]! * (256 - right) + alpha[source + 1]! * right
    const lowerAlpha = alpha[below]! * (256 - right) + alpha[below + 1]! * right
    const behind = 1 - (upperAlpha * (256 - down) + lowerAlpha * down) / (255 * one)
    target[at] = mixed / one + target[at]! * behind + 0.5
  }
}

/** The pixels of a row whose source points, with their next neighbour on this axis, lie inside `length` pixels. */
function within(start: number, step: number, length: number, width: number): [from: number, to: number] {
  const last = (length - 1) * one - 1
  if (step === 0) return start >= 0 && start <= last ? [0, width] : [0, 0]
  const [enter, leave] = step > 0 ? [-start / step, (last - start) / step] : [(last - start) / step, -start / step]
  return [Math.max(0, Math.ceil(enter)), Math.min(width, Math.floor(leave) + 1)]
}
