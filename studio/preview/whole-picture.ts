/**
 * Shows the whole of a picture that would lose much when it covers the frame: in the middle, before a darker and blurred
 * copy of itself, by the arithmetic of ffmpeg's filters (`wholePicture` in `lib/render/ffmpeg-arguments.ts`).
 */
import { frameByteLength } from '../../lib/motion/kernel.ts'
import type { Size } from '../../lib/render/framing.ts'
import { bicubic, scalePlane, tapsOf } from './plane-scaling.ts'

const groundShrink = 12
/** Radii of the blur, which is applied twice in each direction. */
const blur = { luma: 3, chroma: 2, times: 2 }
const darker = 0.62

/** A larger part of a picture is not cropped away if it can be shown whole. */
const cropShareMax = 0.3

export function losesMuch(picture: Size, frame: Size): boolean {
  const shapes = (picture.width * frame.height) / (picture.height * frame.width)
  return 1 - Math.min(shapes, 1 / shapes) > cropShareMax
}

/** `covering` and `picture` are the sizes of what the returned function gets: the part that covers the frame, and all. */
export async function createWholePicture(
  covering: Size,
  picture: Size,
  size: Size,
  createScaler: (from: Size, to: Size) => Promise<(planes: Uint8Array) => Uint8Array>,
): Promise<(covering: Uint8Array, picture: Uint8Array) => Uint8Array> {
  const small = {
    width: 2 * Math.ceil(size.width / groundShrink / 2),
    height: 2 * Math.ceil(size.height / groundShrink / 2),
  }
  const inside = {
    width: 2 * Math.round(Math.min(size.width, (picture.width * size.height) / picture.height) / 2),
    height: 2 * Math.round(Math.min(size.height, (picture.height * size.width) / picture.width) / 2),
  }
  const enlarge = await createScaler(small, size)
  const scale = await createScaler(picture, inside)
  const shrink = createShrinker(covering, small)
  return (coveringPlanes, picturePlanes) => {
    const ground = enlarge(darkened(blurred(shrink(coveringPlanes), small), small)).slice()
    overlay(ground, size, scale(picturePlanes), inside)
    return ground
  }
}

/** To far less than the kernel can: its filter would leave out most of the picture. */
function createShrinker(from: Size, to: Size): (planes: Uint8Array) => Uint8Array {
  const halfOf = ({ width, height }: Size) => ({ width: width / 2, height: height / 2 })
  const sizes = [from, halfOf(from), halfOf(from)].map((size, index) => {
    const target = index === 0 ? to : halfOf(to)
    return { size, target, taps: tapsOf(size, target, target, bicubic) }
  })
  const result = new Uint8Array(frameByteLength(to))
  return (planes) => {
    let [at, written] = [0, 0]
    for (const { size, target, taps } of sizes) {
      const values = Float32Array.from(planes.subarray(at, at + size.width * size.height))
      scalePlane({ ...size, values }, taps, result.subarray(written, written + target.width * target.height))
      at += values.length
      written += target.width * target.height
    }
    return result
  }
}

function blurred(planes: Uint8Array, { width, height }: Size): Uint8Array {
  const result = planes.slice()
  let at = 0
  for (const shrink of [1, 2, 2]) {
    const plane = result.subarray(at, at + (width / shrink) * (height / shrink))
    blurPlane(plane, { width: width / shrink, height: height / shrink }, shrink === 1 ? blur.luma : blur.chroma)
    at += plane.length
  }
  return result
}

function blurPlane(plane: Uint8Array, { width, height }: Size, radius: number): void {
  for (let y = 0; y < height; y++) blurLine(plane, y * width, 1, width, radius)
  for (let x = 0; x < width; x++) blurLine(plane, x, width, height, radius)
}

/** Averages of `2 * radius + 1` values; at the ends the line is mirrored. */
function blurLine(plane: Uint8Array, from: number, step: number, length: number, radius: number): void {
  const mirrored = (index: number) => (index < 0 ? -index - 1 : index >= length ? 2 * length - 1 - index : index)
  const inverse = Math.floor((2 ** 16 + radius) / (2 * radius + 1))
  for (let time = 0; time < blur.times; time++) {
    const line = Array.from({ length }, (_, index) => plane[from + index * step]!)
    for (let index = 0; index < length; index++) {
      let sum = 0
      for (let by = -radius; by <= radius; by++) sum += line[Math.max(0, Math.min(length - 1, mirrored(index + by)))]!
      plane[from + index * step] = (sum * inverse + 2 ** 15) >> 16
    }
  }
}

function darkened(planes: Uint8Array, { width, height }: Size): Uint8Array {
  for (let i = 0; i < width * height; i++) planes[i] = 16 + (planes[i]! - 16) * darker
  return planes
}

function overlay(frame: Uint8Array, size: Size, picture: Uint8Array, inside: Size): void {
  const even = (length: number) => 2 * Math.floor(length / 4)
  const [left, top] = [even(size.width - inside.width), even(size.height - inside.height)]
  let [from, to] = [0, 0]
  for (const shrink of [1, 2, 2]) {
    const [width, height, stride] = [inside.width / shrink, inside.height / shrink, size.width / shrink]
    for (let y = 0; y < height; y++) {
      frame.set(picture.subarray(from, from + width), to + (top / shrink + y) * stride + left / shrink)
      from += width
    }
    to += frameByteLength(size) / (shrink === 1 ? 1.5 : 6)
  }
}
