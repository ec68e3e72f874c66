/** Pictures as pixels, as a rasteriser returns them. */
import type { Size } from '../render/framing.ts'

/** Rows of RGBA without padding, with premultiplied alpha. */
export interface Raster extends Size {
  pixels: Uint8Array
}

/** Halves the size in both directions by averaging, for the next mip level. */
export function halveRaster({ width, height, pixels }: Raster): Raster {
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
