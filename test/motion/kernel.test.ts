import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { buildKernel } from '../../lib/motion/kernel/build.ts'
import { createMotionKernel, frameByteLength, kernelFiles, type PictureBuffer } from '../../lib/motion/kernel.ts'
import { readKernel } from '../../lib/motion/kernel-files.ts'
import { cropWindow } from '../../lib/render/framing.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const target = { width: 108, height: 192 }
const source = { width: 130, height: 230 }

afterEach(() => vi.restoreAllMocks())

/** Fills the planes of a picture; `value` gets the plane (0 is luma) and the pixel. */
function paint({ size, bytes }: PictureBuffer, value: (plane: number, x: number, y: number) => number): PictureBuffer {
  let offset = 0
  for (const plane of [0, 1, 2]) {
    const [width, height] = plane === 0 ? [size.width, size.height] : [size.width / 2, size.height / 2]
    for (let i = 0; i < width * height; i++) bytes[offset + i] = value(plane, i % width, Math.floor(i / width))
    offset += width * height
  }
  return { size, bytes, offset: 0 }
}
const noise = (_: number, x: number, y: number) => (Math.imul(x * 7919 + y * 104_729 + 13, 2_654_435_761) >>> 8) & 255
/** Black and white at random: sums of taps are as far from the middle as they can be. */
const extremes = (plane: number, x: number, y: number) => (noise(plane, x, y) < 128 ? 0 : 255)

describe('the committed kernel', () => {
  it('equals the compiled source', () => {
    const directory = temporaryDirectory()
    buildKernel(directory)
    for (const file of Object.values(kernelFiles)) {
      const committed = new URL(`../../lib/motion/kernel/${file}`, import.meta.url)
      expect(readFileSync(join(directory, file)).equals(readFileSync(committed)), file).toBe(true)
    }
  })
  it.each([noise, extremes])('draws the same bytes with and without SIMD: $name', async (value) => {
    const drawNoise = async () => {
      const kernel = await createMotionKernel(target, source, readKernel)
      const slots = [kernel.pictureBuffer(0, source), kernel.pictureBuffer(1, source)] as const
      for (const [i, slot] of slots.entries()) paint(slot, (plane, x, y) => value(plane, x + i, y))
      const framing = { scale: 1.13, x: 0.31, y: 0.77 }
      kernel.drawCrossfade(
        { picture: slots[0], framing },
        { picture: slots[1], framing: { ...framing, scale: 1 } },
        0.3,
      )
      return Buffer.from(kernel.frame)
    }
    const withSimd = await drawNoise()
    vi.spyOn(WebAssembly, 'validate').mockReturnValue(false)
    expect((await drawNoise()).equals(withSimd)).toBe(true)
  })
})

describe('a drawn frame', () => {
  it('is the picture itself if nothing moves and nothing is scaled', async () => {
    const kernel = await createMotionKernel(target, target, readKernel)
    const slot = kernel.pictureBuffer(0, target)
    paint(slot, noise)
    kernel.drawPicture(slot, { scale: 1, x: 0.5, y: 0.5 })
    expect(Buffer.from(kernel.frame).equals(Buffer.from(slot.bytes))).toBe(true)
  })
  it("follows the window to a small part of a pixel: a ramp is sampled at the window's position", async () => {
    const kernel = await createMotionKernel(target, source, readKernel)
    const slot = kernel.pictureBuffer(0, source)
    paint(slot, (_, x) => 1.5 * x)
    const errors: number[] = []
    for (let step = 0; step <= 50; step++) {
      const framing = { scale: 1 + 0.2 * (step / 50), x: step / 50, y: 0.5 }
      kernel.drawPicture(slot, framing)
      const { left, width } = cropWindow(framing, source)
      // Away from the edges, where the ramp ends.
      const sum = (at: (x: number) => number) =>
        Array.from({ length: 80 }, (_, i) => at(14 + i)).reduce((a, b) => a + b)
      const expected = sum((x) => 1.5 * (left + ((x + 0.5) * width) / target.width - 0.5))
      errors.push((sum((x) => kernel.frame[96 * target.width + x]!) - expected) / 80 / 1.5)
    }
    // A constant offset is invisible; a changing one is the shimmer of other zooms.
    const mean = errors.reduce((a, b) => a + b) / errors.length
    expect(Math.max(...errors.map((error) => Math.abs(error - mean)))).toBeLessThan(0.15)
  })
  it('repeats the edge of the picture', async () => {
    const kernel = await createMotionKernel(target, source, readKernel)
    const slot = kernel.pictureBuffer(0, source)
    paint(slot, () => 200)
    kernel.drawPicture(slot, { scale: 1.2, x: 1, y: 1 })
    expect(new Set(kernel.frame)).toEqual(new Set([200]))
  })
  it('of a crossfade lies between the two pictures', async () => {
    const kernel = await createMotionKernel(target, target, readKernel)
    const [a, b] = [kernel.pictureBuffer(0, target), kernel.pictureBuffer(1, target)]
    paint(a, () => 0)
    paint(b, () => 255)
    const framing = { scale: 1, x: 0.5, y: 0.5 }
    for (const [share, value] of [
      [0, 0],
      [0.25, 64],
      [0.5, 128],
      [1, 255],
    ] as const) {
      kernel.drawCrossfade({ picture: a, framing }, { picture: b, framing }, share)
      expect(kernel.frame).toHaveLength(frameByteLength(target))
      expect(new Set(kernel.frame)).toEqual(new Set([value]))
    }
  })
})
