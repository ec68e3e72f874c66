/** Decodes a portrait: an untrusted PNG, JPEG or WebP of up to the size of a photograph, in any Exif orientation. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { detectDemuxer, restrictedInput } from '../../ffmpeg/limits.ts'
import { probeMedia } from '../../ffmpeg/probe.ts'
import { FfmpegFailure, runFfmpeg } from '../../ffmpeg/run.ts'
import type { Size } from '../../render/framing.ts'
import { PortraitRefused } from './index.ts'
import type { PortraitLayout } from './layout.ts'

export interface Portrait {
  size: Size
  /** The visible part as RGBA, without fading. */
  part(layout: PortraitLayout): Promise<Uint8Array>
}

const timeoutMs = 20_000
const pictures = ['png_pipe', 'jpeg_pipe', 'webp_pipe'] as const
const noPicture = 'is not a valid PNG, JPEG or WebP image'

export async function readPortrait(bytes: Uint8Array, directory: string): Promise<Portrait> {
  const demuxer = pictures.find((name) => name === detectDemuxer(bytes))
  if (!demuxer) throw new PortraitRefused(noPicture)
  const file = join(directory, 'portrait')
  await writeFile(file, bytes)
  const turns = turnsOf(demuxer === 'jpeg_pipe' ? orientationOf(Buffer.from(bytes)) : 1)
  const decoded = async (filters: string[]) => {
    // Newer versions of ffmpeg apply the orientation too: disabled, so that it is applied once.
    const input = ['-v', 'error', '-noautorotate', ...restrictedInput(file, demuxer)]
    const output = ['-vf', [...turns, ...filters].join(','), '-frames:v', '1', '-f', 'rawvideo', 'pipe:1']
    return (await runFfmpeg({ arguments: [...input, ...output], directory, timeoutMs })).output
  }
  try {
    const { video } = await probeMedia(file, demuxer, { directory, timeoutMs })
    if (!video) throw new PortraitRefused(noPicture)
    // A full decode detects truncated files.
    await decoded(['scale=2:2', 'format=rgba'])
    const upright = turns.some((turn) => turn.startsWith('transpose'))
      ? { width: video.height, height: video.width }
      : { width: video.width, height: video.height }
    return {
      size: upright,
      part: ({ scaled, part, left, top }) =>
        decoded([
          `scale=${scaled.width}:${scaled.height}:flags=lanczos+accurate_rnd`,
          `crop=${part.width}:${part.height}:${left}:${top},format=rgba`,
        ]),
    }
  } catch (failure) {
    if (failure instanceof FfmpegFailure && failure.isPermanent) throw new PortraitRefused(noPicture)
    throw failure
  }
}

/** The filters that undo each orientation (Exif 2.32, tag 274). */
const turnsOf = (orientation: number): string[] =>
  [
    [],
    ['hflip'],
    ['hflip', 'vflip'],
    ['vflip'],
    ['transpose=cclock_flip'],
    ['transpose=clock'],
    ['transpose=clock_flip'],
    ['transpose=cclock'],
  ][orientation - 1] ?? []

/** The orientation in the Exif segment of a JPEG; 1, upright, without one. */
export function orientationOf(jpeg: Buffer): number {
  for (let at = 2; at + 10 <= jpeg.length && jpeg[at] === 0xff && jpeg[at + 1] !== 0xda; ) {
    const end = at + 2 + jpeg.readUInt16BE(at + 2)
    if (jpeg[at + 1] === 0xe1 && jpeg.toString('latin1', at + 4, at + 10) === 'Exif\0\0')
      return orientationIn(jpeg.subarray(at + 10, end))
    at = end
  }
  return 1
}

/** The first directory of the TIFF structure lists the tags of the picture, twelve bytes each. */
function orientationIn(tiff: Buffer): number {
  if (tiff.length < 14) return 1
  const little = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (at + 2 > tiff.length ? 0 : little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const directory = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  const tags = Array.from({ length: short(directory) }, (_, index) => directory + 2 + 12 * index)
  const tag = tags.find((at) => short(at) === 0x0112)
  return tag === undefined ? 1 : short(tag + 8)
}
