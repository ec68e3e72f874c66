/** Arranges frames in one picture. */
import { tmpdir } from 'node:os'
import { rasterise } from '../../containers/media/render/rasterise.ts'
import { runFfmpeg } from '../../lib/ffmpeg/run.ts'
import type { Size } from '../../lib/render/framing.ts'
import type { RgbFrame } from './caption-frames.ts'

const gap = 8
const white = 255

/** The part of a frame from `top` to `bottom`, which are shares of its height. */
export function cropRows({ width, height, pixels }: RgbFrame, top: number, bottom: number): RgbFrame {
  const [from, to] = [Math.round(top * height), Math.round(bottom * height)]
  return { width, height: to - from, pixels: pixels.subarray(3 * width * from, 3 * width * to) }
}

/** Frames of one size in rows of `columns`, with a white gap between them. */
export function contactSheet(frames: readonly RgbFrame[], columns: number): RgbFrame {
  const { width: cellWidth, height: cellHeight } = frames[0]!
  const rows = Math.ceil(frames.length / columns)
  // JPEG with halved colours needs even sides.
  const even = (length: number) => 2 * Math.ceil(length / 2)
  const width = even(columns * (cellWidth + gap) - gap)
  const height = even(rows * (cellHeight + gap) - gap)
  const pixels = new Uint8Array(3 * width * height).fill(white)
  frames.forEach((frame, index) => {
    const left = (index % columns) * (cellWidth + gap)
    const top = Math.floor(index / columns) * (cellHeight + gap)
    for (let y = 0; y < cellHeight; y++) {
      const row = frame.pixels.subarray(3 * cellWidth * y, 3 * cellWidth * (y + 1))
      pixels.set(row, 3 * ((top + y) * width + left))
    }
  })
  return { width, height, pixels }
}

const labelFont = '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'

/** The frame with a label below it. */
export async function withLabel({ width, height, pixels }: RgbFrame, words: string): Promise<RgbFrame> {
  const strip = 2 * Math.round(width / 24) + 8
  const text = `<text x="${width / 2}" y="${0.74 * strip}" text-anchor="middle" font-family="Inter" font-weight="600" font-size="${0.66 * strip}">${words}</text>`
  const ground = `<rect width="${width}" height="${strip}" fill="#ffffff"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${strip}">${ground}${text}</svg>`
  const drawn = await rasterise({ svg, fonts: [{ file: labelFont }] }, 1)
  const label = drawn.pixels.filter((_, index) => index % 4 !== 3)
  return { width, height: height + strip, pixels: Buffer.concat([pixels, label]) }
}

/** Writes a frame as a JPEG or PNG file, by the extension of the path. */
export async function writePicture({ width, height, pixels }: RgbFrame, path: string): Promise<void> {
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`, '-i', 'pipe:0']
  const jpeg = ['-vf', 'scale=out_color_matrix=bt601:out_range=pc,format=yuvj420p', '-q:v', '4']
  await runFfmpeg({
    directory: tmpdir(),
    timeoutMs: 60_000,
    arguments: ['-v', 'error', ...raw, ...(path.endsWith('.png') ? [] : jpeg), '-frames:v', '1', '-y', path],
    input: [pixels],
  })
}

/** Reads a picture of a known size. */
export async function readPicture(path: string, { width, height }: Size): Promise<RgbFrame> {
  const arguments_ = ['-v', 'error', '-i', path, '-f', 'rawvideo', '-pix_fmt', 'rgb24', 'pipe:1']
  const { output } = await runFfmpeg({ directory: tmpdir(), timeoutMs: 60_000, arguments: arguments_ })
  return { width, height, pixels: output }
}
