/** Makes moving pictures without any key: the drawn scenes, their layers drifting past one another. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runFfmpeg } from '../../ffmpeg/run.ts'
import { illustrationFor } from '../images/illustration.ts'
import { type ClipFormat, even, renderFrames } from './frames.ts'
import type { Footage } from './index.ts'

const fps = 30
/** Flat shapes look the same when the renderer scales them up, and cost less than half. */
const shorterSideMax = 720

export const builtInFootage: Footage = {
  // Counts up whenever a scene, its motion or the encoding changes, since clips are kept under it.
  id: 'generated-3',
  async find(wish, { directory, signal }) {
    const scale = Math.min(1, shorterSideMax / Math.min(wish.width, wish.height))
    const format: ClipFormat = {
      width: even(Math.round(wish.width * scale)),
      height: even(Math.round(wish.height * scale)),
      frames: Math.max(2, Math.ceil((wish.durationMs * fps) / 1000)),
      fps,
    }
    const { layers } = illustrationFor(wish, format.width, format.height)
    const file = join(directory, 'generated.mp4')
    await runFfmpeg({
      arguments: encodeRawArguments(format, file),
      directory,
      input: renderFrames(layers, format),
      timeoutMs: 30_000 + 5 * wish.durationMs,
      signal,
    })
    const bytes = await readFile(file)
    return { bytes, durationMs: Math.floor((format.frames * 1000) / fps), width: format.width, height: format.height }
  },
}

/** Raw frames from standard input into a clip. */
export const encodeRawArguments = ({ width, height }: ClipFormat, file: string): string[] => [
  ...['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${width}x${height}`, '-r', String(fps), '-i', 'pipe:0'],
  ...encodeClipArguments(file),
]

/** One thread and no version strings: the same frames always give the same bytes. */
export const encodeClipArguments = (file: string): string[] => [
  ...['-c:v', 'libx264', '-preset', 'superfast', '-crf', '19', '-threads', '1', '-pix_fmt', 'yuv420p'],
  ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'],
  ...['-fflags', '+bitexact', '-flags:v', '+bitexact', '-map_metadata', '-1', '-movflags', '+faststart', '-y', file],
]
