import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { spriteMaterialsFor } from '../../containers/media/render/sprites.ts'
import { createMotionKernel } from '../../lib/motion/kernel.ts'
import { readKernel } from '../../lib/motion/kernel-files.ts'
import type { Framing } from '../../lib/render/composition.ts'
import { cropWindow, framingAt } from '../../lib/render/framing.ts'
import { placementAt, type Sprite } from '../../lib/render/sprite.ts'
import { newRenderDirectory, planSprite } from '../render/compositions.ts'

const film = { width: 270, height: 480 }
const source = { width: 324, height: 576 }
const frames = 45
/** The frame-to-frame error, in pixels of the video. */
const jitterMax = 0.02

/** A picture that is known at every point, so that a frame can be compared with its exact content. */
const waves = [
  [0.11, 0.03, 0.4],
  [-0.05, 0.09, 1.7],
  [0.17, 0.13, 2.9],
  [0.02, -0.19, 4.4],
] as const
const picture = (x: number, y: number) =>
  waves.reduce((sum, [fx, fy, phase]) => sum + 24 * Math.sin(fx * x + fy * y + phase), 128)

/** Every third pixel is a sufficient sample. */
const stride = 3

/** How far a drawn plane is shifted against the picture under a window, by least squares. */
function shiftOf(plane: Uint8Array, framing: Framing): { x: number; y: number } {
  const { left, top, width, height } = cropWindow(framing, source)
  const [stepX, stepY] = [width / film.width, height / film.height]
  let [xx, xy, yy, xe, ye] = [0, 0, 0, 0, 0]
  for (let row = 8; row < film.height - 8; row += stride) {
    for (let column = 8; column < film.width - 8; column += stride) {
      const [x, y] = [left + (column + 0.5) * stepX - 0.5, top + (row + 0.5) * stepY - 0.5]
      const slopeX = (picture(x + 0.5, y) - picture(x - 0.5, y)) * stepX
      const slopeY = (picture(x, y + 0.5) - picture(x, y - 0.5)) * stepY
      const error = plane[row * film.width + column]! - picture(x, y)
      xx += slopeX * slopeX
      xy += slopeX * slopeY
      yy += slopeY * slopeY
      xe += slopeX * error
      ye += slopeY * error
    }
  }
  const scale = xx * yy - xy * xy
  return { x: (xe * yy - ye * xy) / scale, y: (ye * xx - xe * xy) / scale }
}

/** Root mean square of how much the shift changes from one frame to the next. */
function jitterOf(shifts: readonly number[]): number {
  const changes = shifts.slice(1).map((shift, index) => shift - shifts[index]!)
  return Math.sqrt(changes.reduce((sum, change) => sum + change * change, 0) / changes.length)
}

describe('motion against an exact reference', () => {
  it.each([
    ['a slow zoom', { scale: 1, x: 0.5, y: 0.5 }, { scale: 1.14, x: 0.5, y: 0.5 }],
    ['a zoom towards a corner', { scale: 1.02, x: 0.3, y: 0.6 }, { scale: 1.15, x: 0.7, y: 0.35 }],
    ['a pan', { scale: 1.12, x: 0, y: 0.5 }, { scale: 1.12, x: 1, y: 0.5 }],
  ])('%s jitters by less than 0.02 px rms', async (_, from, to) => {
    const kernel = await createMotionKernel(film, source, readKernel)
    const slot = kernel.pictureBuffer(0, source)
    for (let y = 0; y < source.height; y++)
      for (let x = 0; x < source.width; x++) slot.bytes[y * source.width + x] = Math.round(picture(x, y))
    const shifts = Array.from({ length: frames }, (_, frame) => {
      const framing = framingAt({ from, to }, frame / (frames - 1))
      kernel.drawPicture(slot, framing)
      return shiftOf(kernel.frame, framing)
    })
    expect(jitterOf(shifts.map(({ x }) => x))).toBeLessThan(jitterMax)
    expect(jitterOf(shifts.map(({ y }) => y))).toBeLessThan(jitterMax)
  })

  it('a sprite that moves and grows jitters by less than 0.02 px rms', async () => {
    const ball =
      '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="80"><circle cx="40" cy="40" r="34" fill="#fff"/></svg>'
    const sprite: Sprite = {
      ...{ picture: { kind: 'drawing', svg: ball }, width: 80, height: 80, fromMs: 0, toMs: 2000 },
      x: [
        [0, 100],
        [2000, 131],
      ],
      y: [
        [0, 200],
        [2000, 219],
      ],
      scale: [
        [0, 0.8],
        [2000, 1.1],
      ],
      opacity: [[0, 1]],
    }
    const place = { directory: newRenderDirectory(), timeoutMs: 60_000, signal: new AbortController().signal }
    const material = await spriteMaterialsFor(new Map(), place)(planSprite(sprite))
    const kernel = await createMotionKernel(film, film, readKernel)
    const [loaded] = kernel.spriteBuffers([material])
    loaded!.bytes.set(readFileSync(join(place.directory, material.file)))
    const shifts = Array.from({ length: frames }, (_, frame) => {
      const placement = placementAt(sprite, (frame * 1000) / 30)
      kernel.frame.fill(16)
      kernel.drawSprite(loaded!, placement)
      let [weight, x, y] = [0, 0, 0]
      kernel.frame.subarray(0, film.width * film.height).forEach((value, index) => {
        weight += value - 16
        x += (value - 16) * ((index % film.width) + 0.5)
        y += (value - 16) * (Math.floor(index / film.width) + 0.5)
      })
      return { x: x / weight - placement.x, y: y / weight - placement.y }
    })
    expect(jitterOf(shifts.map(({ x }) => x))).toBeLessThan(jitterMax)
    expect(jitterOf(shifts.map(({ y }) => y))).toBeLessThan(jitterMax)
  })
})
