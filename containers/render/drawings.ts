/** Turns drawings into pixels, and pixels into the planes that films are made of (BT.709, limited range). */
import { createRequire } from 'node:module'
import { renderAsync } from '@resvg/resvg-js'
import type { Size } from '../../lib/render/motion.ts'
import type { Drawing, DrawingFont } from '../../lib/render/sprite.ts'
import { asBadComposition } from './failure.ts'

/** Rows of RGBA without padding, colours times their opacity. */
export interface Raster extends Size {
  pixels: Uint8Array
}

type Drawn = Pick<Drawing, 'svg'> & { fonts?: readonly Pick<DrawingFont, 'file'>[] }

/** Draws at `zoom` times the size that the drawing says. */
export async function rasterise({ svg, fonts = [] }: Drawn, zoom: number): Promise<Raster> {
  const { resolve } = createRequire(import.meta.url)
  // Fonts of the machine would make other films on other machines.
  const font = { loadSystemFonts: false, fontFiles: fonts.map(({ file }) => resolve(file)) }
  const drawing = renderAsync(svg, { fitTo: { mode: 'zoom', value: zoom }, font })
  const { width, height, pixels } = await drawing.catch((failure) => {
    throw asBadComposition(failure)
  })
  return { width, height, pixels }
}

/** Half the size in both directions, for pictures that are shown small. */
export function halved({ width, height, pixels }: Raster): Raster {
  const half = { width: Math.ceil(width / 2), height: Math.ceil(height / 2) }
  const result = new Uint8Array(4 * half.width * half.height)
  for (let y = 0; y < half.height; y++) {
    const [upper, lower] = [2 * y, Math.min(2 * y + 1, height - 1)]
    for (let x = 0; x < half.width; x++) {
      const [left, right] = [2 * x, Math.min(2 * x + 1, width - 1)]
      for (let channel = 0; channel < 4; channel++) {
        const at = (row: number, column: number) => pixels[4 * (row * width + column) + channel]!
        const sum = at(upper, left) + at(upper, right) + at(lower, left) + at(lower, right)
        result[4 * (y * half.width + x) + channel] = (sum + 2) >> 2
      }
    }
  }
  return { ...half, pixels: result }
}

/** One raw yuv420p frame; what is transparent becomes black. */
export function opaqueFrame(raster: Raster): Uint8Array {
  const [luma, , ...chroma] = planesOf(raster, 0)
  return Buffer.concat([luma, chroma[0]!, chroma[1]!])
}

/** Planes that the kernel lays over a frame: luma and its opacity, then at half the size blue, red and their opacity. */
export type OverlayPlanes = [luma: Uint8Array, opacity: Uint8Array, ...chroma: [Uint8Array, Uint8Array, Uint8Array]]

/** The size of a raster with a transparent edge of `margin` pixels, even in both directions. */
export const paddedSize = ({ width, height }: Size, margin: number): Size => ({
  width: 2 * Math.ceil((width + 2 * margin) / 2),
  height: 2 * Math.ceil((height + 2 * margin) / 2),
})

/** `margin` is even. All values are times their opacity, and so is the black level of luma and the grey of colour. */
export function planesOf({ width, height, pixels }: Raster, margin: number): OverlayPlanes {
  const size = paddedSize({ width, height }, margin)
  const luma = new Uint8Array(size.width * size.height)
  const opacity = new Uint8Array(size.width * size.height)
  const [halfWidth, halfHeight] = [size.width / 2, size.height / 2]
  const quarter = () => new Uint8Array(halfWidth * halfHeight)
  const [blues, reds, chromaOpacity] = [quarter(), quarter(), quarter()]
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      let [r, g, b, a] = [0, 0, 0, 0]
      for (const [dx, dy] of square) {
        if (x + dx >= width || y + dy >= height) continue
        const from = 4 * ((y + dy) * width + x + dx)
        const [red, green, blue, alpha] = [pixels[from]!, pixels[from + 1]!, pixels[from + 2]!, pixels[from + 3]!]
        const to = (y + dy + margin) * size.width + x + dx + margin
        luma[to] = (16 * alpha + 219 * lumaOf(red, green, blue)) / 255 + 0.5
        opacity[to] = alpha
        r += red
        g += green
        b += blue
        a += alpha
      }
      const at = ((y + margin) / 2) * halfWidth + (x + margin) / 2
      const grey = lumaOf(r, g, b)
      blues[at] = (128 * a + (224 * (b - grey)) / 1.8556) / 1020 + 0.5
      reds[at] = (128 * a + (224 * (r - grey)) / 1.5748) / 1020 + 0.5
      chromaOpacity[at] = a / 4 + 0.5
    }
  }
  return [luma, opacity, blues, reds, chromaOpacity]
}

/** The four pixels that share a colour sample. */
const square = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
] as const

/** Rec. ITU-R BT.709-6, item 3.2; 1.8556 and 1.5748 above are from item 3.3. */
const lumaOf = (red: number, green: number, blue: number) => 0.2126 * red + 0.7152 * green + 0.0722 * blue
