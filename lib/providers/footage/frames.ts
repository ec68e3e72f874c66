/** Renders the frames of a clip: each layer of an illustration drifts at a constant speed. */
import { type DrawingLayer, overhang, svgDocument } from '../images/drawing.ts'
import { drawnBox, rasterise as rasteriseSvg } from '../images/rasterise.ts'
import { blendPlane, type LayerPlanes, layerPlanesOf } from './planes.ts'

interface DriftingLayer {
  planes: LayerPlanes
  /** Start of the visible window in the planes, in pixels, at the first and the last frame. */
  from: { x: number; y: number }
  to: { x: number; y: number }
  /** Rows from this one on are hidden by a nearer layer. */
  hiddenFrom: number
}

/** A layer with everything that its drift reveals, in premultiplied RGBA. */
interface Raster extends Pick<DriftingLayer, 'from' | 'to'> {
  pixels: Uint8Array
  width: number
  height: number
}

/** Width and height are even. */
export interface ClipFormat {
  width: number
  height: number
  frames: number
  fps: number
}

/** Yuv420p frames. All of them share one buffer: read a frame before requesting the next one. */
export async function* renderFrames(
  layers: readonly DrawingLayer[],
  format: ClipFormat,
): AsyncGenerator<Uint8Array, void> {
  const { height, frames } = format
  const { background, moving } = await prepare(layers, format)
  markHidden(moving, height)
  const frame = new Uint8Array(background.length)
  for (let index = 0; index < frames; index++) {
    frame.set(background)
    for (const layer of moving) draw(layer, frame, format, frames > 1 ? index / (frames - 1) : 0)
    yield frame
  }
}

const isStill = ({ driftX, driftY }: DrawingLayer) => driftX === 0 && driftY === 0

/** The part of the picture that never changes, and the layers to draw over it in each frame. */
async function prepare(
  layers: readonly DrawingLayer[],
  format: ClipFormat,
): Promise<{ background: Uint8Array; moving: DriftingLayer[] }> {
  const { width, height } = format
  const firstMoving = layers.findIndex((layer) => !isStill(layer))
  const stillCount = firstMoving < 0 ? layers.length : firstMoving
  const drawn = [merged(layers.slice(0, stillCount)), ...layers.slice(stillCount)]
  const rasters = await Promise.all(drawn.map((layer) => rasterise(layer, format)))
  const background = new Uint8Array(width * height * 1.5)
  background.fill(16, 0, width * height).fill(128, width * height)
  const moving: DriftingLayer[] = []
  const touched = new Uint8Array((width * height) / 4)
  for (const [index, raster] of rasters.entries()) {
    if (isStill(drawn[index]!)) {
      // A light over hills that drift: only what is over the hills is blended in each frame.
      const [above, rest] = separate(raster.pixels, touched, format)
      draw(planesOf({ ...raster, pixels: rest }), background, format, 0)
      if (above) moving.push(planesOf({ ...raster, pixels: above }))
    } else {
      const layer = planesOf(raster)
      markTouched(layer, touched, format)
      moving.push(layer)
    }
  }
  return { background, moving }
}

/** Splits the pixels of a still layer into those above blocks that moving layers touch, if any, and the others. */
function separate(
  pixels: Uint8Array,
  touched: Uint8Array,
  { width, height }: ClipFormat,
): [above: Uint8Array | undefined, rest: Uint8Array] {
  if (!touched.includes(1)) return [undefined, pixels]
  const rest = new Uint32Array(new Uint8Array(pixels).buffer)
  const above = new Uint32Array(rest.length)
  for (let y = 0, at = 0; y < height; y++) {
    const row = (y >> 1) * (width / 2)
    for (let x = 0; x < width; x++, at++) {
      if (touched[row + (x >> 1)] === 0) continue
      above[at] = rest[at]!
      rest[at] = 0
    }
  }
  return [new Uint8Array(above.buffer), new Uint8Array(rest.buffer)]
}

/** Marks the blocks of 2 x 2 pixels that a layer covers in any frame. */
function markTouched({ planes, from, to }: DriftingLayer, touched: Uint8Array, { width, height }: ClipFormat): void {
  const { rows, triples } = planes.luma.runs
  const [left, right] = [Math.floor(Math.min(from.x, to.x)), Math.ceil(Math.max(from.x, to.x))]
  const [above, below] = [Math.floor(Math.min(from.y, to.y)), Math.ceil(Math.max(from.y, to.y))]
  const block = (pixel: number, size: number) => Math.max(0, Math.min(size, pixel)) >> 1
  for (let line = 0; line < planes.luma.height; line++) {
    // A pixel of chroma reaches over two of luma, in the plane and in the frame.
    const firstRow = block(line - below - 2, height)
    const endRow = block(line - above + 4, height)
    for (let run = rows[line]!; run < rows[line + 1]!; run += 3) {
      const first = block(triples[run]! - right - 2, width)
      const end = block(triples[run + 1]! - left + 4, width)
      for (let row = firstRow; row < endRow; row++) touched.fill(1, row * (width / 2) + first, row * (width / 2) + end)
    }
  }
}

const merged = (layers: readonly DrawingLayer[]): DrawingLayer => ({
  markup: layers.map(({ markup }) => markup).join(''),
  driftX: 0,
  driftY: 0,
})

/**
 * Rasterises a layer with everything that its drift reveals. In a long clip it drifts slower, to stay inside the
 * drawing.
 */
async function rasterise(layer: DrawingLayer, { width, height, frames, fps }: ClipFormat): Promise<Raster> {
  const seconds = (frames - 1) / fps
  const limit = 2 * overhang * 0.9
  const travelX = Math.max(-limit, Math.min(limit, layer.driftX * seconds)) * width
  const travelY = Math.max(-limit * height, Math.min(limit * height, layer.driftY * seconds * width))
  // Two spare pixels: the neighbour of the last one is read too, and chroma needs even sizes.
  const wide = even(width + Math.abs(travelX)) + (travelX === 0 ? 0 : 2)
  const tall = even(height + Math.abs(travelY)) + (travelY === 0 ? 0 : 2)
  const whole = { x: -(wide - width) / 2, y: -(tall - height) / 2, width: wide, height: tall }
  const [top, bottom] = isStill(layer) ? [0, tall] : rowsOf(layer, whole)
  const image = await rasteriseSvg(svgDocument([layer], { ...whole, y: whole.y + top, height: bottom - top }))
  // The spare pixels are split between both sides: half-way through, a clip shows exactly the still picture.
  const start = (travel: number, spare: number) => spare / 2 + Math.max(0, -travel)
  const x = start(travelX, wide - width - Math.abs(travelX))
  const y = start(travelY, tall - height - Math.abs(travelY)) - top
  return {
    pixels: image.pixels,
    width: wide,
    height: bottom - top,
    from: { x, y },
    to: { x: x + travelX, y: y + travelY },
  }
}

/** The even rows of a view that a layer is drawn on, with two spare ones that stay empty: most layers are far from full. */
function rowsOf(layer: DrawingLayer, view: { x: number; y: number; width: number; height: number }): [number, number] {
  const box = drawnBox(svgDocument([layer], view))
  if (!box) return [0, view.height]
  const top = Math.max(0, 2 * Math.floor((box.y - view.y) / 2) - 2)
  const bottom = Math.min(view.height, 2 * Math.ceil((box.y - view.y + box.height) / 2) + 2)
  return top < bottom ? [top, bottom] : [0, view.height]
}

const planesOf = ({ pixels, width, height, from, to }: Raster): DriftingLayer => ({
  planes: layerPlanesOf(pixels, width, height, from.y === to.y ? 'x' : 'y'),
  from,
  to,
  hiddenFrom: Number.POSITIVE_INFINITY,
})

/** Skips rows that a nearer layer covers across the whole width. */
function markHidden(moving: DriftingLayer[], height: number): void {
  let hiddenFrom = height
  for (const layer of moving.toReversed()) {
    layer.hiddenFrom = hiddenFrom
    const { from, to, planes } = layer
    const reachesBottom = planes.luma.height - from.y >= height
    if (from.y === to.y && reachesBottom) hiddenFrom = Math.min(hiddenFrom, planes.opaqueFrom - from.y)
  }
}

function draw(
  { planes, from, to, hiddenFrom }: DriftingLayer,
  frame: Uint8Array,
  { width, height }: ClipFormat,
  part: number,
): void {
  const x = from.x + (to.x - from.x) * part
  const y = from.y + (to.y - from.y) * part
  const rows = even(Math.min(height, hiddenFrom))
  blendPlane(planes.luma, frame.subarray(0, width * height), width, x, y, 0, rows)
  const quarter = (width * height) / 4
  for (const [index, plane] of planes.chroma.entries()) {
    const target = frame.subarray(width * height + quarter * index, width * height + quarter * (index + 1))
    blendPlane(plane, target, width / 2, x / 2, y / 2, 0, rows / 2)
  }
}

export const even = (value: number) => Math.ceil(value / 2) * 2
