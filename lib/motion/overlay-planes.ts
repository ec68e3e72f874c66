/**
 * Converts rasters to the planes of video frames (BT.709, limited range). The arithmetic decides the bytes of every
 * render.
 */
import type { Size } from '../render/framing.ts'
import type { Raster } from './raster.ts'

/** One raw yuv420p frame; transparent pixels become black. */
export function opaqueFrame(raster: Raster): Uint8Array {
  const [luma, , ...chroma] = overlayPlanesOf(raster, 0)
  const frame = new Uint8Array(luma.length + 2 * chroma[0]!.length)
  frame.set(luma)
  frame.set(chroma[0]!, luma.length)
  frame.set(chroma[1]!, luma.length + chroma[0]!.length)
  return frame
}

/**
 * Planes that the kernel blends over a frame: luma and its opacity, then at half the size blue, red and their opacity.
 */
export type OverlayPlanes = [luma: Uint8Array, opacity: Uint8Array, ...chroma: [Uint8Array, Uint8Array, Uint8Array]]

/** The size of a raster with a transparent edge of `margin` pixels, even in both directions. */
export const paddedSize = ({ width, height }: Size, margin: number): Size => ({
  width: 2 * Math.ceil((width + 2 * margin) / 2),
  height: 2 * Math.ceil((height + 2 * margin) / 2),
})

/**
 * `margin` must be even. All values are premultiplied, including the black level of luma and the neutral level of
 * chroma.
 */
export function overlayPlanesOf({ width, height, pixels }: Raster, margin: number): OverlayPlanes {
  const size = paddedSize({ width, height }, margin)
  const luma = new Uint8Array(size.width * size.height)
  const opacity = new Uint8Array(size.width * size.height)
  const [halfWidth, halfHeight] = [size.width / 2, size.height / 2]
  const quarter = () => new Uint8Array(halfWidth * halfHeight)
  const [blues, reds, chromaOpacity] = [quarter(), quarter(), quarter()]
  // Sums over 2x2 pixels, which share a chroma sample. Plain loops: array methods take five times as long.
  const sums = new Float64Array(4 * halfWidth)
  for (let y = 0; y < height; y++) {
    const row = (y + margin) * size.width + margin
    for (let x = 0, from = 4 * y * width; x < width; x++, from += 4) {
      const alpha = pixels[from + 3]!
      if (alpha === 0) continue
      const red = pixels[from]!
      const green = pixels[from + 1]!
      const blue = pixels[from + 2]!
      luma[row + x] = (16 * alpha + 219 * lumaOf(red, green, blue)) / 255 + 0.5
      opacity[row + x] = alpha
      const sum = 4 * (x >> 1)
      sums[sum] = sums[sum]! + red
      sums[sum + 1] = sums[sum + 1]! + green
      sums[sum + 2] = sums[sum + 2]! + blue
      sums[sum + 3] = sums[sum + 3]! + alpha
    }
    if (y % 2 === 0 && y < height - 1) continue
    for (let x = 0; x < halfWidth - margin; x++) {
      const alpha = sums[4 * x + 3]!
      if (alpha === 0) continue
      const red = sums[4 * x]!
      const green = sums[4 * x + 1]!
      const blue = sums[4 * x + 2]!
      const at = ((y + margin) >> 1) * halfWidth + (margin >> 1) + x
      const grey = lumaOf(red, green, blue)
      blues[at] = (128 * alpha + (224 * (blue - grey)) / 1.8556) / 1020 + 0.5
      reds[at] = (128 * alpha + (224 * (red - grey)) / 1.5748) / 1020 + 0.5
      chromaOpacity[at] = alpha / 4 + 0.5
    }
    sums.fill(0)
  }
  return [luma, opacity, blues, reds, chromaOpacity]
}

/** Rec. ITU-R BT.709-6, item 3.2; 1.8556 and 1.5748 above are from item 3.3. */
const lumaOf = (red: number, green: number, blue: number) => 0.2126 * red + 0.7152 * green + 0.0722 * blue
