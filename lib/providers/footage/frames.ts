/** Renders the frames of a clip: each layer of an illustration drifts at a constant speed. */
import { type DrawingLayer, overhang, svgDocument } from '../images/drawing.ts'
import { rasterise as rasteriseSvg } from '../images/rasterise.ts'
import { blendPlane, type LayerPlanes, layerPlanesOf } from './planes.ts'

interface DriftingLayer {
  planes: LayerPlanes
  /** Start of the visible window in the planes, in pixels, at the first and the last frame. */
  from: { x: number; y: number }
  to: { x: number; y: number }
  /** Rows from this one on are hidden by a nearer layer. */
  hiddenFrom: number
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
  const { width, height, frames } = format
  const stillCount = layers.findIndex((layer) => layer.driftX !== 0 || layer.driftY !== 0)
  const still = await rasterise(merged(layers.slice(0, stillCount < 0 ? layers.length : stillCount)), format)
  const moving = await Promise.all(
    (stillCount < 0 ? [] : layers.slice(stillCount)).map((layer) => rasterise(layer, format)),
  )
  markHidden(moving, height)
  const background = new Uint8Array(width * height * 1.5)
  background.fill(16, 0, width * height).fill(128, width * height)
  draw(still, background, format, 0)
  const frame = new Uint8Array(background.length)
  for (let index = 0; index < frames; index++) {
    frame.set(background)
    for (const layer of moving) draw(layer, frame, format, frames > 1 ? index / (frames - 1) : 0)
    yield frame
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
async function rasterise(layer: DrawingLayer, { width, height, frames, fps }: ClipFormat): Promise<DriftingLayer> {
  const seconds = (frames - 1) / fps
  const limit = 2 * overhang * 0.9
  const travelX = Math.max(-limit, Math.min(limit, layer.driftX * seconds)) * width
  const travelY = Math.max(-limit * height, Math.min(limit * height, layer.driftY * seconds * width))
  // Two spare pixels: the neighbour of the last one is read too, and chroma needs even sizes.
  const wide = even(width + Math.abs(travelX)) + (travelX === 0 ? 0 : 2)
  const tall = even(height + Math.abs(travelY)) + (travelY === 0 ? 0 : 2)
  const view = { x: -(wide - width) / 2, y: -(tall - height) / 2, width: wide, height: tall }
  const image = await rasteriseSvg(svgDocument([layer], view))
  // The spare pixels are split between both sides: half-way through, a clip shows exactly the still picture.
  const start = (travel: number, spare: number) => spare / 2 + Math.max(0, -travel)
  const x = start(travelX, wide - width - Math.abs(travelX))
  const y = start(travelY, tall - height - Math.abs(travelY))
  return {
    planes: layerPlanesOf(image.pixels, wide, tall, travelY === 0 ? 'x' : 'y'),
    from: { x, y },
    to: { x: x + travelX, y: y + travelY },
    hiddenFrom: height,
  }
}

/** Skips rows that a nearer layer covers across the whole width. */
function markHidden(moving: DriftingLayer[], height: number): void {
  let hiddenFrom = height
  for (const layer of moving.toReversed()) {
    layer.hiddenFrom = hiddenFrom
    if (layer.from.y === layer.to.y) hiddenFrom = Math.min(hiddenFrom, layer.planes.opaqueFrom)
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
