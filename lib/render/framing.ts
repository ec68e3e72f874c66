/** Where the camera looks: framings to windows of the source picture, frame by frame. */
import type { Framing } from './composition.ts'
import type { Layer } from './segments/render-plan.ts'

export type Easing = 'linear' | 'gentle'

export interface Size {
  width: number
  height: number
}

/** Part of a picture, in its pixels. */
export interface CropWindow extends Size {
  left: number
  top: number
}

/** The motion kernel reads at most this many source pixels per pixel it draws. */
const reductionMax = 1.5

/** `gentle` starts and ends at rest; `linear` keeps its speed, which suits shots that fade into one another. */
export function framingAt({ from, to }: Layer['motion'], progress: number, easing: Easing = 'linear'): Framing {
  const p = easing === 'gentle' ? progress * progress * (3 - 2 * progress) : progress
  const between = (a: number, b: number) => a + (b - a) * p
  return { scale: Math.max(1, between(from.scale, to.scale)), x: between(from.x, to.x), y: between(from.y, to.y) }
}

/** How far a layer's motion has come at a frame of the film, 0 to 1. */
export function motionProgress(layer: Layer, frame: number): number {
  if (layer.frames <= 1) return 0
  return Math.min(1, Math.max(0, (frame - layer.fromFrame) / (layer.frames - 1)))
}

/** The window a framing shows of a picture (or of one plane of it). */
export function cropWindow({ scale, x, y }: Framing, picture: Size): CropWindow {
  const width = picture.width / scale
  const height = picture.height / scale
  return { left: x * (picture.width - width), top: y * (picture.height - height), width, height }
}

/**
 * The size to load a picture at for a film of size `target`: as sharp as its closest framing needs, but no larger than
 * the kernel can reduce at its widest. Even in both directions.
 */
export function sourceSize({ from, to }: Layer['motion'], target: Size): Size {
  const closest = Math.max(1, from.scale, to.scale)
  const widest = Math.max(1, Math.min(from.scale, to.scale))
  const factor = Math.min(closest, reductionMax * widest)
  const even = (length: number) => 2 * Math.round((length * factor) / 2)
  return { width: even(target.width), height: even(target.height) }
}
