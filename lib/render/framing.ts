/** Camera motion: converts framings to crop windows of the source picture, frame by frame. */
import type { Framing } from './composition.ts'
import type { Layer } from './segments/render-plan.ts'

type Easing = 'linear' | 'gentle'

export interface Size {
  width: number
  height: number
}

/** Part of a picture, in its pixels. */
interface CropWindow extends Size {
  left: number
  top: number
}

/** The motion kernel can read at most this many source pixels per output pixel. */
export const reductionMax = 1.5

/** `gentle` eases in and out; `linear` has constant speed, which suits shots that cross-fade. */
export function framingAt({ from, to }: Layer['motion'], progress: number, easing: Easing = 'linear'): Framing {
  const p = easing === 'gentle' ? progress * progress * (3 - 2 * progress) : progress
  const between = (a: number, b: number) => a + (b - a) * p
  return { scale: Math.max(1, between(from.scale, to.scale)), x: between(from.x, to.x), y: between(from.y, to.y) }
}

/** How many times closer the camera is after a punch-in, and how many frames the jump takes. */
export const punchInScale = 1.08
const punchInFrames = 4

/** The framing of a layer at a frame of the video, with its punch-ins. */
export function layerFraming(layer: Layer, frame: number): Framing {
  const framing = framingAt(layer.motion, motionProgress(layer, frame))
  const closer = punchInShare(layer, frame)
  return closer === 0 ? framing : { ...framing, scale: framing.scale * (1 + (punchInScale - 1) * closer) }
}

/** 0 without a punch-in, 1 in it; each jump slows down towards its end. */
function punchInShare({ punchIns = [], fromFrame }: Layer, frame: number): number {
  const jumps = punchIns.filter((at) => at <= frame - fromFrame)
  if (jumps.length === 0) return 0
  const rest = 1 - Math.min(1, (frame - fromFrame - jumps.at(-1)! + 1) / punchInFrames)
  return jumps.length % 2 === 1 ? 1 - rest * rest : rest * rest
}

/** Progress of a layer's motion at a frame of the video, 0 to 1. */
export function motionProgress(layer: Layer, frame: number): number {
  if (layer.frames <= 1) return 0
  return Math.min(1, Math.max(0, (frame - layer.fromFrame) / (layer.frames - 1)))
}

/** The window that a framing shows of a picture, or of one of its planes. */
export function cropWindow({ scale, x, y }: Framing, picture: Size): CropWindow {
  const width = picture.width / scale
  const height = picture.height / scale
  return { left: x * (picture.width - width), top: y * (picture.height - height), width, height }
}

/**
 * The size to decode a picture at for frames of size `target`: as sharp as its closest framing needs, but no larger
 * than the kernel can reduce at its widest framing. Even in both directions.
 */
export function sourceSize({ from, to }: Layer['motion'], target: Size): Size {
  const closest = Math.max(1, from.scale, to.scale)
  const widest = Math.max(1, Math.min(from.scale, to.scale))
  const factor = Math.min(closest, reductionMax * widest)
  const even = (length: number) => 2 * Math.round((length * factor) / 2)
  return { width: even(target.width), height: even(target.height) }
}

/** The size to decode the picture of a layer at: its punch-ins are as sharp as its motion. */
export function layerSourceSize({ motion, punchIns }: Layer, target: Size): Size {
  if (!punchIns) return sourceSize(motion, target)
  const { from, to } = motion
  const closest = { ...to, scale: punchInScale * Math.max(1, from.scale, to.scale) }
  const widest = { ...from, scale: Math.min(from.scale, to.scale) }
  return sourceSize({ from: widest, to: closest }, target)
}
