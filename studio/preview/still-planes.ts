/**
 * Decodes stills to the planes of frames as ffmpeg's scaler does: a Lanczos filter on luma and on chroma, which is
 * averaged over pairs of columns first. The scaler of a browser is softer.
 */
import { frameByteLength } from '../../lib/motion/kernel.ts'
import type { Raster } from '../../lib/motion/raster.ts'
import type { Size } from '../../lib/render/framing.ts'
import { pause } from './pause.ts'
import { type Plane, scalePlane, tapsOf } from './plane-scaling.ts'

/** A still as one frame that covers `size`. Transparent pixels become black. */
export async function stillFrame(file: Blob, size: Size): Promise<Uint8Array> {
  const image = await createImageBitmap(file, { colorSpaceConversion: 'none', imageOrientation: 'none' })
  const { width, height } = image
  const context = new OffscreenCanvas(width, height).getContext('2d', { alpha: false, willReadFrequently: true })!
  context.drawImage(image, 0, 0)
  image.close()
  const { data } = context.getImageData(0, 0, width, height)
  const raster = { width, height, pixels: new Uint8Array(data.buffer) }
  // JPEG and WebP have another colour matrix than a video: ffmpeg scales those in RGB.
  return scaledFrame((await isPng(file)) ? raster : await scaleRaster(raster, coveringSize(raster, size)), size)
}

const isPng = async (file: Blob) => new Uint8Array(await file.slice(0, 2).arrayBuffer())[1] === 0x50

/** The middle of an opaque raster as one frame. */
async function scaledFrame(raster: Raster, size: Size): Promise<Uint8Array> {
  const whole = coveringSize(raster, size)
  const wholeHalf = { width: Math.ceil(whole.width / 2), height: Math.ceil(whole.height / 2) }
  const half = { width: size.width / 2, height: size.height / 2 }
  const [luma, blue, red] = planesOf(raster)
  await pause()
  const taps = tapsOf(blue, wholeHalf, half)
  const frame = new Uint8Array(frameByteLength(size))
  const pixels = size.width * size.height
  scalePlane(luma, tapsOf(luma, whole, size), frame.subarray(0, pixels))
  await pause()
  scalePlane(blue, taps, frame.subarray(pixels, 1.25 * pixels))
  scalePlane(red, taps, frame.subarray(1.25 * pixels))
  return frame
}

async function scaleRaster({ width, height, pixels }: Raster, size: Size): Promise<Raster> {
  const taps = tapsOf({ width, height }, size, size)
  const scaled = new Uint8Array(4 * size.width * size.height)
  const channel = new Uint8Array(size.width * size.height)
  for (const offset of [0, 1, 2]) {
    const values = new Float32Array(width * height)
    for (let i = 0; i < values.length; i++) values[i] = pixels[4 * i + offset]!
    scalePlane({ width, height, values }, taps, channel)
    for (let i = 0; i < channel.length; i++) scaled[4 * i + offset] = channel[i]!
    await pause()
  }
  return { ...size, pixels: scaled }
}

/** Rounded as by `force_original_aspect_ratio=increase` of ffmpeg. */
const coveringSize = ({ width, height }: Size, size: Size): Size => ({
  width: Math.max(size.width, Math.round((size.height * width) / height)),
  height: Math.max(size.height, Math.round((size.width * height) / width)),
})

/** Rec. ITU-R BT.709-6, items 3.2 to 3.5, in limited range. Chroma has half the columns. */
function planesOf({ width, height, pixels }: Raster): [luma: Plane, blue: Plane, red: Plane] {
  const columns = Math.ceil(width / 2)
  const luma = new Float32Array(width * height)
  const [blue, red] = [new Float32Array(columns * height), new Float32Array(columns * height)]
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      const grey = 0.2126 * pixels[at]! + 0.7152 * pixels[at + 1]! + 0.0722 * pixels[at + 2]!
      luma[y * width + x] = 16 + (219 / 255) * grey
      const pair = y * columns + (x >> 1)
      const share = (x === width - 1 && x % 2 === 0 ? 224 : 112) / 255
      blue[pair] = blue[pair]! + (share * (pixels[at + 2]! - grey)) / 1.8556
      red[pair] = red[pair]! + (share * (pixels[at]! - grey)) / 1.5748
    }
  }
  for (let i = 0; i < blue.length; i++) {
    blue[i] = 128 + blue[i]!
    red[i] = 128 + red[i]!
  }
  return [
    { width, height, values: luma },
    { width: columns, height, values: blue },
    { width: columns, height, values: red },
  ]
}
