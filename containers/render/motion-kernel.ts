/**
 * The host of the motion kernel (WebAssembly, kernel/source/kernel.ts): lays out its memory for one film and draws frames.
 * Frames are yuv420p without padding: a plane of luma, then two of colour at half the size.
 */
import { readFileSync } from 'node:fs'
import type { Framing } from '../../lib/render/composition.ts'
import { type Size, windowOf } from '../../lib/render/motion.ts'

/** Both are built from one source and draw the same bytes; the plain one takes 13 times as long. */
export const kernelFiles = { simd: 'kernel.wasm', plain: 'kernel-without-simd.wasm' }

interface KernelExports {
  memory: WebAssembly.Memory
  heapBase(): number
  resample(
    ...args: [
      ...[source: number, sourceWidth: number, sourceHeight: number],
      ...[left: number, top: number, width: number, height: number],
      ...[target: number, targetWidth: number, targetHeight: number],
    ]
  ): void
  mix(target: number, other: number, bytes: number, share: number): void
}

/** A place in the kernel's memory for one picture. */
export interface Slot {
  size: Size
  offset: number
  bytes: Uint8Array
}

export interface MotionKernel {
  /** The frame that has been drawn; the next drawing overwrites it. */
  frame: Uint8Array
  /** A place of `size`, one of the two that the layers of a crossfade need at most. Overwrites what was in it. */
  slot(index: 0 | 1, size: Size): Slot
  draw(picture: Slot, framing: Framing): void
  /** Draws the first picture with the second over it; `share` of the second is 0 to 1. */
  drawMixed(a: { picture: Slot; framing: Framing }, b: { picture: Slot; framing: Framing }, share: number): void
}

const pageBytes = 65_536
/** The kernel reads and writes whole vectors, a few bytes past the end of a picture. */
const slackBytes = 64

export function frameBytes({ width, height }: Size): number {
  return (width * height * 3) / 2
}

/** `sourceMax` is the size of the largest picture that will be drawn into frames of `target`. */
export async function createMotionKernel(target: Size, sourceMax: Size): Promise<MotionKernel> {
  const kernel = await instantiate()
  const room = (size: Size) => Math.ceil((frameBytes(size) + slackBytes) / 64) * 64
  const frameAt = kernel.heapBase()
  const otherAt = frameAt + room(target)
  const slotsAt = otherAt + room(target)
  const end = slotsAt + 2 * room(sourceMax)
  kernel.memory.grow(Math.max(0, Math.ceil((end - kernel.memory.buffer.byteLength) / pageBytes)))
  // The views stay valid: the memory never grows again.
  const view = (offset: number, size: Size) => new Uint8Array(kernel.memory.buffer, offset, frameBytes(size))

  const drawAt = (picture: Slot, framing: Framing, frame: number) => {
    let [from, to] = [picture.offset, frame]
    for (const shrink of [1, 2, 2]) {
      const source = { width: picture.size.width / shrink, height: picture.size.height / shrink }
      const plane = { width: target.width / shrink, height: target.height / shrink }
      const { left, top, width, height } = windowOf(framing, source)
      kernel.resample(from, source.width, source.height, left, top, width, height, to, plane.width, plane.height)
      from += source.width * source.height
      to += plane.width * plane.height
    }
  }
  return {
    frame: view(frameAt, target),
    slot: (index, size) => {
      const offset = slotsAt + index * room(sourceMax)
      return { size, offset, bytes: view(offset, size) }
    },
    draw: (picture, framing) => drawAt(picture, framing, frameAt),
    drawMixed: (a, b, share) => {
      drawAt(a.picture, a.framing, frameAt)
      drawAt(b.picture, b.framing, otherAt)
      kernel.mix(frameAt, otherAt, frameBytes(target), Math.round(256 * share))
    },
  }
}

async function instantiate(): Promise<KernelExports> {
  const read = (file: string) => readFileSync(new URL(`kernel/${file}`, import.meta.url))
  const simd = read(kernelFiles.simd)
  const bytes = WebAssembly.validate(simd) ? simd : read(kernelFiles.plain)
  const { instance } = await WebAssembly.instantiate(bytes)
  return instance.exports as unknown as KernelExports
}
