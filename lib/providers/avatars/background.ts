/** The background of a portrait that does not fill the frame: its edges, extended to the sides and blurred. */
import type { Size } from '../../render/framing.ts'
import type { PortraitLayout } from './layout.ts'

/** Pixels per cell of the grid in which the background is computed. */
const cell = 24
const blurCells = 2
/** Brightness factor at the sides of the frame. */
const darkest = 0.55
/** Colours behind a portrait with transparency: a plain studio wall, lighter at the top. */
const wall = { above: [108, 120, 136], below: [52, 58, 68] } as const

type Grid = Size & { values: Float32Array }

/** One yuv420p frame in BT.709. `rgba` is the part of the portrait that the layout shows, not premultiplied. */
export function portraitBackground(rgba: Uint8Array, layout: PortraitLayout, frame: Size): Uint8Array {
  const size = { width: Math.ceil(frame.width / cell) + 1, height: Math.ceil(frame.height / cell) + 1 }
  const [red, green, blue] = [0, 1, 2].map((channel) => {
    const values = Float32Array.from({ length: size.width * size.height }, (_, at) =>
      colourAt(rgba, layout, frame, channel, (at % size.width) * cell, Math.floor(at / size.width) * cell),
    )
    return blurred(blurred({ ...size, values }, 1, size.width), size.width, size.height).values
  }) as [Float32Array, Float32Array, Float32Array]
  const plane = (offset: number, r: number, g: number, b: number): Grid => ({
    ...size,
    values: red.map((value, at) => offset + r * value + g * green[at]! + b * blue[at]!),
  })
  const pixels = frame.width * frame.height
  const drawn = new Uint8Array(pixels * 1.5)
  enlarge(plane(16, 0.18259, 0.61423, 0.06201), drawn.subarray(0, pixels), frame.width, cell)
  enlarge(plane(128, -0.10064, -0.33857, 0.43922), drawn.subarray(pixels, pixels * 1.25), frame.width / 2, cell / 2)
  enlarge(plane(128, 0.43922, -0.39894, -0.04027), drawn.subarray(pixels * 1.25), frame.width / 2, cell / 2)
  return drawn
}

/** The colour of the portrait at the point, or of its nearest edge, darkened with the distance. */
function colourAt(
  rgba: Uint8Array,
  layout: PortraitLayout,
  frame: Size,
  channel: number,
  x: number,
  y: number,
): number {
  const { part, centre } = layout
  const [inX, inY] = [x - centre.x + part.width / 2, y - centre.y + part.height / 2]
  const nearest = (at: number, length: number) => Math.round(Math.max(0, Math.min(length - cell, at - cell / 2)))
  const [left, top] = [nearest(inX, part.width), nearest(inY, part.height)]
  let colour = 0
  let opacity = 0
  let count = 0
  for (let row = top; row < Math.min(top + cell, part.height); row += 3)
    for (let column = left; column < Math.min(left + cell, part.width); column += 3, count++) {
      const at = 4 * (row * part.width + column)
      colour += rgba[at + channel]! * rgba[at + 3]!
      opacity += rgba[at + 3]!
    }
  const outside = (at: number, length: number, whole: number) =>
    Math.max(-at, at - length, 0) / Math.max((whole - length) / 2, 1)
  const far = Math.min(1, Math.max(outside(inX, part.width, frame.width), outside(inY, part.height, frame.height)))
  const behind = wall.above[channel]! + ((wall.below[channel]! - wall.above[channel]!) * y) / frame.height
  return (colour / count / 255 + behind * (1 - opacity / count / 255)) * (1 - (1 - darkest) * far)
}

/** Box blur along one axis, three passes: close to a Gaussian blur. */
function blurred({ values, ...size }: Grid, step: number, length: number): Grid {
  const mean = (from: Float32Array) =>
    from.map((_, at) => {
      const position = Math.floor(at / step) % length
      let sum = 0
      for (let away = -blurCells; away <= blurCells; away++)
        sum += from[at + (Math.max(0, Math.min(length - 1, position + away)) - position) * step]!
      return sum / (2 * blurCells + 1)
    })
  return { ...size, values: mean(mean(mean(values))) }
}

/** Bilinear upscaling. Ordered dithering avoids banding in slow gradients. */
function enlarge({ values, width: columns }: Grid, target: Uint8Array, width: number, cellPixels: number): void {
  for (let at = 0; at < target.length; at++) {
    const [x, y] = [(at % width) / cellPixels, Math.floor(at / width) / cellPixels]
    const [column, row] = [Math.floor(x), Math.floor(y)]
    const first = row * columns + column
    const upper = values[first]! + (values[first + 1]! - values[first]!) * (x - column)
    const below = first + columns
    const lower = values[below]! + (values[below + 1]! - values[below]!) * (x - column)
    const pattern = ((((at % width) * 3 + Math.floor(at / width) * 5) % 8) + 0.5) / 8
    target[at] = upper + (lower - upper) * (y - row) + pattern
  }
}
