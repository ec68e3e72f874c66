/** Moves the mouth and the eyelids of a drawn person: draws every shape once, and copies the pixels of each frame's. */

import type { Size } from '../../render/framing.ts'
import { type LayerPlanes, layerPlanesOf } from '../footage/planes.ts'
import type { DrawnFace } from '../images/face.ts'
import { rasterise } from '../images/rasterise.ts'
import type { PortraitLayout } from './layout.ts'
import { closedEyesMarkup, type Expression, eyesPart, mouthMarkup, mouthPart, mouthShapes } from './mouth.ts'

/** The planes of a part of the portrait, at even coordinates of it. */
interface Patch {
  left: number
  top: number
  planes: LayerPlanes
}

/** Shows an expression in the planes of the portrait. */
type ShowExpression = (expression: Expression) => void

/** `rgba` is the visible part of the portrait, whose planes are `layer`; undefined if the face is not inside. */
export async function talkingFace(
  face: DrawnFace,
  portrait: Size,
  layout: PortraitLayout,
  rgba: Uint8Array,
  layer: LayerPlanes,
): Promise<ShowExpression | undefined> {
  const patchOf = patchMaker(face, portrait, layout, rgba)
  const mouths = await Promise.all(mouthShapes.map((shape) => patchOf(mouthPart, mouthMarkup(shape, face))))
  const [open, closed] = await Promise.all([patchOf(eyesPart, ''), patchOf(eyesPart, closedEyesMarkup(face))])
  if (!open || !closed || mouths.some((mouth) => !mouth)) return undefined
  let shown: Expression | undefined
  return (expression) => {
    if (expression.mouth !== shown?.mouth) copy(mouths[mouthShapes.indexOf(expression.mouth)]!, layer)
    if (expression.eyesClosed !== shown?.eyesClosed) copy(expression.eyesClosed ? closed : open, layer)
    shown = expression
  }
}

/** Returns a function that draws markup over a part of the face, on the pixels of the portrait. */
function patchMaker(face: DrawnFace, portrait: Size, { scaled, left, top, part }: PortraitLayout, rgba: Uint8Array) {
  const scale = scaled.width / portrait.width
  const size = face.size * scale
  const [x, y] = [face.x * scale - left, face.y * scale - top]
  const even = (value: number) => 2 * Math.round(value / 2)
  return async (area: typeof mouthPart, markup: string): Promise<Patch | undefined> => {
    const box = { left: even(x + area.left * size), top: even(y + area.top * size) }
    const width = even((area.right - area.left) * size)
    const height = even((area.bottom - area.top) * size)
    const isInside = box.left >= 0 && box.top >= 0 && box.left + width <= part.width && box.top + height <= part.height
    if (!isInside || width < 2 || height < 2) return undefined
    const transform = `translate(${(x - box.left).toFixed(3)} ${(y - box.top).toFixed(3)}) scale(${size.toFixed(3)})`
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><g transform="${transform}">${markup}</g></svg>`
    const { pixels } = await rasterise(svg)
    const mixed = new Uint8Array(4 * width * height)
    for (let row = 0; row < height; row++) {
      const from = 4 * ((box.top + row) * part.width + box.left)
      for (let at = 4 * row * width, behind = from; at < 4 * (row + 1) * width; at++, behind++) {
        mixed[at] = Math.min(255, pixels[at]! + Math.round((rgba[behind]! * (255 - pixels[at | 3]!)) / 255))
      }
    }
    return { ...box, planes: layerPlanesOf(mixed, width, height, 'x') }
  }
}

function copy({ left, top, planes }: Patch, layer: LayerPlanes): void {
  copyPlane(planes.luma, layer.luma, left, top)
  for (const index of [0, 1] as const) copyPlane(planes.chroma[index], layer.chroma[index], left / 2, top / 2)
}

type Plane = Pick<LayerPlanes['luma'], 'colour' | 'width' | 'height'>

function copyPlane(patch: Plane, target: Plane, left: number, top: number): void {
  for (let row = 0; row < patch.height; row++) {
    const from = row * patch.width
    target.colour.set(patch.colour.subarray(from, from + patch.width), (top + row) * target.width + left)
  }
}
